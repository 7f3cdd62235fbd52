package explain

import (
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/status"
)

// schedulingMessage returns why a Pod is not scheduled, in the words of its scheduler, or "".
func (o *object) schedulingMessage() string {
	if o.isScheduled() {
		return ""
	}
	if c := o.Under("status.conditions[PodScheduled]"); c.Has("message") {
		return messages.Head(c.Text("message"))
	}
	e, _ := o.lastEvent("FailedScheduling")
	return messages.Head(e.Message)
}

// nodeList is the list of the nodes that the node selector of a Pod matches.
func (o *object) nodeList() List { return o.list(nodeKind, "", o.Labels("spec.nodeSelector")) }

// placementLists returns the nodes whose taints keep a Pod from being scheduled. Schedulers since
// 1.34 do not name the taints.
func placementLists(o *object) []List {
	if report, _ := messages.ParseScheduling(o.schedulingMessage()); slices.ContainsFunc(report.Reasons, messages.NodeReason.HidesTaint) {
		return []List{o.nodeList()}
	}
	return nil
}

// podLists returns the lists that explain a Pod: nodes if it is not scheduled, and Services that it
// cannot connect to.
func podLists(o *object) []List {
	if o.isScheduled() {
		return dependencyLists(o)
	}
	return placementLists(o)
}

// taintedNodes returns the known nodes that a Pod selects and whose taints it does not tolerate.
// They are the same for all Pods of a workload, except for those that require one node.
func (o *object) taintedNodes() (all []*object) {
	if len(placementLists(o)) == 0 {
		return nil
	}
	key := o.workload() + " " + o.requiredNode()
	if known, ok := o.index.tainted[key]; ok {
		return known
	}
	defer func() { o.index.tainted[key] = all }()
	for _, node := range o.index.objectsIn(o.nodeList()) {
		if podspec.AllowsNode(o.section.Section, node.section.Section) && len(podspec.Untolerated(o.section.Section, node.section.Section)) > 0 {
			all = append(all, node)
		}
	}
	return all
}

// maxTaints is the maximum number of taints that a text names.
const maxTaints = 3

// untoleratedTaints describes the taints of the known nodes, and returns them as evidence. It
// returns "" if no node is known.
func (o *object) untoleratedTaints() (which string, all []Evidence) {
	var names []string
	for _, node := range o.taintedNodes() {
		for _, taint := range podspec.Untolerated(o.section.Section, node.section.Section) {
			name := podspec.Taint(taint)
			if slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
			if len(names) <= maxTaints {
				all = append(all, Evidence{From: OriginSpec, Object: node.ID, Path: "." + strings.TrimSuffix(taint.Path, "."), Value: name})
			}
		}
	}
	slices.Sort(names)
	switch n := len(names); {
	case n == 0:
		return "", nil
	case n == 1:
		return "with taint " + names[0] + ", which it does not tolerate", all
	case n > maxTaints:
		names = append(names[:maxTaints], fmt.Sprintf("%d more", n-maxTaints))
	}
	return "with taints " + strings.Join(names, ", ") + ", which it does not tolerate", all
}

// The prefix of the taints that Kubernetes puts on nodes with a problem.
const nodeTaints = "node.kubernetes.io/"

// brokenNodeRefs returns the nodes that a Pod cannot use because they have a problem themselves.
func (o *object) brokenNodeRefs() (all []objectRef) {
	for _, node := range o.taintedNodes() {
		for _, taint := range podspec.Untolerated(o.section.Section, node.section.Section) {
			if key := taint.Text("key"); strings.HasPrefix(key, nodeTaints) && key != nodeTaints+"unschedulable" && len(all) < maxTaints {
				all = append(all, objectRef{ID: node.ID, Optional: true})
				break
			}
		}
	}
	return all
}

// isVolumeMisplaced reports whether no node fits because of the node affinity of a volume.
func (o *object) isVolumeMisplaced() bool {
	message := o.schedulingMessage()
	return messages.HasAny(message, "PersistentVolume's node affinity", "volume node affinity conflict", "available volume zone")
}

const volumeTerms = "spec.nodeAffinity.required.nodeSelectorTerms"

