package explain

// A Tree is a thing with all that it has made.
type Tree struct {
	*Thing
	Parts []Tree // in the order of their IDs
}

// Trees returns things with all that they have made, as far as it is among the
// facts, each at one place: under its controller, or else under the first of its
// owners, or else under the one that owners names for it. Of a thing that stands
// below another of those asked for, only that place is returned.
func Trees(f *Facts, owners map[ID]ID, ids ...ID) (all []Tree) {
	w := &wood{scene: newScene(f), above: map[*node]*node{}, below: map[*node][]*node{}, placed: map[*node]bool{}}
	for _, n := range w.scene.all {
		owner := w.scene.above(n)
		if by, known := owners[n.ID]; owner == nil && known {
			owner = w.scene.nodes[by]
		}
		if owner != nil && owner != n {
			w.above[n] = owner
			w.below[owner] = append(w.below[owner], n)
		}
	}
	asked := map[*node]bool{}
	for _, id := range ids {
		asked[w.scene.nodes[id]] = true
	}
	delete(asked, nil)
	for _, last := range []bool{false, true} { // at last those that own each other
		for _, id := range ids {
			if n := w.scene.nodes[id]; n != nil && !w.placed[n] && (last || !w.within(n, asked)) {
				all = append(all, w.grow(n))
			}
		}
	}
	return all
}

// A wood is things and what stands above and below each.
type wood struct {
	scene  *scene
	above  map[*node]*node
	below  map[*node][]*node
	placed map[*node]bool
}

// grow returns a thing with all that stands below it and has no place yet.
func (w *wood) grow(n *node) Tree {
	w.placed[n] = true
	t := Tree{Thing: n.Thing}
	for _, part := range w.below[n] {
		if !w.placed[part] {
			t.Parts = append(t.Parts, w.grow(part))
		}
	}
	return t
}

// within reports whether a thing stands below one of those asked for.
func (w *wood) within(n *node, asked map[*node]bool) bool {
	for range len(w.scene.all) { // owners may own each other
		if n = w.above[n]; n == nil || asked[n] {
			return n != nil
		}
	}
	return false
}

// above returns under which thing another stands in a tree.
func (s *scene) above(n *node) *node {
	if owner := s.owner(n); owner != nil && owner != n {
		return owner
	}
	for ref := range n.Each("metadata.ownerReferences") {
		if owner := s.byUID[ref.Text("uid")]; owner != nil && owner != n {
			return owner
		}
	}
	return nil
}
