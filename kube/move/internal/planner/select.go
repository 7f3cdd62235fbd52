package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/plan"
	"kstatus.dev/severity"
)

// resourceSet applies Secrets and ConfigMaps to Clusters.
var resourceSet = schema.GroupKind{Group: "addons.cluster.x-k8s.io", Kind: "ClusterResourceSet"}

// A choice is the decision about an object and the reason.
type choice struct {
	decision plan.Decision
	reason   string
}

// A selection decides about the objects of a graph.
type selection struct {
	*source
	graph  *clusterapi.Graph
	chosen map[*clusterapi.Object]choice
	roots  map[*clusterapi.Object]bool // of hierarchies other than those of Clusters
}

// selectObjects decides about all objects.
func (s *source) selectObjects() *selection {
	x := &selection{s, clusterapi.NewGraph(s.objects), map[*clusterapi.Object]choice{}, map[*clusterapi.Object]bool{}}
	x.addClusters()
	if s.scope.IsWhole() {
		x.addHierarchies()
	}
	for before := -1; before != len(x.chosen); {
		before = len(x.chosen)
		x.addClasses()
		x.addOwners()
		x.addReferences()
	}
	x.keepShared()
	return x
}

// isSelected reports whether a Cluster is one of those to move.
func (x *selection) isSelected(o *clusterapi.Object) bool {
	names := x.scope.Clusters
	return o.Kind.GroupKind() == clusterapi.Cluster && x.inScope(o.GetNamespace()) &&
		(len(names) == 0 || slices.Contains(names, o.GetName())) && x.selector.Matches(labels.Set(o.GetLabels()))
}

func (x *selection) choose(o *clusterapi.Object, d plan.Decision, reason string) {
	if _, done := x.chosen[o]; !done {
		x.chosen[o] = choice{d, reason}
	}
}

// addClusters adds the Clusters and what belongs to them.
func (x *selection) addClusters() {
	for _, o := range x.graph.Objects {
		if x.isSelected(o) {
			x.choose(o, plan.Move, "it is selected")
			for _, owned := range x.graph.Descendants(o) {
				// What belongs only to another Cluster that this one owns stays with that.
				if slices.Contains(x.graph.Roots(owned, clusterapi.Cluster), o) {
					x.choose(owned, plan.Move, "it belongs to Cluster "+o.GetName())
				}
			}
		}
	}
}

// addHierarchies adds the other objects that move with their namespace.
func (x *selection) addHierarchies() {
	for _, o := range x.graph.Objects {
		if !x.inScope(o.GetNamespace()) && o.Kind.Namespaced {
			continue
		}
		switch gk := o.Kind.GroupKind(); {
		case gk == clusterapi.ClusterClass || gk == resourceSet:
			x.addHierarchy(o, plan.Move, "every "+gk.Kind+" of the namespace is moved")
		case hasLabel(o, clusterapi.MoveHierarchyLabel):
			x.addHierarchy(o, plan.Move, "it has the label "+clusterapi.MoveHierarchyLabel)
		case hasLabel(o, clusterapi.MoveLabel):
			x.choose(o, plan.Move, "it has the label "+clusterapi.MoveLabel)
			x.roots[o] = true
		}
	}
}

// hasLabel reports whether an object or its definition has a label.
func hasLabel(o *clusterapi.Object, name string) bool {
	_, object := o.GetLabels()[name]
	_, definition := o.Kind.Labels[name]
	return object || definition
}

// addHierarchy adds an object and what it owns.
func (x *selection) addHierarchy(o *clusterapi.Object, d plan.Decision, reason string) {
	if _, done := x.chosen[o]; done {
		return
	}
	x.choose(o, d, reason)
	x.roots[o] = true
	for _, owned := range x.graph.Descendants(o) {
		if len(x.graph.Roots(owned, clusterapi.Cluster)) == 0 {
			x.choose(owned, d, fmt.Sprintf("it belongs to %s %s", o.Kind.Kind, o.GetName()))
		}
	}
}

// addClasses adds the ClusterClasses of the Clusters. A class moves if all its Clusters do.
func (x *selection) addClasses() {
	for _, o := range x.graph.Objects {
		if _, selected := x.chosen[o]; selected && o.Class != nil {
			x.addHierarchy(o.Class, plan.Move, "it is the class of Cluster "+o.GetName())
		}
	}
}

// staying returns a Cluster that an object belongs to and that stays, and nil if there is none.
func (x *selection) staying(o *clusterapi.Object) *clusterapi.Object {
	for _, cluster := range x.graph.Roots(o, clusterapi.Cluster) {
		if _, selected := x.chosen[cluster]; !selected {
			return cluster
		}
	}
	return nil
}

