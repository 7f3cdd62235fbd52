package connection

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	clientmetadata "k8s.io/client-go/metadata"
)

// metadata is a client of the metadata of objects that checks names before it makes a request
// of them. Its own client does not.
type metadata struct {
	next  clientmetadata.Interface
	pages *pages
}

func (m metadata) Resource(resource schema.GroupVersionResource) clientmetadata.Getter {
	next := m.next.Resource(resource)
	return metadataAllNamespaces{metadataResource{next, checkResource(resource), m.pages}, next}
}

// IsWatchListSemanticsUnSupported reports what fake clients do about themselves.
func (m metadata) IsWatchListSemanticsUnSupported() bool { return !streamsLists(m.next) }

type metadataAllNamespaces struct {
	metadataResource
	all clientmetadata.Getter
}

func (m metadataAllNamespaces) Namespace(namespace string) clientmetadata.ResourceInterface {
	return metadataResource{m.all.Namespace(namespace), m.refused.orNamespace(namespace), m.pages}
}

// metadataResource are the metadata of the objects of a kind in a namespace.
type metadataResource struct {
	next    clientmetadata.ResourceInterface
	refused refusal
	pages   *pages
}

func (m metadataResource) Delete(ctx context.Context, name string, options metav1.DeleteOptions, subresources ...string) error {
	if err := m.refused.orName(name, subresources); err != nil {
		return err
	}
	return m.next.Delete(ctx, name, options, subresources...)
}

func (m metadataResource) DeleteCollection(ctx context.Context, options metav1.DeleteOptions, list metav1.ListOptions) error {
	if m.refused.err != nil {
		return m.refused.err
	}
	return m.next.DeleteCollection(ctx, options, list)
}

func (m metadataResource) Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (*metav1.PartialObjectMetadata, error) {
	if err := m.refused.orName(name, subresources); err != nil {
		return nil, err
	}
	return m.next.Get(ctx, name, options, subresources...)
}

func (m metadataResource) List(ctx context.Context, options metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	if m.refused.err != nil {
		return nil, m.refused.err
	}
	page, err := m.next.List(ctx, options)
	if err == nil {
		err = m.pages.add(options.Continue, page.Continue, len(page.Items))
	}
	if err != nil {
		return nil, err
	}
	return page, nil
}

func (m metadataResource) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	if m.refused.err != nil {
		return nil, m.refused.err
	}
	return m.next.Watch(ctx, options)
}

func (m metadataResource) Patch(ctx context.Context, name string, form types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string) (*metav1.PartialObjectMetadata, error) {
	if err := m.refused.orName(name, subresources); err != nil {
		return nil, err
	}
	return m.next.Patch(ctx, name, form, data, options, subresources...)
}
