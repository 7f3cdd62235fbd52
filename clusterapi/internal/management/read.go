package management

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/crash"
	"kstatus.dev/kube/connection"
)

// A ReadError says that objects of a kind could not be listed.
type ReadError struct {
	Kind      *Kind
	Namespace string // empty for all namespaces
	Err       error
}

// Error names the kind and the namespace.
func (e *ReadError) Error() string {
	in := ""
	if e.Namespace != "" {
		in = " in namespace " + e.Namespace
	}
	return fmt.Sprintf("list %s%s: %v", e.Kind, in, e.Err)
}

// Unwrap returns the error of the server.
func (e *ReadError) Unwrap() error { return e.Err }

// Read lists the objects of kinds in namespaces, or in all namespaces if there are none.
// Cluster-scoped objects are listed always. The order is that of kinds, namespaces and names.
//
// An error joins one [ReadError] for each list that failed. The objects of the other lists are
// returned with it.
func (c *Client) Read(ctx context.Context, kinds []*Kind, namespaces ...string) ([]*Object, error) {
	type list struct {
		kind      *Kind
		namespace string
		objects   []*Object
		err       error
	}
	var lists []*list
	for _, k := range kinds {
		if !k.Namespaced || len(namespaces) == 0 {
			lists = append(lists, &list{kind: k})
			continue
		}
		for _, namespace := range namespaces {
			lists = append(lists, &list{kind: k, namespace: namespace})
		}
	}
	crash.Each(len(lists), concurrency, func(i int) {
		l := lists[i]
		l.objects, l.err = c.list(ctx, l.kind, l.namespace)
	})
	var all []*Object
	var errs []error
	for _, l := range lists {
		all = append(all, l.objects...)
		if l.err != nil {
			errs = append(errs, &ReadError{l.kind, l.namespace, l.err})
		}
	}
	return all, errors.Join(errs...)
}

// list lists the objects of a kind.
func (c *Client) list(ctx context.Context, k *Kind, namespace string) (all []*Object, err error) {
	if k.MetadataOnly() {
		err = c.EachMetadata(ctx, k.GroupVersionResource(), namespace, func(m *metav1.PartialObjectMetadata) {
			all = append(all, WithoutValues(k, m))
		})
		return all, err
	}
	err = connection.EachPage(ctx, metav1.ListOptions{}, c.Resource(k, namespace).List, func(page *unstructured.UnstructuredList, isFirst bool) error {
		if isFirst {
			all = nil
		}
		for i := range page.Items {
			o := &page.Items[i]
			o.SetGroupVersionKind(k.GroupVersionKind)
			all = append(all, &Object{Kind: k, Unstructured: o})
		}
		return nil
	})
	return all, err
}

// EachMetadata lists the metadata of objects, and then calls do once for each.
func (c *Client) EachMetadata(ctx context.Context, r schema.GroupVersionResource, namespace string, do func(*metav1.PartialObjectMetadata)) error {
	all, err := connection.AllMetadata(ctx, metav1.ListOptions{}, c.metadataResource(r, namespace).List)
	if err != nil {
		return err
	}
	for i := range all {
		do(&all[i])
	}
	return nil
}

// Get reads one object, and returns nil if it does not exist. It reads only the metadata of
// Secrets and ConfigMaps.
func (c *Client) Get(ctx context.Context, k *Kind, namespace, name string) (*Object, error) {
	if !k.Namespaced {
		namespace = ""
	}
	if k.MetadataOnly() {
		m, err := c.metadataResource(k.GroupVersionResource(), namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return nil, ignoreNotFound(err)
		}
		return WithoutValues(k, m), nil
	}
	o, err := c.Resource(k, namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	o.SetGroupVersionKind(k.GroupVersionKind)
	return &Object{Kind: k, Unstructured: o}, nil
}

// WithoutValues returns an object that has metadata only.
func WithoutValues(k *Kind, m *metav1.PartialObjectMetadata) *Object {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(m)
	if err != nil {
		// Metadata that the client has decoded can be encoded again.
		content = map[string]any{"metadata": map[string]any{"namespace": m.Namespace, "name": m.Name, "uid": string(m.UID)}}
	}
	o := &unstructured.Unstructured{Object: content}
	o.SetGroupVersionKind(k.GroupVersionKind)
	return &Object{Kind: k, Unstructured: o}
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// Find returns the kind with a group and a kind, and nil if there is none.
func Find(kinds []*Kind, gk schema.GroupKind) *Kind {
	i := slices.IndexFunc(kinds, func(k *Kind) bool { return k.GroupKind() == gk })
	if i < 0 {
		return nil
	}
	return kinds[i]
}
