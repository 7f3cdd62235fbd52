// Package fake has cluster readers for tests.
package fake

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A ClusterReader returns the values of its fields.
type ClusterReader struct {
	NoopClusterReader

	GetResource *unstructured.Unstructured
	GetErr      error

	ListResources *unstructured.UnstructuredList
	ListErr       error

	SyncErr error
}

// Get returns GetResource and GetErr.
func (f *ClusterReader) Get(_ context.Context, _ client.ObjectKey, u *unstructured.Unstructured) error {
	if f.GetResource != nil {
		u.Object = f.GetResource.Object
	}
	return f.GetErr
}

// ListNamespaceScoped returns ListResources and ListErr.
func (f *ClusterReader) ListNamespaceScoped(_ context.Context, list *unstructured.UnstructuredList, _ string, _ labels.Selector) error {
	if f.ListResources != nil {
		list.Items = f.ListResources.Items
	}
	return f.ListErr
}

// Sync returns SyncErr.
func (f *ClusterReader) Sync(context.Context) error { return f.SyncErr }

// NewNoopClusterReader returns a [NoopClusterReader].
func NewNoopClusterReader() *NoopClusterReader { return &NoopClusterReader{} }

// A NoopClusterReader finds nothing, without an error.
type NoopClusterReader struct{}

// Get leaves the object as it is.
func (n *NoopClusterReader) Get(context.Context, client.ObjectKey, *unstructured.Unstructured) error {
	return nil
}

// ListNamespaceScoped leaves the list as it is.
func (n *NoopClusterReader) ListNamespaceScoped(context.Context, *unstructured.UnstructuredList, string, labels.Selector) error {
	return nil
}

// ListClusterScoped leaves the list as it is.
func (n *NoopClusterReader) ListClusterScoped(context.Context, *unstructured.UnstructuredList, labels.Selector) error {
	return nil
}

// Sync does nothing.
func (n *NoopClusterReader) Sync(context.Context) error { return nil }
