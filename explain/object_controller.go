package explain

import (
	"strings"

	"kstatus.dev/explain/internal/controllers"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// controllerOf names the workload that usually works for an API group, or for the
// domain of a finalizer.
func (n *node) controllerOf(domain string) (id ID, ok bool) {
	w, ok := controllers.For(domain)
	return n.refer(status.Kind{Group: "apps", Kind: w.Kind}, w.Namespace, w.Name), ok
}

// controllerGroup is the API group or domain whose controller works on an object.
func (n *node) controllerGroup() string {
	if n.ID.Group == "argoproj.io" && strings.HasPrefix(n.ID.Kind, "App") {
		return "argocd.argoproj.io"
	}
	return n.ID.Group
}

// alive is what is known of the workload that usually works for a domain, as evidence.
func (n *node) alive(domain string) []Evidence {
	id, ok := n.controllerOf(domain)
	if !ok {
		return nil
	}
	to := n.scene.find(id)
	switch {
	case to == nil:
		return nil
	case to.Object == nil && to.Result.Status == status.NotFoundStatus:
		return []Evidence{{From: FromLookup, Object: id, Value: "not found; it may run elsewhere"}}
	case to.Object == nil:
		return nil
	}
	return []Evidence{{From: FromLookup, Object: id, Value: show.Line(string(to.Result.Status) + ": " + to.Message())}}
}

// controllerRefs is the workload that is to look at an object which nobody has
// looked at.
func (n *node) controllerRefs() []Ref {
	switch n.Result.Reason {
	case "NotObserved", "LatestGenerationNotObserved":
		if id, ok := n.controllerOf(n.controllerGroup()); ok {
			return []Ref{{ID: id, Optional: true, stays: true}}
		}
	}
	return nil
}

// finalizerDomain returns whose controller removes a finalizer: the owner of its
// domain, or of the kind of the object, where the domain is of several controllers.
func (n *node) finalizerDomain(finalizer string) string {
	switch finalizer {
	case "finalizers.fluxcd.io", "foregroundDeletion", "orphan":
		return n.ID.Group
	}
	return controllers.Domain(finalizer)
}