// volumeRefs returns the volumes behind the bound claims of a Pod, if no node fits because of
// them. It also returns the nodes on which these volumes are.
func (o *object) volumeRefs() (all []objectRef) {
	if !o.isVolumeMisplaced() {
		return nil
	}
	for _, v := range o.boundVolumes() {
		all = append(all, objectRef{Path: "status.conditions[PodScheduled].message", ID: v, Optional: true, isFieldsOnly: true})
		if pv := o.index.find(v); pv != nil {
			for _, name := range pv.hostnames() {
				all = append(all, objectRef{Path: "status.conditions[PodScheduled].message", ID: o.refer(nodeKind, "", name), Optional: true, isFieldsOnly: true})
			}
		}
	}
	return all
}

// boundVolumes returns the volumes of the known claims of a Pod.
func (o *object) boundVolumes() (all []status.ID) {
	for _, ref := range o.podReferences() {
		if ref.ID.Kind.Kind != claim.Kind {
			continue
		}
		if c := o.index.find(ref.ID); c != nil && c.Text("spec.volumeName") != "" {
			all = append(all, o.refer(volume, "", c.Text("spec.volumeName")))
		}
	}
	return all
}

// hostnames returns the few nodes on which a volume exists.
func (o *object) hostnames() (names []string) {
	for term := range o.Each(volumeTerms) {
		for e := range term.Each("matchExpressions") {
			if e.Text("key") == "kubernetes.io/hostname" && e.Text("operator") == "In" {
				names = append(names, e.Texts("values")...)
			}
		}
	}
	return names[:min(len(names), 3)]
}

// addVolumePlaces adds to a finding where the volumes of a Pod are. If all nodes are excluded by
// their volumes, it names the nodes that do not exist any more.
func (o *object) addVolumePlaces(f *finding, excludesAll bool) {
	for _, id := range o.boundVolumes() {
		pv := o.index.find(id)
		if pv == nil || pv.Object == nil || pv.Len(volumeTerms) == 0 {
			continue
		}
		terms := pv.terms(volumeTerms)
		f.text += "; its volume " + pv.ID.Name + " requires " + terms
		f.evidence = append(f.evidence, pv.evidenceAs("spec.nodeAffinity.required", terms))
		for _, name := range pv.hostnames() {
			if node := o.index.find(o.refer(nodeKind, "", name)); excludesAll && node != nil && node.isMissing() {
				f.text += ", and node " + name + " does not exist"
				f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: node.ID, Value: "not found"})
			}
		}
	}
}

// hasUnknownNode reports whether the template of a Pod names its node, and the kubelet has not
// started it. A scheduler would have set a condition.
func (o *object) hasUnknownNode() bool {
	return o.Text("spec.nodeName") != "" && o.Text("status.phase") == "Pending" && !o.Has("status.startTime") && !o.Has("status.conditions[PodScheduled]")
}

// addLimitRangeDefault adds to a finding that a LimitRange has set the request or the limit of a
// container.
func (c container) addLimitRangeDefault(f *finding, resource, bound string) {
	if !podspec.IsLimitRangeDefault(c.pod.section.Section, c.name, resource, bound) {
		return
	}
	f.text += ", the default of a LimitRange"
	f.evidence = append(f.evidence, c.pod.evidence(podspec.LimitRangeNote))
	f.next = append(f.next, commandFor(c.pod.ID, "describe", "limitranges"))
}

// defaultedRequests returns the annotation with the requests that a LimitRange has set, as
// evidence, if one of them is for a resource.
func (o *object) defaultedRequests(resource string) []Evidence {
	for _, list := range podspec.ContainerLists {
		for c := range o.Each(list.Spec) {
			if podspec.IsLimitRangeDefault(o.section.Section, c.Text("name"), resource, "request") {
				return []Evidence{o.evidence(podspec.LimitRangeNote)}
			}
		}
	}
	return nil
}

// terms renders node selector terms, of which a node must match one.
func (o *object) terms(path string) string {
	var terms []string
	for term := range o.Each(path) {
		var wants []string
		for _, list := range [...]string{"matchExpressions", "matchFields"} {
			for e := range term.Each(list) {
				wants = append(wants, strings.TrimSpace(e.Text("key")+" "+e.Text("operator")+" "+strings.Join(e.Texts("values"), ",")))
			}
		}
		terms = append(terms, strings.Join(wants, " and "))
	}
	return strings.Join(terms, ", or ")
}
