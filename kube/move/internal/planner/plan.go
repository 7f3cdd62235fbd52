package planner

import (
	"maps"
	"slices"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/internal/content"
	"kstatus.dev/kube/move/plan"
)

// plan decides about all objects and orders them.
func (s *source) plan() *Inventory {
	x := s.selectObjects()
	x.addProblems()
	return x.inventory()
}

// inventory returns the plan of a selection with its objects.
func (x *selection) inventory() *Inventory {
	inv := &Inventory{Plan: &plan.Plan{Scope: x.scope, Problems: x.problems}, Kinds: x.kinds, Objects: map[*plan.Item]*clusterapi.Object{}, byUID: map[string]*clusterapi.Object{}}
	items := map[*clusterapi.Object]*plan.Item{}
	for _, o := range x.graph.Objects {
		c, selected := x.chosen[o]
		if !selected {
			if o.Kind.Namespaced && !x.inScope(o.GetNamespace()) {
				continue
			}
			c = choice{plan.Exclude, whyExcluded(o)}
		}
		item := x.item(o, c)
		items[o], inv.Objects[item], inv.byUID[item.UID] = item, o, o
		inv.Plan.Items = append(inv.Plan.Items, item)
	}
	x.order(items)
	for _, item := range inv.Plan.Items {
		inv.Plan.Steps = max(inv.Plan.Steps, item.Step+1)
	}
	inv.Plan.Sort()
	return inv
}

func whyExcluded(o *clusterapi.Object) string {
	if o.Kind.GroupKind() == clusterapi.Cluster {
		return "it is not selected"
	}
	return "it belongs to no selected Cluster, and has no label " + clusterapi.MoveLabel
}

// item returns the item of an object, without its step and its owners.
func (x *selection) item(o *clusterapi.Object, c choice) *plan.Item {
	item := &plan.Item{
		Group: o.Kind.Group, Version: o.Kind.Version, Kind: o.Kind.Kind, Resource: o.Kind.Resource,
		Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID()), ResourceVersion: o.GetResourceVersion(),
		Decision: c.decision, Reason: c.reason, Step: -1,
	}
	if !o.Kind.MetadataOnly() && c.decision != plan.Exclude {
		item.Hash = content.Hash(o.Unstructured)
	}
	if c.decision != plan.Exclude {
		for _, cluster := range x.graph.Roots(o, clusterapi.Cluster) {
			item.Clusters = append(item.Clusters, cluster.GetNamespace()+"/"+cluster.GetName())
		}
		if item.Root = x.isRoot(o); item.Root {
			item.WasPaused = wasPaused(o)
		}
	}
	return item
}

// order sets the steps and the owners of the selected items. An object comes after its owners,
// after its class and after what it names. Then no controller of the target sees it without them.
// In a cycle, the first object by name comes before some of its owners, which are set later.
func (x *selection) order(items map[*clusterapi.Object]*plan.Item) {
	waiting := map[*clusterapi.Object][]*clusterapi.Object{}
	for o := range x.chosen {
		waiting[o] = x.before(o)
	}
	for step := 0; len(waiting) > 0; step++ {
		var next []*clusterapi.Object
		for o, before := range waiting {
			if !slices.ContainsFunc(before, func(b *clusterapi.Object) bool { return waiting[b] != nil }) {
				next = append(next, o)
			}
		}
		if len(next) == 0 {
			next = []*clusterapi.Object{firstOfCycle(waiting)}
		}
		for _, o := range next {
			items[o].Step = step
		}
		for _, o := range next {
			delete(waiting, o)
		}
	}
	for o := range x.chosen {
		item := items[o]
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

// before returns the selected objects that come before one. It is never nil.
func (x *selection) before(o *clusterapi.Object) []*clusterapi.Object {
	before := []*clusterapi.Object{}
	add := func(b *clusterapi.Object) {
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

// firstOfCycle returns the object to begin with among those that wait for each other. It is the
// first by name of a cycle, preferably one that waits only for objects of the same cycle.
func firstOfCycle(waiting map[*clusterapi.Object][]*clusterapi.Object) *clusterapi.Object {
	byKey := func(a, b *clusterapi.Object) int { return a.Key().Compare(b.Key()) }
	isWaiting := func(o *clusterapi.Object) bool { return waiting[o] != nil }
	at := slices.MinFunc(slices.Collect(maps.Keys(waiting)), byKey)
	var path []*clusterapi.Object
	for place := map[*clusterapi.Object]int{}; ; {
		if start, seen := place[at]; seen {
			path = path[start:]
			break
		}
		place[at] = len(path)
		path = append(path, at)
		at = waiting[at][slices.IndexFunc(waiting[at], isWaiting)]
	}
	slices.SortFunc(path, byKey)
	for _, o := range path {
		if !slices.ContainsFunc(waiting[o], func(b *clusterapi.Object) bool { return isWaiting(b) && !slices.Contains(path, b) }) {
			return o
		}
	}
	return path[0]
}
