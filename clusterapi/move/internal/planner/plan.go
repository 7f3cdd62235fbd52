package planner

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/content"
	"kstatus.dev/clusterapi/move/plan"
)

// plan decides about all objects and orders them.
func (s *source) plan() *Inventory {
	x := s.selectObjects()
	x.addProblems()
	return x.inventory()
}

// inventory returns the plan of a selection with its objects.
func (x *selection) inventory() *Inventory {
	inv := &Inventory{
		Plan: &plan.Plan{Scope: x.scope, Problems: x.problems}, Kinds: x.kinds, Objects: map[*plan.Item]*management.Object{},
		byUID: map[string]*management.Object{}, owners: map[types.UID]bool{}, unlisted: x.unlisted, Unlisted: x.forbidden,
	}
	for owner := range x.dependents {
		inv.owners[owner] = true
	}
	for _, o := range x.graph.Objects {
		for _, r := range o.GetOwnerReferences() {
			inv.owners[r.UID] = true
		}
	}
	items := map[*management.Object]*plan.Item{}
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
	x.newQueue().setSteps(items)
	x.setOwners(items)
	for _, item := range inv.Plan.Items {
		inv.Plan.Steps = max(inv.Plan.Steps, item.Step+1)
	}
	inv.Plan.Sort()
	return inv
}

func whyExcluded(o *management.Object) string {
	label, reason := labelOf(o)
	switch {
	case o.Kind.GroupKind() == management.Cluster:
		return "it is not selected"
	case label != "":
		return reason + ", but only single Clusters are moved"
	}
	return "it belongs to no selected Cluster, and has no label " + management.MoveLabel
}

// item returns the item of an object, without its step and its owners.
func (x *selection) item(o *management.Object, c choice) *plan.Item {
	item := &plan.Item{
		Group: o.Kind.Group, Version: o.Kind.Version, Kind: o.Kind.Kind, Resource: o.Kind.Resource,
		Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID()), ResourceVersion: o.GetResourceVersion(),
		Decision: c.decision, Reason: c.reason, Step: -1,
	}
	if !o.Kind.MetadataOnly() && c.decision != plan.Exclude {
		item.Hash = content.Hash(o.Unstructured)
	}
	if c.decision != plan.Exclude {
		for _, cluster := range o.Clusters {
			item.Clusters = append(item.Clusters, cluster.GetNamespace()+"/"+cluster.GetName())
		}
		if item.Root = x.isRoot(o); item.Root {
			item.WasPaused = wasPaused(o)
		}
	}
	return item
}

// Resources returns the custom resources that are moved or copied.
func Resources(p *plan.Plan) (all []schema.GroupResource) {
	for _, i := range p.Selected() {
		if r := (schema.GroupResource{Group: i.Group, Resource: i.Resource}); i.Group != "" && !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// Steps returns the items that are moved or copied in each step.
func Steps(p *plan.Plan) map[int][]*plan.Item {
	steps := map[int][]*plan.Item{}
	for _, i := range p.Selected() {
		steps[i.Step] = append(steps[i.Step], i)
	}
	return steps
}
