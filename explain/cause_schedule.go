package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
)

// unscheduled finds why a Pod has no node: no node fits, scheduling gates block it, or no
// scheduler handles it.
func unscheduled(o *object) []finding {
	phase := o.Text("status.phase")
	if o.isScheduled() || phase != "Pending" && phase != "" {
		return nil
	}
	c := o.Under("status.conditions[PodScheduled]")
	switch {
	case o.Len("spec.schedulingGates") > 0:
		return []finding{o.schedulingGated()}
	case c.Text("reason") == "SchedulingGated":
		return []finding{{kind: "SchedulingGated", text: "its scheduling gates have not been removed", evidence: []Evidence{c.evidence("reason")}}}
	case c.Text("status") == "False":
		return o.unschedulable(c.Text("message"), c.evidence("message"))
	}
	for _, e := range o.eventsWith("FailedScheduling") {
		return o.unschedulable(e.Message, o.eventEvidence(e))
	}
	if o.Len("status.containerStatuses") > 0 {
		return nil // a kubelet has reported on it
	}
	name := cmp.Or(o.Text("spec.schedulerName"), defaultScheduler)
	if age := o.index.age(o.Text("metadata.creationTimestamp")); !c.Has("status") && (age > schedulerDelay || age > otherSchedulerDelay && name != defaultScheduler) {
		return []finding{{
			kind: "SchedulerSilent", text: "scheduler " + show.Quoted(name) + " has not reported on it",
			evidence: []Evidence{o.evidence("spec.schedulerName"), c.evidence("status"), o.evidence("metadata.creationTimestamp")},
			next:     []string{commandForAll(o.ID, "get", "pods", "-A")},
		}}
	}
	return nil
}

const defaultScheduler = "default-scheduler"

// How long schedulers may take to report on a Pod. The default scheduler runs in each cluster, and
// may be busy. Another one may not run at all.
const (
	schedulerDelay      = 30 * time.Second
	otherSchedulerDelay = 2 * time.Second
)

func (o *object) schedulingGated() finding {
	f := finding{kind: "SchedulingGated"}
	var names []string
	for gate := range o.Each("spec.schedulingGates") {
		names = append(names, gate.Text("name"))
		f.evidence = append(f.evidence, gate.evidence("name"))
	}
	slices.Sort(names)
	f.text = "its scheduling gates have not been removed: " + strings.Join(names, ", ")
	f.evidence = f.evidence[:min(len(f.evidence), 5)]
	return f
}

// unschedulable explains a message of the scheduler.
func (o *object) unschedulable(message string, quote Evidence) []finding {
	f := finding{kind: "Unschedulable", evidence: []Evidence{quote}, next: []string{commandFor(o.ID, "describe", slash(o.ID))}}
	if ids := missingNamed(o.ID, messages.Head(message)); len(ids) > 0 {
		o.notFound(&f, ids[0])
		return []finding{f}
	}
	report, ok := messages.ParseScheduling(message)
	switch {
	case messages.HasAny(message, "no nodes available to schedule pods"):
		f.text, f.next = "the cluster has no nodes", []string{commandForAll(o.ID, "get", "nodes")}
	case !ok && message == "":
		f.text = "no node fits"
	case !ok:
		f.text = "it is not scheduled: " + innermostError(message)
	case report.Other != "":
		f.text = "0/" + report.Nodes + " nodes fit: " + report.Other
		if f.weak = strings.Contains(report.Other, "unbound immediate PersistentVolumeClaims"); f.weak {
			f.kind, f.text = "ClaimUnbound", "its PersistentVolumeClaims are not bound"
			f.evidence = append(f.evidence, o.claims()...)
		}
	default:
		o.explainNodeCounts(&f, report)
	}
	if room := o.Text("status.nominatedNodeName"); room != "" {
		f.text += "; other Pods are being preempted on node " + room
		f.evidence = append(f.evidence, o.evidence("status.nominatedNodeName"))
	}
	f.evidence = append(f.evidence, firstEvent(o, "NotTriggerScaleUp", "TriggeredScaleUp")...)
	return []finding{f}
}

