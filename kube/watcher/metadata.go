package watcher

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
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
