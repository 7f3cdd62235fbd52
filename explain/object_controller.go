package explain

import (
	"strings"

	"kstatus.dev/explain/internal/controllers"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// controllerOf returns the workload that usually runs the controller of an API group or
// of a finalizer's domain.
func (o *object) controllerOf(domain string) (id status.ID, ok bool) {
	w, ok := controllers.For(domain)
	return o.refer(status.Kind{Group: "apps", Kind: w.Kind}, w.Namespace, w.Name), ok
}

// controllerGroup returns the API group or domain of the controller of an object.
func (o *object) controllerGroup() string {
	if o.ID.Group == "argoproj.io" && strings.HasPrefix(o.ID.Kind.Kind, "App") {
		return "argocd.argoproj.io"
	}
	return o.ID.Group
}

// controllerEvidence returns the state of the controller's workload as evidence, if it is
// known.
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

// controllerRefs returns the workload of the controller of an object that no controller
// has observed.
func (o *object) controllerRefs() []objectRef {
	switch o.Result.Reason {
	case status.ReasonNotObserved, status.ReasonLatestGenerationNotObserved:
		if id, ok := o.controllerOf(o.controllerGroup()); ok {
			return []objectRef{{ID: id, Optional: true, blocksDeletion: true}}
		}
	}
	return nil
}

// finalizerDomain returns the domain of the controller that removes a finalizer. If
// several controllers use the domain, it is the API group of the object.
func (o *object) finalizerDomain(finalizer string) string {
	switch finalizer {
	case "finalizers.fluxcd.io", "foregroundDeletion", "orphan":
		return o.ID.Group
	}
	return controllers.Domain(finalizer)
}
