package planner

import (
	"slices"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
)

// setSteps sets the steps of the selected items. An object comes after its owners, after its class
// and after what it names. Then no controller of the target sees it without them. In a cycle, the
// first object by name comes before some of its owners, which are set later.
func (w *queue) setSteps(items map[*management.Object]*plan.Item) {
	for step := 0; w.left > 0; step++ {
		next := w.free
		if w.free = nil; len(next) == 0 {
			next = []*management.Object{w.firstOfCycle()}
		}
		for _, o := range next {
			items[o].Step = step
		}
		for _, o := range next {
			w.remove(o)
		}
	}
}

// setOwners sets the owners of the selected items.
func (x *selection) setOwners(items map[*management.Object]*plan.Item) {
	for o, item := range items {
		if _, selected := x.chosen[o]; !selected {
			continue
		}
		for _, owner := range o.Owners {
			switch of := items[owner]; {
			case of == nil || of.Decision == plan.Exclude:
			case of.Step >= item.Step:
				item.LateOwners = append(item.LateOwners, of.UID)
			default:
				item.Owners = append(item.Owners, of.UID)
			}
		}
		slices.Sort(item.Owners)
		slices.Sort(item.LateOwners)
	}
}

// before returns the selected objects that come before one.
func (x *selection) before(o *management.Object) (before []*management.Object) {
	add := func(b *management.Object) {
		if _, selected := x.chosen[b]; selected && b != o {
			before = append(before, b)
		}
	}
	for _, owner := range o.Owners {
		add(owner)
	}
	if o.Class != nil {
		add(o.Class)
	}
	for _, r := range o.References {
		// What an object owns comes after it, even if it names it.
		if r.Object != nil && r.Credentials && len(r.Object.Owners) == 0 {
			add(r.Object)
		}
	}
	return before
}

// A queue has objects that wait for others. Its slices have an entry for each object of the graph.
type queue struct {
	objects []*management.Object
	before  [][]*management.Object
	after   [][]*management.Object // the reverse of before
	waits   []int                  // for how many of before
	waiting []bool
	left    int                  // how many are waiting
	free    []*management.Object // those that became free since the last step
	first   int                  // no object before this index is waiting
	path    []*management.Object // from the first one that is waiting: each waits for the next
	place   map[*management.Object]int
	visits  int // how many relations were followed
}

// newQueue returns the queue of the chosen objects.
func (x *selection) newQueue() *queue {
	n := len(x.graph.Objects)
	w := &queue{
		objects: x.graph.Objects, before: make([][]*management.Object, n), after: make([][]*management.Object, n),
		waits: make([]int, n), waiting: make([]bool, n), place: map[*management.Object]int{},
	}
	for _, o := range w.objects {
		if _, selected := x.chosen[o]; !selected {
			continue
		}
		w.left++
		w.waiting[o.Index] = true
		w.before[o.Index] = x.before(o)
		w.waits[o.Index] = len(w.before[o.Index])
		for _, b := range w.before[o.Index] {
			w.after[b.Index] = append(w.after[b.Index], o)
		}
		if w.waits[o.Index] == 0 {
			w.free = append(w.free, o)
		}
	}
	return w
}

// remove removes an object, so that others need not wait for it.
func (w *queue) remove(o *management.Object) {
	w.left--
	w.waiting[o.Index] = false
	for _, a := range w.after[o.Index] {
		w.visits++
		if w.waits[a.Index]--; w.waits[a.Index] == 0 && w.waiting[a.Index] {
			w.free = append(w.free, a)
		}
	}
}

// firstOfCycle returns the object to begin with among those that wait for each other. It is the
// first by name of a cycle, preferably one that waits only for objects of the same cycle.
func (w *queue) firstOfCycle() *management.Object {
	cycle := slices.Clone(w.findCycle())
	slices.SortFunc(cycle, func(a, b *management.Object) int { return a.Index - b.Index })
	in := map[*management.Object]bool{}
	for _, o := range cycle {
		in[o] = true
	}
	for _, o := range cycle {
		w.visits++
		if !slices.ContainsFunc(w.before[o.Index], func(b *management.Object) bool { return w.waiting[b.Index] && !in[b] }) {
			return o
		}
	}
	return cycle[0]
}

// findCycle follows the path from the first waiting object until it comes back. It goes on with
// the rest of the last path.
func (w *queue) findCycle() []*management.Object {
	for !w.waiting[w.first] {
		w.first++
	}
	kept := 0
	for kept < len(w.path) && w.waiting[w.path[kept].Index] {
		kept++
	}
	for _, o := range w.path[kept:] {
		delete(w.place, o)
	}
	w.path = w.path[:kept]
	at := w.objects[w.first]
	if kept > 0 {
		at = w.nextOf(w.path[kept-1])
	}
	for {
		if start, seen := w.place[at]; seen {
			return w.path[start:]
		}
		w.visits++
		w.place[at] = len(w.path)
		w.path = append(w.path, at)
		at = w.nextOf(at)
	}
}

// nextOf returns the first object that an object waits for.
func (w *queue) nextOf(o *management.Object) *management.Object {
	return w.before[o.Index][slices.IndexFunc(w.before[o.Index], func(b *management.Object) bool { return w.waiting[b.Index] })]
}
