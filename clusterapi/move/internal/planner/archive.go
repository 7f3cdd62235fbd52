package planner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
)

// A Saved is an object of a folder with the decision about it.
type Saved struct {
	Object       *unstructured.Unstructured
	Decision     plan.Decision
	PausedBefore *bool // nil if it was not paused itself
}

// FromFolder computes the plan for objects that were saved in a folder. The kinds are those of the
// target.
func FromFolder(ctx context.Context, target *management.Client, saved []Saved) (*Inventory, error) {
	kinds, err := target.Kinds(ctx)
	if err != nil {
		return nil, fmt.Errorf("the target: %w", err)
	}
	s := &source{kinds: kinds}
	x := &selection{source: s, chosen: map[*management.Object]choice{}}
	before := map[*management.Object]*bool{}
	used := map[*management.Kind]*management.Kind{}
	asked := map[schema.GroupVersionKind]bool{}
	var errs []error
	for _, item := range saved {
		gvk := item.Object.GroupVersionKind()
		served := management.Find(s.kinds, gvk.GroupKind())
		if served == nil && !asked[gvk] {
			asked[gvk] = true
			if served, err = foreignKind(ctx, target, gvk); err != nil {
				return nil, fmt.Errorf("the target: %w", err)
			}
			if served != nil {
				s.kinds = append(s.kinds, served)
			}
		}
		if served == nil || !slices.Contains(served.Versions, gvk.Version) {
			errs = append(errs, fmt.Errorf("%s %s/%s: the target does not serve %s", gvk.Kind, item.Object.GetNamespace(), item.Object.GetName(), gvk.GroupVersion()))
			continue
		}
		o := &management.Object{Kind: inVersion(served, gvk, used), Unstructured: item.Object}
		s.objects = append(s.objects, o)
		x.chosen[o] = choice{item.Decision, "it is in the folder"}
		before[o] = item.PausedBefore
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs[:min(len(errs), 10)]...)
	}
	x.graph = management.NewGraph(s.objects)
	inv := x.inventory()
	for i, o := range inv.Objects {
		i.Root, i.WasPaused = before[o] != nil, before[o] != nil && *before[o]
	}
	inv.Kinds = slices.Collect(maps.Values(used))
	return inv, nil
}

// foreignKind returns a kind that is not of Cluster API, and nil if the target does not serve it.
func foreignKind(ctx context.Context, target *management.Client, gvk schema.GroupVersionKind) (*management.Kind, error) {
	path := "/apis/" + gvk.GroupVersion().String()
	if gvk.Group == "" {
		path = "/api/" + gvk.Version
	}
	list := &metav1.APIResourceList{}
	err := target.Discovery.RESTClient().Get().AbsPath(path).Do(ctx).Into(list) // other requests of discovery take no context
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, r := range list.APIResources {
		if r.Kind == gvk.Kind && !strings.Contains(r.Name, "/") {
			return target.Kind(ctx, schema.GroupResource{Group: gvk.Group, Resource: r.Name})
		}
	}
	return nil, nil
}

// inVersion returns a kind in the version that a folder has.
func inVersion(k *management.Kind, gvk schema.GroupVersionKind, used map[*management.Kind]*management.Kind) *management.Kind {
	if used[k] == nil {
		own := *k
		own.GroupVersionKind = gvk
		used[k] = &own
	}
	return used[k]
}
