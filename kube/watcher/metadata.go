package watcher

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/metadata"
)

// Metadata is a [Resource] whose objects have metadata only.
type Metadata struct{ metadata.ResourceInterface }

// List lists the metadata of objects.
func (m Metadata) List(ctx context.Context, o metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	page, err := m.ResourceInterface.List(ctx, o)
	if err != nil {
		return nil, err
	}
	list := &unstructured.UnstructuredList{}
	list.SetResourceVersion(page.ResourceVersion)
	list.SetContinue(page.Continue)
	for i := range page.Items {
		u, err := asUnstructured(&page.Items[i])
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, *u)
	}
	return list, nil
}

// asUnstructured returns an object, or the metadata of an object, as maps.
func asUnstructured(o metav1.Object) (*unstructured.Unstructured, error) {
	switch o := o.(type) {
	case *unstructured.Unstructured:
		return o, nil
	case *metav1.PartialObjectMetadata:
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		return &unstructured.Unstructured{Object: content}, err
	}
	return nil, fmt.Errorf("want an object, have %T", o)
}
