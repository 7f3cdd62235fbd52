package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// podRefs returns the references that matter in the state of a Pod. An unscheduled Pod
// needs its claims, and a starting one its ConfigMaps, Secrets and claims. A denied pull
// needs its Secrets, and a lost Pod its node.
func podRefs(o *object) []objectRef {
	kinds := o.relevantKinds()
	all := slices.DeleteFunc(slices.Clone(o.podReferences()), func(r objectRef) bool { return !slices.Contains(kinds, r.ID.Kind.Kind) })
	all = slices.Concat(all, o.volumeRefs(), o.deviceRefs(), o.brokenNodeRefs(), o.attachedPods(), o.dependencyRefs())
	if o.pullIsDenied() {
		for ref := range o.Each("spec.imagePullSecrets") {
			id := o.refer(secret, o.ID.Namespace, ref.Text("name"))
			all = append(all, objectRef{Path: ref.Path + "name", ID: id, Optional: true})
		}
	}
	return all
}

// relevantKinds returns the kinds of the references that matter in the state of a
// Pod.
func (o *object) relevantKinds() (kinds []string) {
	if c := o.Under("status.conditions[PodScheduled]"); !o.isScheduled() {
		if messages.HasAny(strings.ToLower(messages.Head(c.Text("message"))), "volume", "pvc", "free storage") {
			kinds = append(kinds, "PersistentVolumeClaim")
		}
		return kinds
	}
	isStarting, mounts := o.isStarting(), o.Text("status.phase") == "Pending" && o.Len("status.containerStatuses") == 0
	for c := range o.containers() {
		switch c.Text("state.waiting.reason") {
		case "ContainerCreating", "CreateContainerConfigError":
			mounts = true
		case "PodInitializing":
			mounts = mounts || isStarting
		}
	}
	if mounts {
		kinds = append(kinds, "ConfigMap", "Secret", "PersistentVolumeClaim")
	}
	for _, e := range o.eventsWith("FailedMount") {
		if strings.Contains(messages.Head(e.Message), "serviceaccount") {
			kinds = append(kinds, "ServiceAccount")
		}
	}
	if o.isLost() || o.hasUnknownNode() {
		kinds = append(kinds, "Node")
	}
	return kinds
}

// podReferences returns all objects that a Pod refers to by name.
func (o *object) podReferences() []objectRef {
	if o.podRefPaths != nil {
		return o.podRefs
	}
	o.podRefPaths = map[status.ID]string{}
	for _, r := range podspec.References(o.section.Section, o.ID.Name) {
		id := o.refer(status.Kind{Kind: r.Kind}, o.ID.Namespace, r.Name)
		id.Namespace = reference.Namespace(id.Kind.Kind, id.Namespace)
		o.podRefs = append(o.podRefs, objectRef{Path: r.Path, ID: id, Optional: r.Optional})
		if o.podRefPaths[id] == "" {
			o.podRefPaths[id] = r.Path
		}
	}
	return o.podRefs
}

// referencePath returns the first path at which a Pod refers to an object, as evidence.
func (o *object) referencePath(id status.ID) (all []Evidence) {
	o.podReferences()
	if path := o.podRefPaths[id]; path != "" {
		all = append(all, o.evidence(path))
	}
	return all
}

// pullIsDenied reports whether the access to an image of a Pod is denied.
func (o *object) pullIsDenied() bool {
	for c := range o.containers() {
		if reason := c.Text("state.waiting.reason"); reason != "ErrImagePull" && reason != "ImagePullBackOff" && !c.pullFailed() {
			continue
		}
		text, _ := c.pullMessage()
		if way, _ := pullPatternOf(text); way.kind == "ImageAccessDenied" {
			return true
		}
	}
	return false
}
