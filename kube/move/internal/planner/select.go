package planner

import (
	"cmp"
	"encoding/json"
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
				if owned.Kind.GroupKind() != clusterapi.Cluster {
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

// addOwners adds the owners of selected objects, except for Clusters that stay.
func (x *selection) addOwners() {
	for _, o := range x.graph.Objects {
		if _, selected := x.chosen[o]; !selected {
			continue
		}
		for _, owner := range o.Owners {
			if owner.Kind.GroupKind() != clusterapi.Cluster {
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
			if r.Object == nil || r.Object.Kind.GroupKind() == clusterapi.Cluster {
				continue
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
	users := map[*clusterapi.Object]*clusterapi.Object{} // an object that stays, by what it needs
	for _, o := range x.graph.Objects {
		if _, selected := x.chosen[o]; selected {
			continue
		}
		for _, r := range o.References {
			users[r.Object] = o
		}
		if o.Class != nil {
			users[o.Class] = o
		}
	}
	for changed := true; changed; {
		changed = false
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
	above := x.graph.Roots(o, clusterapi.Cluster)
	for _, cluster := range above {
		if _, selected := x.chosen[cluster]; !selected {
			return fmt.Sprintf("it also belongs to Cluster %s, which stays", cluster.GetName())
		}
	}
	if len(above) > 0 {
		return ""
	}
	if user != nil {
		return fmt.Sprintf("%s %s, which stays, needs it too", user.Kind.Kind, strings.TrimPrefix(user.GetNamespace()+"/"+user.GetName(), "/"))
	}
	for _, owner := range o.Owners {
		if x.chosen[owner].decision != plan.Move {
			return fmt.Sprintf("%s %s, which stays, owns it", owner.Kind.Kind, owner.GetName())
		}
	}
	if x.partial && o.Kind.GroupKind() == clusterapi.ClusterClass && !x.scope.IsWhole() {
		return "Clusters of other namespaces may need it"
	}
	return ""
}

// wasPaused reports whether an object was paused before a move or a pause began.
func wasPaused(o *clusterapi.Object) bool {
	var before struct {
		Paused *bool `json:"paused"`
	}
	if record := o.GetAnnotations()["kstatus.dev/pause-before"]; record != "" {
		if json.Unmarshal([]byte(record), &before) == nil && before.Paused != nil {
			return *before.Paused
		}
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
		for _, r := range o.References {
			if r.Object == nil && r.Credentials && (r.Kind == clusterapi.Secret.Kind || x.hasKind(r)) {
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

// addDependents adds the objects of other kinds that a moved object owns.
func (x *selection) addDependents(o *clusterapi.Object) {
	for _, d := range x.dependents[o.GetUID()] {
		item := plan.Item{Group: d.group, Kind: d.kind, Namespace: d.namespace, Name: d.name}
		fix := "accept that it stays without this owner: --accept dependents"
		if strings.Contains(d.group, ".") && !strings.HasSuffix(d.group, ".k8s.io") {
			fix = fmt.Sprintf("to move it, run kubectl label crd %s.%s %s=; or %s", d.resource, d.group, clusterapi.InstalledLabel, fix)
		}
		x.problems = append(x.problems, plan.Problem{
			Check: "dependents", Severity: severity.Error, Object: item.Key(), Accept: "dependents",
			Message: fmt.Sprintf("it does not move, but its owner %s %s does", o.Kind.Kind, o.GetName()), Fix: fix,
		})
	}
}
