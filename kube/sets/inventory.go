package sets

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// inventoryID is the label of an inventory ConfigMap; its value is the ID.
const inventoryID = "cli-utils.sigs.k8s.io/inventory-id"

// kpt finds the objects in an inventory: the ConfigMap with the name, or with
// the ID.
func (f *finder) kpt(ctx context.Context, o Owner) ([]observe.Target, error) {
	u, err := f.inventory(ctx, o)
	if err != nil {
		return nil, err
	}
	data, _, err := unstructured.NestedMap(u.Object, "data")
	if err != nil {
		return nil, fmt.Errorf("%s: data: want an object, have something else", nameOf(u))
	}
	var refs []status.ID
	for _, id := range slices.Sorted(maps.Keys(data)) {
		r, err := parseInventoryID(id)
		if err != nil {
			return nil, fmt.Errorf("%s: data: %w", nameOf(u), err)
		}
		refs = append(refs, r)
	}
	return f.targets(refs, ""), nil
}

func (f *finder) inventory(ctx context.Context, o Owner) (*unstructured.Unstructured, error) {
	u, err := f.get(ctx, configMaps, o.Namespace, o.Name)
	switch {
	case err == nil && u.GetLabels()[inventoryID] != "":
		return u, nil
	case err != nil && !apierrors.IsNotFound(err):
		return nil, err
	}
	if chosen, err := (labels.Set{inventoryID: o.Name}).AsValidatedSelector(); err == nil {
		all, err := f.list(ctx, configMaps, o.Namespace, chosen.String())
		if err != nil {
			return nil, err
		}
		if len(all) == 1 {
			return f.get(ctx, configMaps, o.Namespace, all[0].Name)
		}
		if len(all) > 1 {
			return nil, fmt.Errorf("namespace %s: want one ConfigMap with the label %s=%s, have %d", o.Namespace, inventoryID, o.Name, len(all))
		}
	}
	return nil, &NotFoundError{fmt.Sprintf("no inventory with that name or ID in namespace %s (searched ConfigMaps with the label %s)", o.Namespace, inventoryID)}
}

// parseInventoryID parses the ID of an object in inventories of Flux and kpt:
// namespace_name_group_kind, with __ for each colon of the name.
func parseInventoryID(id string) (status.ID, error) {
	wrong := fmt.Errorf("%.300q: want namespace_name_group_kind", id)
	namespace, rest, ok := strings.Cut(id, "_")
	atKind := strings.LastIndexByte(rest, '_')
	if !ok || atKind < 0 {
		return status.ID{}, wrong
	}
	kind, rest := rest[atKind+1:], rest[:atKind]
	atGroup := strings.LastIndexByte(rest, '_')
	if atGroup < 0 {
		return status.ID{}, wrong
	}
	group, name := rest[atGroup+1:], strings.ReplaceAll(rest[:atGroup], "__", ":")
	if kind == "" || name == "" || strings.Contains(name, "_") {
		return status.ID{}, wrong
	}
	return status.ID{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}, nil
}

func kindOf(group, kind string) status.Kind { return status.Kind{Group: group, Kind: kind} }
