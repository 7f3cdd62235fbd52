package explain

import (
	"strings"

	"kstatus.dev/explain/internal/controllers"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// controllerOf names the workload that usually works for an API group, or for the
// domain of a finalizer.
func (o *object) controllerOf(domain string) (id ID, ok bool) {
	w, ok := controllers.For(domain)
	return o.refer(status.Kind{Group: "apps", Kind: w.Kind}, w.Namespace, w.Name), ok
}

// controllerGroup is the API group or domain whose controller works on an object.
func (o *object) controllerGroup() string {
	if o.ID.Group == "argoproj.io" && strings.HasPrefix(o.ID.Kind, "App") {
		return "argocd.argoproj.io"
	}
	return o.ID.Group
}

// controllerEvidence returns what is known of the workload that usually works for a
// domain, as evidence.
func (o *object) controllerEvidence(domain string) []Evidence {
	id, ok := o.controllerOf(domain)
	if !ok {
		return nil
	}
	to := o.index.find(id)
	switch {
	case to == nil:
		return nil
	case to.Object == nil && to.Result.Status == status.NotFoundStatus:
		return []Evidence{{From: OriginLookup, Object: id, Value: "not found; it may run elsewhere"}}
	case to.Object == nil:
		return nil
	}
	return []Evidence{{From: OriginLookup, Object: id, Value: show.Line(string(to.Result.Status) + ": " + to.Message())}}
}

// controllerRefs is the workload that is to look at an object which nobody has
// looked at.
func (o *object) controllerRefs() []objectRef {
	switch o.Result.Reason {
	case "NotObserved", "LatestGenerationNotObserved":
		if id, ok := o.controllerOf(o.controllerGroup()); ok {
			return []objectRef{{ID: id, Optional: true, blocksDeletion: true}}
		}
	}
	return nil
}

// finalizerDomain returns whose controller removes a finalizer: the owner of its
// domain, or of the kind of the object, where the domain is of several controllers.
func (o *object) finalizerDomain(finalizer string) string {
	switch finalizer {
	case "finalizers.fluxcd.io", "foregroundDeletion", "orphan":
		return o.ID.Group
	}
	return controllers.Domain(finalizer)
}
