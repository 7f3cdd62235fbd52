package explain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/status"
)

// A podEnd is a reason that a kubelet or a controller gives for the end of a
// whole Pod, and what it means.
type podEnd struct {
	reasons []string
	kind    string
	say     string
}

// The ends of Pods by status.reason.
var podEnds = []podEnd{
	{[]string{"Evicted"}, "Evicted", "it was evicted from its node"},
	{[]string{"DeadlineExceeded"}, "DeadlineExceeded", "it has run longer than its activeDeadlineSeconds"},
	{[]string{"Preempting", "Preempted"}, "Preempted", "it was ended for a Pod of higher priority"},
	{[]string{"NodeShutdown", "Shutdown", "Terminated"}, "NodeShutdown", "its node was shut down"},
	{[]string{"NodeLost", "NodeUnreachable"}, "NodeNotReady", "its node does not report on it"},
	{[]string{"UnexpectedAdmissionError", "NodeAffinity", "NodePorts", "NodeName", "NodeUnschedulable", "TaintToleration", "PodOSNotSupported", "PodOSSelectorNodeLabelDoesNotMatch",
		"TopologyAffinityError", "ResourceAllocation", "InitContainerRestartPolicyForbidden", "AppArmor", "SysctlForbidden", "VolumeAttachmentLimitExceeded"}, "RejectedByNode", "its node refused it"},
}

// The ends of Pods by the reason of condition DisruptionTarget.
var disruptions = []podEnd{
	{[]string{"PreemptionByScheduler"}, "Preempted", "it is ended for a Pod of higher priority"},
	{[]string{"DeletionByTaintManager"}, "Evicted", "it is ended since it does not tolerate a taint of its node"},
	{[]string{"EvictionByEvictionAPI"}, "Evicted", "it is evicted, as somebody has asked for"},
	{[]string{"DeletionByPodGC"}, "NodeNotReady", "it is removed since its node is gone or lost"},
	{[]string{"TerminationByKubelet"}, "Evicted", "it is ended by its kubelet"},
}

// end returns what has ended a whole Pod, or is about to; not ok if nothing has.
func (n *node) end() (e podEnd, said Evidence, ok bool) {
	reason := n.Text("status.reason")
	if strings.HasPrefix(reason, "OutOf") {
		return podEnd{kind: "RejectedByNode", say: "its node refused it for want of " + strings.TrimPrefix(reason, "OutOf")}, n.evidence("status.reason"), true
	}
	for _, e := range podEnds {
		if slices.Contains(e.reasons, reason) {
			return e, n.evidence("status.reason"), true
		}
	}
	c := n.Under("status.conditions[DisruptionTarget]")
	for _, e := range disruptions {
		if c.Text("status") == "True" && slices.Contains(e.reasons, c.Text("reason")) {
			return e, c.evidence("reason"), true
		}
	}
	return e, said, false
}

// endedByOthers reports whether a Pod has not ended by itself.
func (n *node) endedByOthers() bool {
	_, _, ok := n.end()
	return ok
}

// podEnded tells who has ended a Pod, or is about to, and why.
func podEnded(n *node) []found {
	e, said, ok := n.end()
	if !ok || n.Text("status.phase") == "Succeeded" {
		return nil
	}
	f := found{kind: e.kind, text: e.say, evidence: []Evidence{said}, next: []string{n.ID.kubectl("describe", n.ID.slash())}}
	message := "status.message"
	if !n.Has(message) {
		message = "status.conditions[DisruptionTarget].message"
	}
	if text := messages.Head(n.Text(message)); text != "" {
		f.evidence = append(f.evidence, n.evidence(message))
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
		f.evidence = append(f.evidence, n.evidence("spec.activeDeadlineSeconds"))
	case "Preempted":
		f.evidence = append(f.evidence, n.evidence("spec.priorityClassName"))
	default:
		if n.Has("spec.nodeName") {
			f.evidence = append(f.evidence, n.evidence("spec.nodeName"))
			f.next = append(f.next, ID{Cluster: n.ID.Cluster}.kubectl("describe", "node/"+n.Text("spec.nodeName")))
		}
	}
	f.evidence = append(f.evidence, firstEvent(n, "Evicted", "Preempted", "TaintManagerEviction")...)
	f.key = f.kind + n.workload() + f.text
	return []found{f}
}