// addOwners adds the owners of selected objects, except for Clusters that stay and what belongs to
// them: its controllers would work on both sides.
func (x *selection) addOwners() {
	for _, o := range x.graph.Objects {
		if _, selected := x.chosen[o]; !selected {
			continue
		}
		for _, owner := range o.Owners {
			if x.staying(owner) == nil {
				x.addHierarchy(owner, plan.Copy, fmt.Sprintf("it owns %s %s", o.Kind.Kind, o.GetName()))
			}
		}
	}
}

// addReferences adds what selected objects refer to by name.
func (x *selection) addReferences() {
	for _, o := range x.graph.Objects {
		if _, selected := x.chosen[o]; !selected {
			continue
		}
		for _, r := range o.References {
			if r.Object == nil || x.staying(r.Object) != nil && !r.Object.Kind.MetadataOnly() {
				continue // it belongs to a Cluster that stays
			}
			reason := fmt.Sprintf("%s %s names it in %s", o.Kind.Kind, o.GetName(), r.Path)
			if r.Object.Kind.MetadataOnly() {
				x.choose(r.Object, plan.Copy, reason+", and nothing shows that only moved objects use it")
			} else {
				x.addHierarchy(r.Object, plan.Move, reason)
			}
		}
	}
}

// keepShared turns into copies what objects need that stay in the source.
func (x *selection) keepShared() {
	for changed := true; changed; {
		changed = false
		users := x.users()
		for _, o := range x.graph.Objects {
			if c := x.chosen[o]; c.decision == plan.Move {
				if reason := x.whyKept(o, users[o]); reason != "" {
					x.chosen[o] = choice{plan.Copy, reason}
					changed = true
				}
			}
		}
	}
}

// users returns an object that stays in the source, also as an original of a copy, by what it
// names.
func (x *selection) users() map[*clusterapi.Object]*clusterapi.Object {
	users := map[*clusterapi.Object]*clusterapi.Object{}
	for _, o := range x.graph.Objects {
		if x.chosen[o].decision == plan.Move {
			continue
		}
		for _, r := range o.References {
			users[r.Object] = o
		}
		if o.Class != nil {
			users[o.Class] = o
		}
	}
	return users
}

// whyKept returns why an object must stay in the source too, or an empty text.
func (x *selection) whyKept(o, user *clusterapi.Object) string {
	if !o.Kind.Namespaced {
		return "it is cluster-scoped: it is created if it does not exist, and never changed or deleted"
	}
	if !x.inScope(o.GetNamespace()) {
		return "it is in another namespace"
	}
	if o.Kind.GroupKind() == clusterapi.Cluster {
		return ""
	}
	if cluster := x.staying(o); cluster != nil {
		return fmt.Sprintf("it also belongs to Cluster %s, which stays", cluster.GetName())
	}
	above := x.graph.Roots(o, clusterapi.Cluster)
	if user != nil && (len(above) == 0 || o.Kind.MetadataOnly()) {
		return fmt.Sprintf("%s %s, which stays, needs it too", user.Kind.Kind, strings.TrimPrefix(user.GetNamespace()+"/"+user.GetName(), "/"))
	}
	if len(above) > 0 {
		return ""
	}
	for _, owner := range o.Owners {
		if x.chosen[owner].decision != plan.Move {
			return fmt.Sprintf("%s %s, which stays, owns it", owner.Kind.Kind, owner.GetName())
		}
	}
	if x.partial && o.Kind.GroupKind() == clusterapi.ClusterClass {
		return "Clusters of other namespaces may need it"
	}
	return ""
}

// wasPaused reports whether an object was paused before a move began. A pause by somebody else
// stays.
func wasPaused(o *clusterapi.Object) bool {
	if record := clusterapi.ReadPauseRecord(o.GetAnnotations()); record.Move() != "" {
		return record.Paused
	}
	if o.Kind.GroupKind() == clusterapi.Cluster {
		paused, _, _ := unstructured.NestedBool(o.Object, "spec", "paused")
		if paused {
			return true
		}
	}
	_, annotated := o.GetAnnotations()[clusterapi.PausedAnnotation]
	return annotated
}

// isRoot reports whether a selected object is paused itself.
func (x *selection) isRoot(o *clusterapi.Object) bool {
	switch {
	case o.Kind.GroupKind() == clusterapi.Cluster:
		return true
	case !o.Kind.Namespaced || o.Kind.MetadataOnly() || !x.roots[o] && len(o.Owners) > 0:
		return false
	}
	return o.Kind.HasStatus && len(x.graph.Roots(o, clusterapi.Cluster)) == 0
}

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
