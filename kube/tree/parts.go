package tree

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/explain"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// planParts returns the searches for parts of objects: one list per kind and
// namespace. If all owners have the same selector, the list uses it.
func (c *collection) planParts(ctx context.Context, queries []explain.Query) (all []listing) {
	var owners groups[listKey, status.Map]
	for _, q := range queries {
		i, known := c.objectIndex[q.ID]
		if !known || c.facts.Objects[i].Object == nil {
			continue
		}
		owners.add(listKey{q.Kind, q.ID.Namespace}, c.facts.Objects[i].Object)
	}
	for _, key := range owners.keys {
		m, err := c.mapping(ctx, key.kind)
		if err != nil {
			c.addUnservedKind(key.kind, err)
			continue
		}
		s := newScope(m, key.namespace)
		s.labels = commonSelector(owners.values[key])
		all = append(all, c.listParts(s, owners.values[key]))
	}
	return all
}

// listParts lists the parts of some owners.
func (c *collection) listParts(s scope, owners []status.Map) listing {
	uids := map[types.UID]bool{}
	for _, owner := range owners {
		uids[(&unstructured.Unstructured{Object: owner}).GetUID()] = true
	}
	return listing{scope: s, handle: func(objects []object, err error) []request {
		if err != nil {
			c.addFailure(err, "list", s.resource(), s.String())
			return nil
		}
		for _, o := range objects {
			if o.ownedBy(uids) {
				c.addObject(s, status.ID{}, o)
			}
		}
		return nil
	}}
}

// ownedBy reports whether an object has an owner with one of the UIDs.
func (o object) ownedBy(uids map[types.UID]bool) bool {
	return slices.ContainsFunc(o.GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return uids[ref.UID] })
}

// selectorGroups are the groups whose owners have parts with the labels of
// their selector.
var selectorGroups = []string{"", "apps", "batch", "cluster.x-k8s.io"}

// selectorLabels returns the labels of an owner's parts; nil if unknown.
func selectorLabels(owner status.Map) map[string]string {
	if version, err := schema.ParseGroupVersion(decoded.Text(owner, "apiVersion")); err != nil || !slices.Contains(selectorGroups, version.Group) {
		return nil
	}
	of, _, _ := unstructured.NestedStringMap(owner, "spec", "selector", "matchLabels")
	if of == nil {
		of, _, _ = unstructured.NestedStringMap(owner, "spec", "selector")
	}
	return of
}
