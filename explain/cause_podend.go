package explain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/duration"
	"kstatus.dev/status"
)

// A podEnd is the reason that a kubelet or a controller gives for the end of a whole Pod,
// with its meaning.
type podTermination struct {
	reasons []string
	kind    string
	text    string
}

// The ends of Pods by status.reason.
var podTerminations = []podTermination{
	{[]string{"Evicted"}, "Evicted", "it was evicted from its node"},
	{[]string{"DeadlineExceeded"}, "DeadlineExceeded", "it has run longer than its activeDeadlineSeconds"},
	{[]string{"Preempting", "Preempted"}, "Preempted", "it was preempted by a Pod of higher priority"},
	{[]string{"NodeShutdown", "Shutdown", "Terminated"}, "NodeShutdown", "its node was shut down"},
	{[]string{"NodeLost", "NodeUnreachable"}, "NodeNotReady", "its node does not report its status"},
	{[]string{"UnexpectedAdmissionError", "NodeAffinity", "NodePorts", "NodeName", "NodeUnschedulable", "TaintToleration", "PodOSNotSupported", "PodOSSelectorNodeLabelDoesNotMatch",
		"TopologyAffinityError", "ResourceAllocation", "InitContainerRestartPolicyForbidden", "AppArmor", "SysctlForbidden", "VolumeAttachmentLimitExceeded"}, "RejectedByNode", "its node rejected it"},
}

// The ends of Pods by the reason of condition DisruptionTarget.
var disruptions = []podTermination{
	{[]string{"PreemptionByScheduler"}, "Preempted", "it is being preempted by a Pod of higher priority"},
	{[]string{"DeletionByTaintManager"}, "Evicted", "it is being evicted because it does not tolerate a taint of its node"},
	{[]string{"EvictionByEvictionAPI"}, "Evicted", "it is being evicted by a request to the eviction API"},
	{[]string{"DeletionByPodGC"}, "NodeNotReady", "it is being deleted because its node does not exist or is out of service"},
	{[]string{"TerminationByKubelet"}, "Evicted", "its kubelet is terminating it"},
}

// termination returns why a whole Pod has ended or is about to end, with the evidence.
func (o *object) termination() (e podTermination, quote Evidence, ok bool) {
	reason := o.Text("status.reason")
	if strings.HasPrefix(reason, "OutOf") {
		return podTermination{kind: "RejectedByNode", text: "its node rejected it for lack of " + strings.TrimPrefix(reason, "OutOf")}, o.evidence("status.reason"), true
	}
	for _, e := range podTerminations {
		if slices.Contains(e.reasons, reason) {
			return e, o.evidence("status.reason"), true
		}
	}
	c := o.Under("status.conditions[DisruptionTarget]")
	for _, e := range disruptions {
		if c.Text("status") == "True" && slices.Contains(e.reasons, c.Text("reason")) {
			return e, c.evidence("reason"), true
		}
	}
	return e, quote, false
}

// isTerminated reports whether a kubelet or a controller has ended a Pod.
func (o *object) isTerminated() bool {
	_, _, ok := o.termination()
	return ok
}

// podEnded finds why a kubelet or a controller has ended a Pod, or is about to.
func podEnded(o *object) []finding {
	if o.Result.Reason == status.ReasonEvicted {
		return o.evictedQuietly()
	}
	e, quote, ok := o.termination()
	if !ok || o.Text("status.phase") == "Succeeded" {
		return nil
	}
	f := finding{kind: e.kind, text: e.text, evidence: []Evidence{quote}, next: []string{commandFor(o.ID, "describe", slash(o.ID))}}
	message := "status.message"
	if !o.Has(message) {
		message = "status.conditions[DisruptionTarget].message"
	}
	if text := messages.Head(o.Text(message)); text != "" {
		f.evidence = append(f.evidence, o.evidence(message))
		if resource, ok := messages.Between(text, "low on resource: ", ". "); ok {
			f.text += ", which was low on " + resource
		} else if condition, ok := messages.Between(text, "had condition: [", "]"); ok {
			f.text += ", which had " + condition
		} else if e.kind == "Evicted" && (strings.Contains(text, "exceeds the") || strings.Contains(text, "exceeded its")) {
			f.text += ": " + strings.ToLower(text[:1]) + strings.TrimRight(text[1:], ". ")
		}
	}
	switch e.kind {
	case "DeadlineExceeded":
		f.evidence = append(f.evidence, o.evidence("spec.activeDeadlineSeconds"))
	case "Preempted":
		f.evidence = append(f.evidence, o.evidence("spec.priorityClassName"))
	default:
		if o.Has("spec.nodeName") {
			f.evidence = append(f.evidence, o.evidence("spec.nodeName"))
			f.next = append(f.next, commandForAll(o.ID, "describe", nodeWord(o.Text("spec.nodeName"))))
		}
	}
	f.evidence = append(f.evidence, firstEvent(o, "Evicted", "Preempted", "TaintManagerEviction")...)
	f.key = f.kind + o.workload() + f.text
	return []finding{f}
}

