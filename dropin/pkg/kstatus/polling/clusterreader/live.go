// Package clusterreader reads objects for status readers: from the server at each call, or once
// per round of a poll.
package clusterreader

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/object"
)

var secretKind = schema.GroupKind{Kind: "Secret"}

// NewDirectClusterReader returns a [DirectClusterReader] that reads the identifiers, and the
// ReplicaSets and Pods of workloads among them, once per call of Sync. Secrets are read one by one,
// since a list would have those of others. NewDirectClusterReader sends no request.
func NewDirectClusterReader(reader client.Reader, mapper meta.RESTMapper, identifiers object.ObjMetadataSet) (engine.ClusterReader, error) {
	if mapper == nil {
		return &DirectClusterReader{Reader: reader}, nil
	}
	planned := slices.DeleteFunc(slices.Clone(identifiers), func(id object.ObjMetadata) bool { return id.GroupKind == secretKind })
	return &DirectClusterReader{Reader: reader, round: newCaching(reader, mapper, planned)}, nil
}

// A DirectClusterReader passes each call to Reader, except for what Sync has read. Only
// [NewDirectClusterReader] returns one whose Sync reads something.
type DirectClusterReader struct {
	Reader client.Reader
	round  *CachingClusterReader // nil: Sync reads nothing
}

// Get reads an object.
func (n *DirectClusterReader) Get(ctx context.Context, key client.ObjectKey, obj *unstructured.Unstructured) error {
	if n.round != nil && n.getKnown(key, obj) {
		return nil
	}
	return n.Reader.Get(ctx, key, obj)
}

// getKnown reads an object from the last Sync, if it was there in the same version.
func (n *DirectClusterReader) getKnown(key client.ObjectKey, obj *unstructured.Unstructured) bool {
	gvk := obj.GroupVersionKind()
	r := n.round.known(place{gvk.GroupKind(), key.Namespace})
	if r == nil {
		return false
	}
	var u unstructured.Unstructured
	if ok, err := r.get(key.Name, &u); !ok || err != nil || u.GroupVersionKind() != gvk {
		return false
	}
	obj.Object = u.Object
	return true
}

// ListNamespaceScoped reads the objects that selector matches in a namespace.
func (n *DirectClusterReader) ListNamespaceScoped(ctx context.Context, list *unstructured.UnstructuredList, namespace string, selector labels.Selector) error {
	p := place{list.GroupVersionKind().GroupKind(), namespace}
	if n.round != nil && n.round.hasSelector(p, selector) {
		if r := n.round.known(p); r != nil {
			return r.listChildren(list, selector)
		}
	}
	return n.Reader.List(ctx, list, client.InNamespace(namespace), client.MatchingLabelsSelector{Selector: selector})
}

// ListClusterScoped reads the objects that selector matches.
func (n *DirectClusterReader) ListClusterScoped(ctx context.Context, list *unstructured.UnstructuredList, selector labels.Selector) error {
	return n.Reader.List(ctx, list, client.MatchingLabelsSelector{Selector: selector})
}

// Sync reads the objects. What it cannot read is read by each call.
func (n *DirectClusterReader) Sync(ctx context.Context) error {
	if n.round != nil && n.round.Sync(ctx) != nil {
		n.round.forget()
	}
	return nil
}

// A DynamicClusterReader passes each call to DynamicClient.
type DynamicClusterReader struct {
	DynamicClient dynamic.Interface
	Mapper        meta.RESTMapper
}

// Get reads an object.
func (n *DynamicClusterReader) Get(ctx context.Context, key client.ObjectKey, obj *unstructured.Unstructured) error {
	resource, err := n.resource(obj.GroupVersionKind().GroupKind())
	if err != nil {
		return err
	}
	found, err := resource.Namespace(key.Namespace).Get(ctx, key.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	obj.Object = found.DeepCopy().Object
	return nil
}

// ListNamespaceScoped reads the objects that selector matches in a namespace.
func (n *DynamicClusterReader) ListNamespaceScoped(ctx context.Context, list *unstructured.UnstructuredList, namespace string, selector labels.Selector) error {
	resource, err := n.resource(list.GroupVersionKind().GroupKind())
	if err != nil {
		return err
	}
	return listInto(ctx, resource.Namespace(namespace), list, selector)
}

// ListClusterScoped reads the objects that selector matches.
func (n *DynamicClusterReader) ListClusterScoped(ctx context.Context, list *unstructured.UnstructuredList, selector labels.Selector) error {
	resource, err := n.resource(list.GroupVersionKind().GroupKind())
	if err != nil {
		return err
	}
	return listInto(ctx, resource, list, selector)
}

// Sync does nothing.
func (n *DynamicClusterReader) Sync(context.Context) error { return nil }

func (n *DynamicClusterReader) resource(kind schema.GroupKind) (dynamic.NamespaceableResourceInterface, error) {
	mapping, err := n.Mapper.RESTMapping(kind)
	if err != nil {
		// The text is the one that users of the original know.
		return nil, fmt.Errorf("failed to map object: %w", err)
	}
	return n.DynamicClient.Resource(mapping.Resource), nil
}

func listInto(ctx context.Context, resource dynamic.ResourceInterface, list *unstructured.UnstructuredList, selector labels.Selector) error {
	found, err := resource.List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
	if err != nil {
		return err
	}
	found.DeepCopyInto(list)
	return nil
}
