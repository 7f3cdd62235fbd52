package explain

import (
	"slices"

	"kstatus.dev/status"
)

// A Tree is a thing with all that it has made.
type Tree struct {
	*Thing
	Parts []Tree // in the order of their IDs
}

// Trees returns things with all that they have made, as far as it is among the
// facts: by owner references, and each at one place: under its controller, or else
// the first of its owners. Of a thing that is made by another of those asked for,
// only the place under that one is returned.
func Trees(f *Facts, ids ...ID) (all []Tree) {
	s := newScene(f)
	above := map[*node]*node{}
	below := map[*node][]*node{}
	for _, n := range s.all {
		if owner := s.above(n); owner != nil {
			above[n] = owner
			below[owner] = append(below[owner], n)
		}
	}
	asked := map[*node]bool{}
	for _, id := range ids {
		asked[s.nodes[id]] = true
	}
	delete(asked, nil)
	placed := map[*node]bool{}
	var grow func(n *node) Tree
	grow = func(n *node) Tree {
		placed[n] = true
		t := Tree{Thing: n.Thing}
		for _, part := range below[n] {
			if !placed[part] {
				t.Parts = append(t.Parts, grow(part))
			}
		}
		return t
	}
	within := func(n *node) bool {
		for range len(s.all) { // owners may own each other
			if n = above[n]; n == nil {
				return false
			}
			if asked[n] {
				return true
			}
		}
		return false
	}
	for _, id := range ids {
		if n := s.nodes[id]; n != nil && !placed[n] && !within(n) {
			all = append(all, grow(n))
		}
	}
	for _, id := range ids { // those that own each other
		if n := s.nodes[id]; n != nil && !placed[n] {
			all = append(all, grow(n))
		}
	}
	return all
}

// above returns under which thing another stands in a tree.
func (s *scene) above(n *node) *node {
	if owner := s.owner(n); owner != nil && owner != n {
		return owner
	}
	for ref := range n.each("metadata.ownerReferences") {
		if owner := s.byUID[ref.text("uid")]; owner != nil && owner != n {
			return owner
		}
	}
	return nil
}

// There reports whether a thing and all that it has made are Current, and not
// failing.
func (t Tree) There() bool {
	return t.Result.Status == status.CurrentStatus && t.Result.Failure == status.NoFailure &&
		!slices.ContainsFunc(t.Parts, func(p Tree) bool { return !p.There() })
}

// Count returns how many things the tree has.
func (t Tree) Count() int {
	n := 1
	for _, p := range t.Parts {
		n += p.Count()
	}
	return n
}