// explainNodeCounts explains how many nodes do not fit for each reason, with the fields of the
// Pod that the reasons are about.
func (o *object) explainNodeCounts(f *finding, report messages.Scheduling) {
	slices.SortStableFunc(report.Reasons, func(a, b messages.NodeReason) int { return cmp.Compare(b.Count, a.Count) })
	var reasons, keys []string
	isVolume := false // the volumes exclude all nodes
	only := o.requiredNode()
	fieldsOf := map[string]bool{}
	for _, r := range report.Reasons {
		say, field := r.Explain()
		if which, taints := o.untoleratedTaints(); r.HidesTaint() && which != "" {
			say = which
			f.evidence = append(f.evidence, taints...)
		}
		isVolume = isVolume || field == "claims" && strconv.FormatInt(r.Count, 10) == report.Nodes
		if only != "" && field == "selector" && len(report.Reasons) > 1 {
			continue // all other nodes do not match the selector
		}
		if resource, ok := strings.CutPrefix(field, "requests "); ok {
			if amount := o.requests(resource); amount != "" {
				say += " (requested " + amount + ")"
			}
		}
		reasons = append(reasons, fmt.Sprintf("%d %s", r.Count, say))
		keys = append(keys, say)
		fieldsOf[field] = true
	}
	slices.Sort(keys)
	f.text = "0/" + report.Nodes + " nodes fit: " + strings.Join(reasons, ", ")
	if only != "" && !fieldsOf["selector"] {
		f.text = "node " + only + ", the only one that its node affinity allows, does not fit: " + strings.Join(keys, ", ")
		fieldsOf["selector"] = true
	}
	f.key = strings.Join(keys, ", ")
	f.weak = len(fieldsOf) == 1 && (fieldsOf["claims"] || fieldsOf["devices"]) // the claims may explain it better
	if fieldsOf["claims"] && o.isVolumeMisplaced() {
		o.addVolumePlaces(f, isVolume)
	}
	for _, field := range slices.Sorted(maps.Keys(fieldsOf)) {
		f.evidence = append(f.evidence, o.requirements(field)...)
	}
	for _, node := range o.brokenNodeRefs() {
		f.weak = f.weak || len(report.Reasons) == 1 && !o.index.find(node.ID).isDone() // the node explains it better
	}
	if fieldsOf["taint"] {
		f.next = append(f.next, commandForAll(o.ID, "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,TAINTS:.spec.taints"))
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(fieldsOf)), func(field string) bool { return strings.HasPrefix(field, "requests ") }) {
		f.next = append(f.next, commandForAll(o.ID, "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,ALLOCATABLE:.status.allocatable"))
	}
	if fieldsOf["selector"] && only == "" {
		f.next = append(f.next, commandForAll(o.ID, "get", "nodes", "--show-labels"))
	}
}

// nodeAffinityTerms is the path of the terms of which the node of a Pod must match one.
const nodeAffinityTerms = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"

// requiredNode returns the node to which a Pod is bound by its affinity, as DaemonSet Pods
// are, or "".
func (o *object) requiredNode() string {
	name := ""
	for term := range o.Each(nodeAffinityTerms) {
		for e := range term.Each("matchFields") {
			values := e.Texts("values")
			if name != "" || e.Text("key") != "metadata.name" || e.Text("operator") != "In" || len(values) != 1 {
				return ""
			}
			name = values[0]
		}
	}
	if o.Len(nodeAffinityTerms) != 1 {
		return ""
	}
	return name
}

// requests returns how much of a resource the containers of a Pod request.
func (o *object) requests(resource string) string {
	if own := o.Get("spec.resources.requests[" + resource + "]"); own != nil {
		return show.Value(own)
	}
	var amounts []string
	for _, list := range podspec.ContainerLists {
		for c := range o.Each(list.Spec) {
			if list.Noun == "init container" && c.Text("restartPolicy") != "Always" {
				continue
			}
			if v := c.Get("resources.requests[" + resource + "]"); v != nil {
				amounts = append(amounts, show.Value(v))
			}
		}
	}
	return strings.Join(amounts[:min(len(amounts), 8)], " + ")
}

// requirements returns what a Pod requires of nodes in a field, as evidence.
func (o *object) requirements(field string) (all []Evidence) {
	if resource, ok := strings.CutPrefix(field, "requests "); ok {
		for _, list := range podspec.ContainerLists {
			for c := range o.Each(list.Spec) {
				if path := "resources.requests[" + resource + "]"; c.Has(path) && len(all) < 4 {
					all = append(all, c.evidence(path))
				}
			}
		}
		return append(all, o.defaultedRequests(resource)...)
	}
	switch field {
	case "selector":
		if o.Has("spec.nodeSelector") {
			all = append(all, o.evidenceAs("spec.nodeSelector", fields.SelectorOf(o.Labels("spec.nodeSelector"))))
		}
		if terms := o.terms(nodeAffinityTerms); terms != "" {
			all = append(all, o.evidenceAs("spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution", terms))
		}
	case "taint":
		all = append(all, o.evidenceAs("spec.tolerations", o.tolerations()))
	case "spread":
		for c := range o.Each("spec.topologySpreadConstraints") {
			all = append(all, c.evidence("topologyKey"), c.evidence("maxSkew"))
			break
		}
	case "ports":
		for c := range o.Each("spec.containers") {
			for p := range c.Each("ports") {
				if p.Has("hostPort") && len(all) < 4 {
					all = append(all, p.evidence("hostPort"))
				}
			}
		}
	case "claims":
		all = o.claims()
	case "devices":
		for c := range o.Each("spec.resourceClaims") {
			all = append(all, c.evidence("name"))
		}
	}
	return all[:min(len(all), 4)]
}

// claims returns the claims of a Pod and, if known, their status, as evidence.
func (o *object) claims() (all []Evidence) {
	for _, ref := range o.podReferences() {
		if ref.ID.Kind.Kind != "PersistentVolumeClaim" || len(all) >= 4 {
			continue
		}
		all = append(all, o.evidence(ref.Path))
		if to := o.index.find(ref.ID); to != nil && to.Object != nil {
			all = append(all, to.evidence("status.phase"))
		}
	}
	return all
}

// tolerations renders the taints that a Pod tolerates, except those that admission adds
// to every Pod.
func (o *object) tolerations() string {
	var all []string
	for t := range o.Each("spec.tolerations") {
		key := t.Text("key")
		if key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable" {
			continue
		}
		text := cmp.Or(key, "any")
		if v := t.Text("value"); v != "" {
			text += "=" + v
		}
		if effect := t.Text("effect"); effect != "" {
			text += ":" + effect
		}
		all = append(all, text)
	}
	return cmp.Or(strings.Join(all, ", "), "none")
}
