package planner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/plan"
)

// A Saved is an object of a folder with the decision about it.
type Saved struct {
	Object       *unstructured.Unstructured
	Decision     plan.Decision
	PausedBefore *bool // nil if it was not paused itself
}

// FromFolder computes the plan for objects that were saved in a folder. The kinds are those of the
// target.
func FromFolder(ctx context.Context, target *clusterapi.Client, saved []Saved) (*Inventory, error) {
	kinds, err := target.Kinds(ctx)
	if err != nil {
		return nil, fmt.Errorf("the target: %w", err)
	}
	s := &source{kinds: kinds}
	x := &selection{source: s, chosen: map[*clusterapi.Object]choice{}}
	before := map[*clusterapi.Object]*bool{}
	used := map[*clusterapi.Kind]*clusterapi.Kind{}
	var errs []error
	for _, item := range saved {
		gvk := item.Object.GroupVersionKind()
		served := clusterapi.Find(kinds, gvk.GroupKind())
		if served == nil || !slices.Contains(served.Versions, gvk.Version) {
			errs = append(errs, fmt.Errorf("%s %s/%s: the target does not serve %s", gvk.Kind, item.Object.GetNamespace(), item.Object.GetName(), gvk.GroupVersion()))
			continue
		}
		o := &clusterapi.Object{Kind: inVersion(served, gvk, used), Unstructured: item.Object}
		s.objects = append(s.objects, o)
		x.chosen[o] = choice{item.Decision, "it is in the folder"}
		before[o] = item.PausedBefore
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs[:min(len(errs), 10)]...)
	}
	x.graph = clusterapi.NewGraph(s.objects)
	inv := x.inventory()
	for i, o := range inv.Objects {
		i.Root, i.WasPaused = before[o] != nil, before[o] != nil && *before[o]
	}
	inv.Kinds = slices.Collect(maps.Values(used))
	return inv, nil
}

// inVersion returns a kind in the version that a folder has.
func inVersion(k *clusterapi.Kind, gvk schema.GroupVersionKind, used map[*clusterapi.Kind]*clusterapi.Kind) *clusterapi.Kind {
	if used[k] == nil {
		own := *k
		own.GroupVersionKind = gvk
		used[k] = &own
	}
	return used[k]
}
