// Package graph sorts objects by their dependencies.
package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/dropin/pkg/object/internal/multierror"
	"kstatus.dev/dropin/pkg/object/internal/ordering"
	"kstatus.dev/dropin/pkg/object/mutation"
	"kstatus.dev/dropin/pkg/object/validation"
)

// An Edge is a dependency: From depends on To.
type Edge struct {
	From object.ObjMetadata
	To   object.ObjMetadata
}

// text returns both objects with an arrow between them.
func (e Edge) text() string {
	return fmt.Sprintf("%s -> %s", mutation.ResourceReferenceFromObjMetadata(e.From), mutation.ResourceReferenceFromObjMetadata(e.To))
}

// SortableEdges sorts edges by From, then by To.
type SortableEdges []Edge

// Len is that of [sort.Interface].
func (a SortableEdges) Len() int { return len(a) }

// Swap is that of [sort.Interface].
func (a SortableEdges) Swap(i, j int) { a[i], a[j] = a[j], a[i] }

// Less is that of [sort.Interface].
func (a SortableEdges) Less(i, j int) bool { return compareEdges(a[i], a[j]) < 0 }

func compareEdges(a, b Edge) int {
	if c := ordering.CompareNames(a.From, b.From); c != 0 {
		return c
	}
	return ordering.CompareNames(a.To, b.To)
}

// An ExternalDependencyError reports a dependency on an object that is not in the set.
type ExternalDependencyError struct{ Edge Edge }

// Error names both objects.
func (ede ExternalDependencyError) Error() string { return "external dependency: " + ede.Edge.text() }

// A DuplicateDependencyError reports a dependency that an annotation has twice.
type DuplicateDependencyError struct{ Edge Edge }

// Error names both objects.
func (dde DuplicateDependencyError) Error() string { return "duplicate dependency: " + dde.Edge.text() }

// A CyclicDependencyError reports objects that depend on each other.
type CyclicDependencyError struct{ Edges []Edge }

// Error lists the dependencies.
func (cde CyclicDependencyError) Error() string {
	var b strings.Builder
	b.WriteString("cyclic dependency:")
	for _, edge := range cde.Edges {
		b.WriteString("\n" + multierror.Prefix + edge.text())
	}
	return b.String()
}

// edges has the neighbours of each vertex.
type edges map[object.ObjMetadata]object.ObjMetadataSet

// A Graph has objects and their dependencies.
type Graph struct {
	out, in edges
}

// New returns a graph without objects.
func New() *Graph { return &Graph{out: edges{}, in: edges{}} }

// AddVertex adds an object.
func (g *Graph) AddVertex(v object.ObjMetadata) {
	if _, ok := g.out[v]; !ok {
		g.out[v], g.in[v] = object.ObjMetadataSet{}, object.ObjMetadataSet{}
	}
}

// AddEdge adds a dependency and both objects.
func (g *Graph) AddEdge(from object.ObjMetadata, to object.ObjMetadata) {
	g.AddVertex(from)
	g.AddVertex(to)
	if !g.out[from].Contains(to) {
		g.out[from] = append(g.out[from], to)
		g.in[to] = append(g.in[to], from)
	}
}

// Size returns the number of objects.
func (g *Graph) Size() int { return len(g.out) }

// Dependencies returns the objects on which an object depends; nil if the graph lacks it.
func (g *Graph) Dependencies(from object.ObjMetadata) object.ObjMetadataSet {
	return slices.Clone(g.out[from])
}

// Dependents returns the objects that depend on an object; nil if the graph lacks it.
func (g *Graph) Dependents(to object.ObjMetadata) object.ObjMetadataSet {
	return slices.Clone(g.in[to])
}

// Sort returns the objects in sets: an object is in a later set than its dependencies. With a
// cycle, it returns the sets before the cycle and an error.
func (g *Graph) Sort() ([]object.ObjMetadataSet, error) {
	missing := make(map[object.ObjMetadata]int, len(g.out))
	ready := object.ObjMetadataSet{}
	for v, to := range g.out {
		missing[v] = len(to)
		if len(to) == 0 {
			ready = append(ready, v)
		}
	}
	sets := []object.ObjMetadataSet{}
	for len(ready) > 0 {
		sets = append(sets, ready)
		next := object.ObjMetadataSet{}
		for _, v := range ready {
			delete(missing, v)
			for _, from := range g.in[v] {
				if missing[from]--; missing[from] == 0 {
					next = append(next, from)
				}
			}
		}
		ready = next
	}
	if len(missing) == 0 {
		return sets, nil
	}
	ids := slices.SortedFunc(maps.Keys(missing), ordering.Compare)
	return sets, validation.NewError(CyclicDependencyError{Edges: g.among(missing)}, ids...)
}

// among returns the edges between these objects, sorted.
func (g *Graph) among(ids map[object.ObjMetadata]int) []Edge {
	list := []Edge{}
	for from := range ids {
		for _, to := range g.out[from] {
			if _, ok := ids[to]; ok {
				list = append(list, Edge{from, to})
			}
		}
	}
	slices.SortFunc(list, compareEdges)
	return list
}
