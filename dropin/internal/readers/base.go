package readers

import (
	"context"
	"encoding/json"
	"errors"
	"sort"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
)

// base adds the read of an object to an ObjectReader.
type base struct {
	Config
	ObjectReader
	mapper meta.RESTMapper
}

// ReadStatus reads an object and computes its status.
func (b *base) ReadStatus(ctx context.Context, reader engine.ClusterReader, id object.ObjMetadata) (*event.ResourceStatus, error) {
	u, err := b.read(ctx, reader, id)
	if err != nil {
		return b.unreadable(id, err, nil, nil)
	}
	return b.ReadStatusForObject(ctx, reader, u)
}

func (b *base) read(ctx context.Context, reader engine.ClusterReader, id object.ObjMetadata) (*unstructured.Unstructured, error) {
	mapping, err := b.mapper.RESTMapping(id.GroupKind)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(mapping.GroupVersionKind)
	if err := reader.Get(ctx, types.NamespacedName{Namespace: id.Namespace, Name: id.Name}, u); err != nil {
		return nil, err
	}
	return u, nil
}

// children reads the statuses of the objects of kind that the selector of parent matches.
func children(
	ctx context.Context, mapper meta.RESTMapper, reader engine.ClusterReader, judge ObjectReader, parent *unstructured.Unstructured, kind schema.GroupKind,
) (event.ResourceStatuses, error) {
	selector, err := selectorOf(parent)
	if err != nil {
		return nil, err
	}
	mapping, err := mapper.RESTMapping(kind)
	if err != nil {
		return nil, err
	}
	var list unstructured.UnstructuredList
	list.SetGroupVersionKind(mapping.GroupVersionKind)
	if err := reader.ListNamespaceScoped(ctx, &list, parent.GetNamespace(), selector); err != nil {
		return nil, err
	}
	var all event.ResourceStatuses
	for i := range list.Items {
		rs, err := judge.ReadStatusForObject(ctx, reader, &unstructured.Unstructured{Object: list.Items[i].Object})
		if err != nil {
			return nil, err
		}
		all = append(all, rs)
	}
	sort.Sort(all)
	return all, nil
}

func selectorOf(u *unstructured.Unstructured) (labels.Selector, error) {
	fields, found, err := unstructured.NestedMap(u.Object, "spec", "selector")
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errors.New("no selector found")
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	var ls metav1.LabelSelector
	if err := json.Unmarshal(data, &ls); err != nil {
		return nil, err
	}
	return metav1.LabelSelectorAsSelector(&ls)
}
