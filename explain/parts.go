package explain

import (
	"slices"

	"kstatus.dev/status"
)

// What the controllers of a kind make, as far as it tells why the object is not
// there. They are found by their owner references.
var partsOf = map[status.Kind][]status.Kind{
	deployment:  {replicaSet},
	replicaSet:  {pod},
	statefulSet: {pod, claim, {Group: "apps", Kind: "ControllerRevision"}},
	daemonSet:   {pod, {Group: "apps", Kind: "ControllerRevision"}},
	controller:  {pod},
	job:         {pod},
	cronJob:     {job},
}

// PartsOf returns the kinds of which objects may be parts of an object of a kind:
// made and controlled by it. What is not known is not among them.
func PartsOf(kind status.Kind) []status.Kind { return slices.Clone(partsOf[kind]) }

// beneath returns the objects by which an object stands or falls: its parts, and
// those that it selects.
func (n *node) beneath() []*node {
	switch {
	case n.ending():
		return append(n.counting(), n.held()...)
	case n.ID.GroupKind() == service:
		return append(n.counting(), n.selected()...)
	}
	return n.counting()
}

// counting returns the parts by which an object stands or falls: of a Deployment
// the newest ReplicaSet, of others those that are not there and not on their way
// out, and of one that is being deleted those that are to go before it.
func (n *node) counting() []*node {
	if n.ending() {
		return n.parts
	}
	parts := slices.DeleteFunc(slices.Clone(n.parts), func(p *node) bool {
		return p.Result.Status == status.TerminatingStatus
	})
	if n.ID.GroupKind() == deployment {
		newest := n.text("metadata.annotations[deployment.kubernetes.io/revision]")
		parts = slices.DeleteFunc(parts, func(p *node) bool {
			return p.text("metadata.annotations[deployment.kubernetes.io/revision]") != newest
		})
	}
	return parts
}
