package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
)

// addProblems adds the problems that the objects show.
func (x *selection) addProblems() {
	known := map[schema.GroupKind]bool{}
	for _, k := range x.kinds {
		known[k.GroupKind()], known[schema.GroupKind{Kind: k.Kind}] = true, true
	}
	for _, o := range x.graph.Objects {
		c, selected := x.chosen[o]
		if !selected {
			continue
		}
		if o.GetDeletionTimestamp() != nil {
			x.add("being-deleted", severity.Error, o, "it is being deleted").Fix = "wait for the deletion, or find out what blocks it: kstatus explain"
		}
		x.addAbsentOwners(o, c)
		for _, r := range o.References {
			x.addReference(o, r, known)
		}
		if c.decision == plan.Move {
			x.addDependents(o)
		}
	}
	x.addForeignSecrets()
	x.addRefused()
	x.addUnpaused()
	slices.SortStableFunc(x.problems, func(a, b plan.Problem) int {
		return cmp.Or(int(b.Severity)-int(a.Severity), strings.Compare(a.Check, b.Check), strings.Compare(a.Object, b.Object), strings.Compare(a.Message, b.Message))
	})
}

// add adds a problem of an object. The result is valid until the next one is added.
func (x *selection) add(check string, level severity.Level, o *management.Object, format string, args ...any) *plan.Problem {
	x.problems = append(x.problems, plan.Problem{Check: check, Severity: level, Object: nameOf(o), Message: fmt.Sprintf(format, args...)})
	return &x.problems[len(x.problems)-1]
}

// addAbsentOwners adds the owners that the copy of an object does not have.
func (x *selection) addAbsentOwners(o *management.Object, c choice) {
	for _, r := range o.AbsentOwners {
		x.add("absent-owner", severity.Warning, o, "its owner %s %s does not move, so its copy has no such owner", r.Kind, r.Name)
	}
	for _, owner := range o.Owners {
		if _, moves := x.chosen[owner]; !moves && c.decision == plan.Move {
			x.add("absent-owner", severity.Warning, o, "its owner %s %s stays, so its copy has no such owner", owner.Kind.Kind, owner.GetName())
		}
	}
}

// addReference adds the problem of a reference whose object the target does not get. The kinds are
// known with and without their group.
func (x *selection) addReference(o *management.Object, r management.Reference, known map[schema.GroupKind]bool) {
	switch exists := r.Object != nil; {
	case exists && x.isAbsent(r.Object):
		x.add("references", severity.Warning, o, "%s names %s %s, which belongs to a Cluster that stays", r.Path, r.Kind.Kind, r.Name)
	case exists || !r.Credentials || strings.HasPrefix(r.Path, "spec.template."):
		// The names in a template apply to the namespace of the objects that are made of it.
	case r.Namespace == "" && r.Kind.Kind == management.Secret.Kind:
		x.add("credentials", severity.Warning, o, "%s names Secret %s without its namespace, so it is not copied", r.Path, r.Name).Fix = "create it in the target"
	case r.Kind.Kind == management.Secret.Kind || known[r.GroupKind()]:
		x.add("credentials", severity.Warning, o, "%s names %s %s, which does not exist", r.Path, r.Kind.Kind, r.Name)
	}
}

// isAbsent reports whether the target gets no copy of an object of a Cluster.
func (x *selection) isAbsent(o *management.Object) bool {
	_, selected := x.chosen[o]
	return !selected && x.staying(o) != nil
}

