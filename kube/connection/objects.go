package connection

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// objects is a client of whole objects that checks names before it makes a request of them.
type objects struct {
	next  dynamic.Interface
	pages *pages
}

func (o objects) Resource(resource schema.GroupVersionResource) dynamic.NamespaceableResourceInterface {
	next := o.next.Resource(resource)
	return objectsAllNamespaces{objectsResource{next, checkResource(resource), o.pages}, next}
}

// IsWatchListSemanticsUnSupported reports what fake clients do about themselves.
func (o objects) IsWatchListSemanticsUnSupported() bool { return !streamsLists(o.next) }

type objectsAllNamespaces struct {
	objectsResource
	all dynamic.NamespaceableResourceInterface
}

func (o objectsAllNamespaces) Namespace(namespace string) dynamic.ResourceInterface {
	return objectsResource{o.all.Namespace(namespace), o.refused.orNamespace(namespace), o.pages}
}

// objectsResource are the objects of a kind in a namespace.
type objectsResource struct {
	next    dynamic.ResourceInterface
	refused refusal
	pages   *pages
}

func (o objectsResource) Create(ctx context.Context, obj *unstructured.Unstructured, options metav1.CreateOptions, subresources ...string) (*unstructured.Unstructured, error) {
	if err := o.refused.orName(obj.GetName(), subresources); err != nil {
		return nil, err
	}
	return o.next.Create(ctx, obj, options, subresources...)
}

func (o objectsResource) Update(ctx context.Context, obj *unstructured.Unstructured, options metav1.UpdateOptions, subresources ...string) (*unstructured.Unstructured, error) {
	if err := o.refused.orName(obj.GetName(), subresources); err != nil {
		return nil, err
	}
	return o.next.Update(ctx, obj, options, subresources...)
}

func (o objectsResource) UpdateStatus(ctx context.Context, obj *unstructured.Unstructured, options metav1.UpdateOptions) (*unstructured.Unstructured, error) {
	if err := o.refused.orName(obj.GetName(), nil); err != nil {
		return nil, err
	}
	return o.next.UpdateStatus(ctx, obj, options)
}

func (o objectsResource) Delete(ctx context.Context, name string, options metav1.DeleteOptions, subresources ...string) error {
	if err := o.refused.orName(name, subresources); err != nil {
		return err
	}
	return o.next.Delete(ctx, name, options, subresources...)
}

func (o objectsResource) DeleteCollection(ctx context.Context, options metav1.DeleteOptions, list metav1.ListOptions) error {
	if o.refused.err != nil {
		return o.refused.err
	}
	return o.next.DeleteCollection(ctx, options, list)
}

func (o objectsResource) Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (*unstructured.Unstructured, error) {
	if err := o.refused.orName(name, subresources); err != nil {
		return nil, err
	}
	return o.next.Get(ctx, name, options, subresources...)
}

func (o objectsResource) List(ctx context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	if o.refused.err != nil {
		return nil, o.refused.err
	}
	page, err := o.next.List(ctx, options)
	if err == nil {
		err = o.pages.add(options.Continue, page.GetContinue(), len(page.Items))
	}
	if err != nil {
		return nil, err
	}
	return page, nil
}

func (o objectsResource) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	if o.refused.err != nil {
		return nil, o.refused.err
	}
	return o.next.Watch(ctx, options)
}

func (o objectsResource) Patch(ctx context.Context, name string, form types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string) (*unstructured.Unstructured, error) {
	if err := o.refused.orName(name, subresources); err != nil {
		return nil, err
	}
	return o.next.Patch(ctx, name, form, data, options, subresources...)
}

func (o objectsResource) Apply(ctx context.Context, name string, obj *unstructured.Unstructured, options metav1.ApplyOptions, subresources ...string) (*unstructured.Unstructured, error) {
	if err := o.refused.orName(name, subresources); err != nil {
		return nil, err
	}
	return o.next.Apply(ctx, name, obj, options, subresources...)
}

func (o objectsResource) ApplyStatus(ctx context.Context, name string, obj *unstructured.Unstructured, options metav1.ApplyOptions) (*unstructured.Unstructured, error) {
	if err := o.refused.orName(name, nil); err != nil {
		return nil, err
	}
	return o.next.ApplyStatus(ctx, name, obj, options)
}
