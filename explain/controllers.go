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
	return []Evidence{{From: FromLookup, Object: id, Value: show.Line(string(to.Result.Status) + ": " + to.Result.Message)}}
}

// silent tells of an object that its controller has not looked at, and of what
// is known of that controller.
func silent(n *node) []found {
	switch n.Result.Reason {
	case "NotObserved", "LatestGenerationNotObserved":
	default:
		return nil
	}
	switch group := n.ID.Group; {
	case n.Object == nil:
		return nil
	case group == "apps", group == "batch", group == "autoscaling", group == "policy":
	case builtinGroup(group), !strings.Contains(group, "."):
		return nil
	}
	f := found{kind: "ControllerSilent", text: "no controller of " + n.ID.GroupKind().String() + " has looked at it", echo: true}
	if n.Result.Reason != "NotObserved" {
		f.text = "no controller of " + n.ID.GroupKind().String() + " has looked at its latest change"
		f.evidence = append(f.evidence, n.evidence("metadata.generation"), n.evidence("status.observedGeneration"))
	} else if len(n.Under("status").Map) == 0 {
		f.evidence = append(f.evidence, n.evidence("status"))
	} else {
		f.evidence = append(f.evidence, n.evidence("status.conditions"))
	}
	if id, ok := n.controllerOf(n.controllerGroup()); ok {
		f.next = []string{id.kubectl("get", id.typed()+"/"+id.Name)}
	}
	f.evidence = append(f.evidence, n.alive(n.controllerGroup())...)
	f.evidence = append(f.evidence, n.writers()...)
	return []found{f}
}

// writers tells who has written to an object besides its users, newest last, at
// most three.
func (n *node) writers() (all []Evidence) {
	for w := range n.Each("metadata.managedFields") {
		if name := w.Text("manager"); name != "" && len(all) < 3 {
			all = append(all, Evidence{From: FromStatus, Object: n.ID, Path: "." + w.Path + "manager", Value: show.Line(strings.TrimSpace(name + " " + w.Text("time")))})
		}
	}
	return all
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