// addForeignSecrets adds the Secrets of other namespaces that would be copied because a namespaced
// object names or owns them. A user who may write that object may lack the permission to read
// the Secret. Cluster-scoped objects, such as identities, are those of administrators.
func (x *selection) addForeignSecrets() {
	users := map[*management.Object]string{} // the first namespaced one
	global := map[*management.Object]bool{}  // a cluster-scoped object names it
	for _, o := range x.graph.Objects {
		if _, selected := x.chosen[o]; !selected {
			continue
		}
		for _, r := range o.References {
			switch {
			case r.Object == nil:
			case !o.Kind.Namespaced:
				global[r.Object] = true
			case users[r.Object] == "":
				users[r.Object] = fmt.Sprintf("%s names it in %s, and ", nameOf(o), r.Path)
			}
		}
	}
	for _, o := range x.graph.Objects {
		_, selected := x.chosen[o]
		if !selected || o.Kind.GroupKind() != management.Secret || x.inScope(o.GetNamespace()) || users[o] == "" && global[o] {
			continue
		}
		p := x.add("foreign-secret", severity.Error, o, "%sits namespace is not moved", users[o])
		// Only the name of each Secret accepts that it is copied.
		p.Accept = fmt.Sprintf("%s=%s/%s", p.Check, o.GetNamespace(), o.GetName())
		p.Fix = "remove the reference, or copy the Secret to the target: --accept " + p.Accept
	}
}

// addDependents adds the objects that stay although a moved object owns them.
func (x *selection) addDependents(o *management.Object) {
	add := func(object, fix string) {
		x.problems = append(x.problems, plan.Problem{
			Check: "dependents", Severity: severity.Error, Object: object, Accept: "dependents", Fix: fix,
			Message: fmt.Sprintf("it does not move, but its owner %s %s does", o.Kind.Kind, o.GetName()),
		})
	}
	const accept = "accept that it stays without this owner: --accept dependents"
	for _, owned := range o.Owned {
		_, moves := x.chosen[owned]
		switch isCluster := owned.Kind.GroupKind() == management.Cluster; {
		case moves:
		case isCluster:
			add(nameOf(owned), "move it too, or "+accept)
		default:
			add(nameOf(owned), fmt.Sprintf("give it the label %s; or %s", management.MoveLabel, accept))
		}
	}
	for _, d := range x.dependents[o.GetUID()] {
		fix := accept
		if d.isCustom() {
			fix = fmt.Sprintf("to move it, run kubectl label crd %s %s=; or %s", d.GroupResource(), management.InstalledLabel, fix)
		}
		add(d.key(), fix)
	}
}

// isCustom reports whether the group of an object is none of Kubernetes.
func (o other) isCustom() bool {
	return strings.Contains(o.Group, ".") && !strings.HasSuffix(o.Group, ".k8s.io")
}

// labeledCheck is the name of the check about objects with a label for moves, and the word that
// accepts its problems.
const labeledCheck = "move-label"

// addRefused adds the objects with a label for moves that cannot be moved.
func (x *selection) addRefused() {
	for _, o := range x.refused {
		why, fix := "a move creates only custom resources, Secrets and ConfigMaps", "remove the label, and create it in the target yourself"
		switch {
		case management.IsInventory(o.Group):
			why, fix = "it describes what is installed in this cluster", "remove the label"
		case o.isCustom() && !o.namespaced:
			why = "it is cluster-scoped, and its definition has no label of Cluster API"
			fix = fmt.Sprintf("to copy it, run kubectl label crd %s %s=", o.GroupResource(), management.InstalledLabel)
		}
		x.problems = append(x.problems, plan.Problem{
			Check: labeledCheck, Severity: severity.Error, Object: o.key(), Accept: labeledCheck,
			Message: fmt.Sprintf("it has the label %s, but %s", o.label, why),
			Fix:     fix + "; or accept that it stays: --accept " + labeledCheck,
		})
	}
}

// addUnpaused adds the kinds whose controllers do not know how Cluster API pauses them.
func (x *selection) addUnpaused() {
	added := map[*management.Kind]bool{}
	for _, o := range x.graph.Objects {
		if k := o.Kind; k.IsForeign() && k.HasStatus && x.chosen[o].decision == plan.Move && !added[k] && !reportsPaused(o) {
			added[k] = true
			x.problems = append(x.problems, plan.Problem{
				Check: "pause", Severity: severity.Warning,
				Message: fmt.Sprintf("%s do not report Paused, so their controllers work on in both clusters during the move", k),
				Fix:     "stop these controllers if that is a risk",
			})
		}
	}
}
