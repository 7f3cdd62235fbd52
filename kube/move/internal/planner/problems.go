package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/plan"
	"kstatus.dev/severity"
)

// addProblems adds the problems that the objects show.
func (x *selection) addProblems() {
	add := func(check string, level severity.Level, o *clusterapi.Object, message string) *plan.Problem {
		x.problems = append(x.problems, plan.Problem{Check: check, Severity: level, Object: nameOf(o), Message: message})
		return &x.problems[len(x.problems)-1]
	}
	for _, o := range x.graph.Objects {
		c, selected := x.chosen[o]
		if !selected {
			continue
		}
		if o.GetDeletionTimestamp() != nil {
			add("being-deleted", severity.Error, o, "it is being deleted").Fix = "wait for the deletion, or find out what blocks it: kstatus explain"
		}
		for _, r := range o.AbsentOwners {
			add("absent-owner", severity.Warning, o, fmt.Sprintf("its owner %s %s does not move, so its copy has no such owner", r.Kind, r.Name))
		}
		for _, owner := range o.Owners {
			if _, moves := x.chosen[owner]; !moves && c.decision == plan.Move {
				add("absent-owner", severity.Warning, o, fmt.Sprintf("its owner %s %s stays, so its copy has no such owner", owner.Kind.Kind, owner.GetName()))
			}
		}
		for _, r := range o.References {
			switch known := r.Object != nil; {
			case known && x.isAbsent(r.Object):
				add("references", severity.Warning, o, fmt.Sprintf("%s names %s %s, which belongs to a Cluster that stays", r.Path, r.Kind, r.Name))
			case known || !r.Credentials || strings.HasPrefix(r.Path, "spec.template."):
				// The names in a template apply to the namespace of the objects that are made of it.
			case r.Namespace == "" && r.Kind == clusterapi.Secret.Kind:
				add("credentials", severity.Warning, o, fmt.Sprintf("%s names Secret %s without its namespace, so it is not copied", r.Path, r.Name)).Fix = "create it in the target"
			case r.Kind == clusterapi.Secret.Kind || x.hasKind(r):
				add("credentials", severity.Warning, o, fmt.Sprintf("%s names %s %s, which does not exist", r.Path, r.Kind, r.Name))
			}
		}
		if c.decision == plan.Move {
			x.addDependents(o)
		}
	}
	slices.SortStableFunc(x.problems, func(a, b plan.Problem) int {
		return cmp.Or(int(b.Severity)-int(a.Severity), strings.Compare(a.Check, b.Check), strings.Compare(a.Object, b.Object), strings.Compare(a.Message, b.Message))
	})
}

// hasKind reports whether the source has the kind that a reference names.
func (x *selection) hasKind(r clusterapi.Reference) bool {
	return slices.ContainsFunc(x.kinds, func(k *clusterapi.Kind) bool {
		return k.Kind == r.Kind && (r.Group == "" || k.Group == r.Group)
	})
}

// isAbsent reports whether the target gets no copy of an object of a Cluster.
func (x *selection) isAbsent(o *clusterapi.Object) bool {
	_, selected := x.chosen[o]
	return !selected && x.staying(o) != nil
}

// addDependents adds the objects that stay although a moved object owns them.
func (x *selection) addDependents(o *clusterapi.Object) {
	add := func(object, fix string) {
		x.problems = append(x.problems, plan.Problem{
			Check: "dependents", Severity: severity.Error, Object: object, Accept: "dependents", Fix: fix,
			Message: fmt.Sprintf("it does not move, but its owner %s %s does", o.Kind.Kind, o.GetName()),
		})
	}
	const accept = "accept that it stays without this owner: --accept dependents"
	for _, owned := range o.Owned {
		_, moves := x.chosen[owned]
		switch isCluster := owned.Kind.GroupKind() == clusterapi.Cluster; {
		case moves:
		case isCluster:
			add(nameOf(owned), "move it too, or "+accept)
		default:
			add(nameOf(owned), fmt.Sprintf("give it the label %s; or %s", clusterapi.MoveLabel, accept))
		}
	}
	for _, d := range x.dependents[o.GetUID()] {
		item := plan.Item{Group: d.group, Kind: d.kind, Namespace: d.namespace, Name: d.name}
		fix := accept
		if strings.Contains(d.group, ".") && !strings.HasSuffix(d.group, ".k8s.io") {
			fix = fmt.Sprintf("to move it, run kubectl label crd %s.%s %s=; or %s", d.resource, d.group, clusterapi.InstalledLabel, fix)
		}
		add(item.Key(), fix)
	}
}