// lost reports whether the node of a Pod does not report on it, as far as the Pod
// tells.
func (n *node) lost() bool {
	if n.Text("status.phase") == "Unknown" || n.Text("status.reason") == "NodeLost" || n.untaken() {
		return true
	}
	if n.Result.Status == status.TerminatingStatus {
		return n.overdue()
	}
	return n.Text("status.conditions[Ready].status") != "True" && len(n.told("NodeNotReady")) > 0
}

// untaken reports whether a Pod has had a node for a minute whose kubelet has not
// begun with it.
func (n *node) untaken() bool {
	return n.Text("spec.nodeName") != "" && cmp.Or(n.Text("status.phase"), "Pending") == "Pending" && !n.Has("status.startTime") &&
		n.Len("status.containerStatuses") == 0 && n.scene != nil && n.scene.age(n.Text("metadata.creationTimestamp")) > time.Minute
}

// nodeLost tells of a Pod whose node does not report on it, any more or yet.
func nodeLost(n *node) []found {
	if !n.lost() || n.endedByOthers() || n.Text("status.phase") == "Failed" {
		return nil
	}
	name := n.Text("spec.nodeName")
	at := n.scene.find(ID{Cluster: n.ID.Cluster, Kind: "Node", Name: name})
	f := found{
		kind: "NodeNotReady", text: "node " + name + " does not report on it", echo: true,
		evidence: []Evidence{n.evidence("spec.nodeName"), n.evidence("status.conditions[Ready].status")},
		next:     []string{ID{Cluster: n.ID.Cluster}.kubectl("describe", "node/"+name)},
	}
	switch {
	case n.untaken():
		f.text = "the kubelet of node " + name + " has not begun with it"
		f.evidence[1] = n.evidence("status.startTime")
	case at != nil && at.done():
		return nil // it has come back
	}
	if at != nil && at.absent() {
		f.text = "node " + name + " does not exist"
		f.evidence = append(f.evidence, Evidence{From: FromLookup, Object: at.ID, Value: "not found"})
		f.next = []string{ID{Cluster: n.ID.Cluster}.kubectl("get", "nodes")}
	}
	f.evidence = append(f.evidence, firstEvent(n, "NodeNotReady")...)
	return []found{f}
}

// resizing tells why the resources of a Pod are not yet those that it asks for.
func resizing(n *node) (all []found) {
	for _, t := range [...]string{"PodResizePending", "PodResizeInProgress"} {
		c := n.Under("status.conditions[" + t + "]")
		if c.Text("status") != "True" {
			continue
		}
		f := found{kind: "ResizePending", text: "its resources are not yet those that it asks for", evidence: []Evidence{c.evidence("reason")}}
		switch c.Text("reason") {
		case "Infeasible":
			f.text = "its node can never give it the resources that it asks for"
		case "Deferred":
			f.text = "its node cannot give it the resources that it asks for at present"
		case "Error":
			f.text = "its resources cannot be changed"
		}
		if c.Has("message") {
			f.evidence = append(f.evidence, c.evidence("message"))
		}
		f.next = []string{n.ID.kubectl("describe", n.ID.slash())}
		all = append(all, f)
	}
	return all
}

// overdue reports whether a Pod should have ended by now: the time of its
// deletion is when its grace period ends.
func (n *node) overdue() bool {
	return n.scene != nil && n.scene.age(n.Text("metadata.deletionTimestamp")) > 10*time.Second
}

// pulling tells of images that are being pulled for a while, where nothing else
// is wrong.
func pulling(n *node) (all []found) {
	for c := range n.containers() {
		if reason := c.Text("state.waiting.reason"); reason != "ContainerCreating" && reason != "PodInitializing" {
			continue
		}
		told := c.events("Pulling", "Pulled", "Failed", "BackOff")
		if len(told) == 0 || told[0].Reason != "Pulling" {
			continue
		}
		f := found{kind: "ImagePulling", text: "image " + c.image() + " is being pulled", container: c.name, echo: true, evidence: []Evidence{n.event(told[0])}}
		f.key = f.text
		if d := n.scene.now.Sub(told[0].Last); d >= time.Second && !told[0].Last.IsZero() {
			f.text = "image " + c.image() + " is still being pulled after " + lasting(d)
		}
		all = append(all, f)
	}
	return all
}
