package planner

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
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
	graph    *management.Graph
	chosen   map[*management.Object]choice
	roots    map[*management.Object]bool // of hierarchies other than those of Clusters
	expanded map[*management.Object]bool // all that they own is chosen, unless it belongs to a Cluster
	work     worklist
}

// newSelection returns a selection of nothing.
func (s *source) newSelection() *selection {
	return &selection{
		source: s, graph: management.NewGraph(s.objects), chosen: map[*management.Object]choice{},
		roots: map[*management.Object]bool{}, expanded: map[*management.Object]bool{},
	}
}

// selectObjects decides about all objects.
func (s *source) selectObjects() *selection {
	x := s.newSelection()
	x.addClusters()
	if s.scope.IsWhole() {
		x.addHierarchies()
	}
	x.addNeeded()
	x.keepShared()
	return x
}

// addNeeded adds what chosen objects need, at any distance. It adds the classes of all of them, then
// the owners, then what they name. Then it begins again.
func (x *selection) addNeeded() {
	adds := []func(*management.Object){x.addClass, x.addOwners, x.addReferences}
	for v, more := x.work.next(); more; v, more = x.work.next() {
		adds[v.phase](x.graph.Objects[v.index])
	}
}

// isSelected reports whether a Cluster is one of those to move.
func (x *selection) isSelected(o *management.Object) bool {
	names := x.scope.Clusters
	return o.Kind.GroupKind() == management.Cluster && x.inScope(o.GetNamespace()) &&
		(len(names) == 0 || slices.Contains(names, o.GetName())) && x.selector.Matches(labels.Set(o.GetLabels()))
}

func (x *selection) choose(o *management.Object, d plan.Decision, reason string) {
	if _, done := x.chosen[o]; done {
		return
	}
	x.chosen[o] = choice{d, reason}
	for phase := range 3 { // see addNeeded
		x.work.add(phase, o.Index)
	}
}

// addClusters adds the Clusters and what belongs to them. What belongs only to another Cluster that
// one of them owns stays with that.
func (x *selection) addClusters() {
	for _, o := range x.graph.Objects {
		if x.isSelected(o) {
			x.choose(o, plan.Move, "it is selected")
		}
	}
	for _, o := range x.graph.Objects {
		for _, cluster := range o.Clusters {
			if _, selected := x.chosen[cluster]; selected {
				x.choose(o, plan.Move, "it belongs to Cluster "+cluster.GetName())
				break
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
		label, reason := labelOf(o)
		switch gk := o.Kind.GroupKind(); {
		case gk == management.ClusterClass || gk == resourceSet:
			x.addHierarchy(o, plan.Move, "every "+gk.Kind+" of the namespace is moved")
		case label == management.MoveHierarchyLabel:
			x.addHierarchy(o, plan.Move, reason)
		case label == management.MoveLabel:
			x.choose(o, plan.Move, reason)
			x.roots[o] = true
		}
	}
}

// labelOf returns the label for moves that an object or its definition has, with a reason, and empty
// texts if none has one.
func labelOf(o *management.Object) (label, reason string) {
	own, ofKind := moveLabel(o.GetLabels()), moveLabel(o.Kind.Labels)
	switch {
	case own == "" && ofKind == "":
		return "", ""
	case own == "" || own == management.MoveLabel && ofKind == management.MoveHierarchyLabel:
		return ofKind, "its definition has the label " + ofKind
	case o.Kind.IsForeign():
		return own, "it has the label " + own + ", which clusterctl ignores without the label " + management.InstalledLabel + " of its definition"
	}
	return own, "it has the label " + own
}

// addHierarchy adds an object and what it owns.
func (x *selection) addHierarchy(o *management.Object, d plan.Decision, reason string) {
	if _, done := x.chosen[o]; done {
		return
	}
	x.choose(o, d, reason)
	x.roots[o] = true
	below := fmt.Sprintf("it belongs to %s %s", o.Kind.Kind, o.GetName())
	x.expanded[o] = true
	for todo := []*management.Object{o}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, owned := range at.Owned {
			// What is below an object of a Cluster belongs to the Cluster too.
			if !x.expanded[owned] && len(owned.Clusters) == 0 {
				x.expanded[owned] = true
				x.choose(owned, d, below)
				todo = append(todo, owned)
			}
		}
	}
}

// addClass adds the ClusterClass of a Cluster. A class moves if all its Clusters do.
func (x *selection) addClass(o *management.Object) {
	if o.Class != nil {
		x.addHierarchy(o.Class, plan.Move, "it is the class of Cluster "+o.GetName())
	}
}

// staying returns a Cluster that an object belongs to and that stays, and nil if there is none.
func (x *selection) staying(o *management.Object) *management.Object {
	for _, cluster := range o.Clusters {
		if _, selected := x.chosen[cluster]; !selected {
			return cluster
		}
	}
	return nil
}

// addOwners adds the owners of an object, except for Clusters that stay and what belongs to them:
// its controllers would work on both sides.
func (x *selection) addOwners(o *management.Object) {
	for _, owner := range o.Owners {
		if x.staying(owner) == nil {
			x.addHierarchy(owner, plan.Copy, fmt.Sprintf("it owns %s %s", o.Kind.Kind, o.GetName()))
		}
	}
}

// addReferences adds what an object refers to by name.
func (x *selection) addReferences(o *management.Object) {
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

// wasPaused reports whether an object was paused before a move began. A pause by somebody else
// stays.
func wasPaused(o *management.Object) bool {
	if record := management.ReadPauseRecord(o.GetAnnotations()); record.Move() != "" {
		return record.Paused
	}
	if o.Kind.GroupKind() == management.Cluster && decoded.Bool(o.Object, "spec", "paused") {
		return true
	}
	_, annotated := o.GetAnnotations()[management.PausedAnnotation]
	return annotated
}

// isRoot reports whether a selected object is paused itself.
func (x *selection) isRoot(o *management.Object) bool {
	switch {
	case o.Kind.GroupKind() == management.Cluster:
		return true
	case !o.Kind.Namespaced || o.Kind.MetadataOnly() || !x.roots[o] && len(o.Owners) > 0:
		return false
	}
	if o.Kind.IsForeign() && !reportsPaused(o) {
		return false // its controller does not know the annotation
	}
	return o.Kind.HasStatus && len(o.Clusters) == 0
}

// reportsPaused reports whether an object has the condition Paused.
func reportsPaused(o *management.Object) bool {
	_, exists := condition.Find(condition.Of(o.Object), "Paused")
	return exists
}