// evictedQuietly finds why a kubelet ended a Pod whose containers exited with 0.
func (o *object) evictedQuietly() []finding {
	f := finding{
		kind: "Evicted", text: "it was evicted from its node, and its containers exited with 0",
		evidence: []Evidence{o.evidence("status.phase")},
		next:     []string{commandFor(o.ID, "describe", slash(o.ID))},
	}
	if _, reason, ok := strings.Cut(o.Result.Message, ": "); ok {
		f.text += ": " + show.Line(reason)
	}
	if condition := "status.conditions[DisruptionTarget].reason"; o.Has(condition) {
		f.evidence = append(f.evidence, o.evidence(condition))
	}
	f.evidence = append(f.evidence, firstEvent(o, "Evicted")...)
	f.key = f.kind + f.text
	return []finding{f}
}

// isLost reports whether the node of a Pod does not report on the Pod.
func (o *object) isLost() bool {
	if o.Text("status.phase") == "Unknown" || o.Text("status.reason") == "NodeLost" || o.isNotStarted() {
		return true
	}
	if o.Result.Status == status.TerminatingStatus {
		return o.isOverdue()
	}
	return o.Text("status.conditions[Ready].status") != "True" && len(o.eventsWith("NodeNotReady")) > 0
}

// isNotStarted reports whether a Pod was assigned to a node a minute ago and the kubelet
// has not started it.
func (o *object) isNotStarted() bool {
	return o.Text("spec.nodeName") != "" && cmp.Or(o.Text("status.phase"), "Pending") == "Pending" && !o.Has("status.startTime") &&
		o.Len("status.containerStatuses") == 0 && o.index != nil && o.index.age(o.Text("metadata.creationTimestamp")) > time.Minute
}

// nodeLost finds that the node of a Pod does not report on it, any more or yet.
func nodeLost(o *object) []finding {
	name := o.Text("spec.nodeName")
	at := o.index.find(o.refer(nodeKind, "", name))
	isUnknown := o.hasUnknownNode() && at != nil && at.isMissing()
	if !isUnknown && !o.isLost() || o.isTerminated() || o.Text("status.phase") == "Failed" {
		return nil
	}
	f := finding{
		kind: "NodeNotReady", text: "node " + name + " does not report its status", weak: true,
		evidence: []Evidence{o.evidence("spec.nodeName"), o.evidence("status.conditions[Ready].status")},
		next:     []string{commandForAll(o.ID, "describe", nodeWord(name))},
	}
	switch {
	case isUnknown, o.isNotStarted():
		f.text = "the kubelet of node " + name + " has not started it"
		f.evidence[1] = o.evidence("status.startTime")
	case at != nil && at.isDone():
		return nil // the node is ready again
	}
	if at != nil && at.isMissing() {
		f.text = "node " + name + " does not exist"
		f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: at.ID, Value: "not found"})
		f.next = []string{commandForAll(o.ID, "get", "nodes")}
	}
	f.evidence = append(f.evidence, firstEvent(o, "NodeNotReady")...)
	return []finding{f}
}

// resizing finds why a Pod does not have the resources in its spec yet.
func resizing(o *object) (all []finding) {
	for _, t := range [...]string{"PodResizePending", "PodResizeInProgress"} {
		c := o.Under("status.conditions[" + t + "]")
		if c.Text("status") != "True" {
			continue
		}
		f := finding{kind: "ResizePending", text: "its resize to the requested resources has not completed", evidence: []Evidence{c.evidence("reason")}}
		switch c.Text("reason") {
		case "Infeasible":
			f.text = "its resize is infeasible: its node can never provide the requested resources"
		case "Deferred":
			f.text = "its resize is deferred: its node cannot provide the requested resources now"
		case "Error":
			f.text = "its resize to the requested resources fails"
		}
		if c.Has("message") {
			f.evidence = append(f.evidence, c.evidence("message"))
		}
		f.next = []string{commandFor(o.ID, "describe", slash(o.ID))}
		all = append(all, f)
	}
	return all
}

// isOverdue reports whether a Pod should have ended by now. The deletionTimestamp is the
// end of its grace period.
func (o *object) isOverdue() bool {
	return o.index != nil && o.index.age(o.Text("metadata.deletionTimestamp")) > 10*time.Second
}

// pulling finds images that are being pulled for a while, if the Pod has no other
// problem.
func pulling(o *object) (all []finding) {
	for c := range o.containers() {
		if reason := c.Text("state.waiting.reason"); reason != "ContainerCreating" && reason != "PodInitializing" {
			continue
		}
		events := c.events("Pulling", "Pulled", "Failed", "BackOff")
		if len(events) == 0 || events[0].Reason != "Pulling" {
			continue
		}
		f := finding{kind: "ImagePulling", text: "image " + c.image() + " is being pulled", container: c.name, weak: true, evidence: []Evidence{o.eventEvidence(events[0])}}
		f.key = f.text
		if d := o.index.now.Sub(events[0].Last); d >= time.Second && !events[0].Last.IsZero() {
			f.text = "image " + c.image() + " is still being pulled after " + duration.Rough(d)
		}
		all = append(all, f)
	}
	return all
}
