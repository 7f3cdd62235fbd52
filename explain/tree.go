package explain

import "kstatus.dev/status"

// A Tree is an object with all objects that it has made.
type Tree struct {
	*ObjectFact
	Parts []Tree // sorted by ID
}

// Trees returns objects with their known parts. Each part is in one place: under its
// controller, or else under its first owner, or else under the owner in its owner
// references. A requested object below another one is returned only there.
func (f *Facts) Trees(owners map[status.ID]status.ID, ids ...status.ID) (all []Tree) {
	g := &ownerGraph{index: newIndex(f), owners: map[*object]*object{}, parts: map[*object][]*object{}, placed: map[*object]bool{}, below: map[*object]bool{}}
	for _, o := range g.index.all {
		owner := g.index.treeOwner(o)
		if by, known := owners[o.ID]; owner == nil && known {
			owner = g.index.objects[by]
		}
		if owner != nil && owner != o {
			g.owners[o] = owner
			g.parts[owner] = append(g.parts[owner], o)
		}
	}
	requested := map[*object]bool{}
	for _, id := range ids {
		requested[g.index.objects[id]] = true
	}
	delete(requested, nil)
	for _, last := range []bool{false, true} { // at last, those that own each other
		for _, id := range ids {
			if o := g.index.objects[id]; o != nil && !g.placed[o] && (last || !g.isBelowRequested(o, requested)) {
				all = append(all, g.grow(o))
			}
		}
	}
	return all
}

// An ownerGraph holds objects with their owners and parts.
type ownerGraph struct {
	index  *index
	owners map[*object]*object
	parts  map[*object][]*object
	placed map[*object]bool
	below  map[*object]bool // an owner is requested, or is below a requested object
}

// grow returns an object with all its parts that have no place yet.
func (g *ownerGraph) grow(o *object) Tree {
	g.placed[o] = true
	t := Tree{ObjectFact: o.ObjectFact}
	for _, part := range g.parts[o] {
		if !g.placed[part] {
			t.Parts = append(t.Parts, g.grow(part))
		}
	}
	return t
}

// isBelowRequested reports whether an object is below a requested object.
func (g *ownerGraph) isBelowRequested(o *object, requested map[*object]bool) bool {
	below, path := false, []*object{}
	for seen := false; !below && !seen && g.owners[o] != nil; {
		o = g.owners[o]
		if below, seen = g.below[o]; !seen { // owners may own each other; false stops the recursion
			below = requested[o]
			g.below[o], path = below, append(path, o)
		}
	}
	for _, p := range path {
		g.below[p] = below
	}
	return below
}

// treeOwner returns the object that another one is below in a tree.
func (x *index) treeOwner(o *object) *object {
	if owner := x.owner(o); owner != nil && owner != o {
		return owner
	}
	for ref := range o.Each("metadata.ownerReferences") {
		if owner := x.byUID[ref.Text("uid")]; owner != nil && owner != o {
			return owner
		}
	}
	return nil
}
