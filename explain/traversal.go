package explain

import (
	"slices"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// Explain says why objects are not there. One that is Current is explained as
// well, as far as something is wrong with it.
func Explain(f *Facts, asked ...ID) *Explanation {
	w := newWalk(f, asked)
	e := &Explanation{Causes: []Cause{}}
	causes := map[ID][]int{}
	for i, g := range w.groups() {
		e.Causes = append(e.Causes, g.cause(w.scene))
		for _, id := range g.blocks {
			causes[id] = append(causes[id], i)
		}
	}
	for _, n := range w.asked {
		e.Objects = append(e.Objects, Asked{
			ID: n.ID, Status: n.Result.Status, Failing: n.failing(), Reason: n.Result.Reason, Message: show.Line(n.Message()), Since: n.Since,
			Causes: append([]int{}, causes[n.ID]...),
		})
	}
	e.Gaps = w.scene.gapsOf()
	return e
}

// A found is one thing that is wrong with one object.
type found struct {
	kind      string // of [Kinds]
	text      string // one line that does not name the object itself, so that equal ones can be folded
	key       string // tells it from others of its kind; empty: the text does
	image     string // that cannot be pulled: where only some of its Pods tell why, it is why of the others as well
	echo      bool   // it only repeats what is told better further down, and counts if nothing is
	container string
	evidence  []Evidence
	next      []string // besides those that its kind has
	log       *LogWish
	chain     []*node // from where the walk came to where it is found
}

// at returns the object that has it.
func (f found) at() *node { return f.chain[len(f.chain)-1] }

// A walk goes from objects down to what is wrong with them, each object once.
type walk struct {
	scene *scene
	asked []*node
	roots map[*node]bool    // those that were asked about
	below map[*node][]found // nil while it is being visited
}

// newWalk returns a walk that goes down from the objects asked about.
func newWalk(f *Facts, asked []ID) *walk {
	w := &walk{scene: newScene(f), below: map[*node][]found{}, roots: map[*node]bool{}}
	for _, id := range asked {
		n := w.scene.nodes[id]
		if n == nil {
			n = w.scene.unknown(id)
		}
		w.asked = append(w.asked, n)
		w.roots[n] = true
	}
	return w
}

// visit returns what is wrong with an object: what is found at it, and what at
// its parts and at what it refers to. Where nothing is found, it is what its
// status says. One that is there is passed over, unless it is to be visited anyway.
func (w *walk) visit(n *node, anyway bool) []found {
	if known, visited := w.below[n]; visited {
		return known
	}
	if n.done() && !anyway && !w.roots[n] {
		return nil
	}
	w.below[n] = nil
	var own, deeper []found
	for _, look := range n.finders() {
		own = append(own, look(n)...)
	}
	for _, part := range n.beneath() {
		deeper = append(deeper, w.visit(part, false)...)
	}
	own = without(own, deeper)
	deeper = append(deeper, without(w.referred(n), deeper)...)
	if len(own) > 0 {
		deeper = slices.DeleteFunc(deeper, func(f found) bool { return f.kind == "Unexplained" })
	}
	if len(deeper) > 0 || slices.ContainsFunc(own, func(f found) bool { return !f.echo }) {
		own = slices.DeleteFunc(own, func(f found) bool { return f.echo })
	}
	for i := range own {
		own[i].evidence = slices.Clip(own[i].evidence)
	}
	all := slices.Concat(own, deeper)
	if len(all) == 0 && !n.done() {
		all = n.reported()
	}
	for i := range all {
		all[i].chain = slices.Concat([]*node{n}, all[i].chain)
	}
	w.below[n] = all
	return all
}

// without leaves out what is found at parts as well: a controller repeats what
// its parts have met with.
func without(all, atParts []found) []found {
	return slices.DeleteFunc(all, func(f found) bool {
		return slices.ContainsFunc(atParts, func(p found) bool { return p.groupKey() == f.groupKey() })
	})
}

// referred returns what is wrong with what an object refers to.
func (w *walk) referred(n *node) (all []found) {
	for _, ref := range n.references() {
		to := w.scene.find(ref.ID)
		switch {
		case to == nil || to == n || n.below(to):
		case (ref.Guessed || ref.Optional) && to.Result.Status == status.UnknownStatus:
		case n.ending() && !to.ending() && !ref.stays:
		case to.Result.Status == status.NotFoundStatus && to.Object == nil:
			all = append(all, w.missing(n, ref, to)...)
		default:
			all = append(all, w.visit(to, ref.Anyway)...)
			all = append(all, n.waitsForSuspended(to)...)
		}
	}
	return all
}

// missing tells that what an object refers to does not exist, or why those who
// are to make it have not.
func (w *walk) missing(n *node, ref Ref, to *node) (all []found) {
	for _, maker := range w.scene.awaited(to.ID) {
		all = append(all, w.visit(maker, false)...)
	}
	if len(all) == 0 && !ref.Optional && (!ref.Guessed || n.names(to.ID)) {
		return []found{n.dangling(ref, to)}
	}
	return all
}

// dangling is a reference to what does not exist, told of the object that makes it.
func (n *node) dangling(ref Ref, to *node) found {
	by := n.evidence(ref.Path)
	if ref.said != nil {
		by = *ref.said
	}
	return found{
		kind:     "ReferenceMissing",
		text:     lowerKind(to.ID) + " not found",
		evidence: []Evidence{by, {From: FromLookup, Object: to.ID, Value: "not found"}},
		next:     []string{to.ID.kubectl("get", to.ID.typed())},
	}
}

// below reports whether an object is a part of another, or of a part of it: what
// is wrong with the whole is no cause of what is wrong with a part.
func (n *node) below(whole *node) bool {
	for range 6 {
		if n = n.scene.owner(n); n == nil {
			return false
		}
		if n == whole {
			return true
		}
	}
	return false
}
