package management

import "slices"

// setClusters sets the Clusters of all objects, those of owners first. It visits each object once:
// a graph may have long chains. Objects that own each other have the same Clusters, so they are
// found as a group, by the algorithm of Tarjan.
func (g *Graph) setClusters() {
	s := &search{Graph: g, number: make([]int, len(g.Objects)), first: make([]int, len(g.Objects)), isOpen: make([]bool, len(g.Objects))}
	for _, o := range g.Objects {
		if s.number[o.Index] == 0 {
			s.from(o)
		}
	}
}

// A search goes from objects to their owners. Its slices have an entry for each object.
type search struct {
	*Graph
	found  int    // how many objects were found
	number []int  // the order in which objects were found, from 1
	first  []int  // the lowest number of an open object that can be reached
	isOpen []bool // it was found, and its group is not complete
	open   []*Object
	path   []place
}

// A place is an object on the path of a search, and the number of its owners that were visited.
type place struct {
	*Object
	visited int
}

// from searches the owners of an object, at any distance.
func (s *search) from(o *Object) {
	s.enter(o)
	for len(s.path) > 0 {
		at := &s.path[len(s.path)-1]
		if owners := at.searched(); at.visited < len(owners) {
			owner := owners[at.visited]
			at.visited++
			s.visits++
			switch {
			case s.number[owner.Index] == 0:
				s.enter(owner)
			case s.isOpen[owner.Index]:
				s.first[at.Index] = min(s.first[at.Index], s.number[owner.Index])
			}
			continue
		}
		s.leave(at.Object)
	}
}

// searched returns the owners to search. Those of a Cluster do not count.
func (o *Object) searched() []*Object {
	if o.Kind.GroupKind() == Cluster {
		return nil
	}
	return o.Owners
}

// enter adds an object to the path.
func (s *search) enter(o *Object) {
	s.found++
	s.number[o.Index], s.first[o.Index], s.isOpen[o.Index] = s.found, s.found, true
	s.open, s.path = append(s.open, o), append(s.path, place{Object: o})
}

// leave removes an object from the path, and completes its group if it is the first of it.
func (s *search) leave(o *Object) {
	s.path = s.path[:len(s.path)-1]
	if len(s.path) > 0 {
		before := s.path[len(s.path)-1].Index
		s.first[before] = min(s.first[before], s.first[o.Index])
	}
	if s.first[o.Index] < s.number[o.Index] {
		return
	}
	start := len(s.open) - 1
	for s.open[start] != o {
		start--
	}
	group := s.open[start:]
	clusters := clustersOf(group)
	for _, one := range group {
		one.Clusters, s.isOpen[one.Index] = clusters, false
	}
	s.open = s.open[:start]
}

// clustersOf returns the Clusters of objects that own each other. Those of all other owners are
// known.
func clustersOf(group []*Object) (all []*Object) {
	if group[0].Kind.GroupKind() == Cluster {
		return []*Object{group[0]}
	}
	merged := false
	for _, o := range group {
		for _, owner := range o.Owners {
			switch {
			case len(owner.Clusters) == 0 || slices.Equal(all, owner.Clusters):
			case len(all) == 0:
				all = owner.Clusters
			default:
				if !merged {
					all, merged = slices.Clone(all), true // the owner has the slice too
				}
				all = append(all, owner.Clusters...)
			}
		}
	}
	if !merged {
		return all
	}
	slices.SortFunc(all, func(a, b *Object) int { return a.Index - b.Index })
	return slices.Compact(all)
}
