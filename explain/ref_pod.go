package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// podRefs are the references of a Pod that matter where it stands: the claims
// of one that the scheduler cannot place for them, the ConfigMaps, Secrets and
// claims of one whose containers are to be created, the Secrets for pulling
// images of one that is denied them, and the node of one that is lost.
func podRefs(n *node) []Ref {
	kinds := n.concerned()
	all := slices.DeleteFunc(n.named(), func(r Ref) bool { return !slices.Contains(kinds, r.ID.Kind) })
	if n.pullIsDenied() {
		for ref := range n.Each("spec.imagePullSecrets") {
			id := ID{Cluster: n.ID.Cluster, Kind: "Secret", Namespace: n.ID.Namespace, Name: ref.Text("name")}
			all = append(all, Ref{Path: ref.Path + "name", ID: id, Optional: true})
		}
	}
	return all
}

// concerned returns the kinds of the objects that matter for a Pod.
func (n *node) concerned() (kinds []string) {
	if c := n.Under("status.conditions[PodScheduled]"); !n.scheduled() {
		if messages.HasAny(strings.ToLower(messages.Head(c.Text("message"))), "volume", "pvc", "free storage") {
			kinds = append(kinds, "PersistentVolumeClaim")
		}
		return kinds
	}
	if n.Text("status.phase") == "Pending" && n.Len("status.containerStatuses") == 0 {
		kinds = append(kinds, "ConfigMap", "Secret", "PersistentVolumeClaim")
	}
	for c := range n.containers() {
		switch c.Text("state.waiting.reason") {
		case "ContainerCreating", "CreateContainerConfigError":
			kinds = append(kinds, "ConfigMap", "Secret", "PersistentVolumeClaim")
		case "PodInitializing":
			if n.starting() {
				kinds = append(kinds, "ConfigMap", "Secret", "PersistentVolumeClaim")
			}
		}
	}
	for _, e := range n.told("FailedMount") {
		if strings.Contains(messages.Head(e.Message), "serviceaccount") {
			kinds = append(kinds, "ServiceAccount")
		}
	}
	if n.lost() {
		kinds = append(kinds, "Node")
	}
	return kinds
}

// named returns all that a Pod refers to by name.
func (n *node) named() (all []Ref) {
	for _, r := range podspec.References(n.section.Section, n.ID.Name) {
		id := n.refer(status.Kind{Kind: r.Kind}, n.ID.Namespace, r.Name)
		id.Namespace = reference.Namespace(id.Kind, id.Namespace)
		all = append(all, Ref{Path: r.Path, ID: id, Optional: r.Optional})
	}
	return all
}

// pullIsDenied reports whether an image of a Pod cannot be pulled for want of
// access.
func (n *node) pullIsDenied() bool {
	for c := range n.containers() {
		if reason := c.Text("state.waiting.reason"); reason != "ErrImagePull" && reason != "ImagePullBackOff" && !c.pullFailed() {
			continue
		}
		text := messages.Head(c.Text("state.waiting.message"))
		for _, e := range c.pullEvents() {
			text += "\n" + messages.Head(e.Message)
			break
		}
		if way, _ := pullWayOf(strings.ToLower(withoutImage(text, c.image()))); way.kind == "ImageAccessDenied" {
			return true
		}
	}
	return false
}
