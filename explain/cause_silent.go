package explain

import (
	"strings"

	"kstatus.dev/explain/internal/show"
)

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
