package client

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/internal/trim"
	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/kube/watcher"
	"kstatus.dev/status"
)

const (
	RequestTimeout = 15 * time.Second // for a read of one object
	ListTimeout    = time.Minute      // for a list
)

// A Scope is a set of objects of one kind.
type Scope struct {
	Mapping       *meta.RESTMapping
	Namespace     string // empty: all, or the kind is cluster-scoped
	Name          string // empty: all
	LabelSelector string
	FieldSelector string
	MetadataOnly  bool // read only the metadata
}

// HasSelector reports whether the scope selects objects by labels or fields.
func (s Scope) HasSelector() bool { return s.LabelSelector != "" || s.FieldSelector != "" }

// Kind returns the kind of the objects.
func (s Scope) Kind() status.Kind {
	return status.Kind(s.Mapping.GroupVersionKind.GroupKind())
}

// describe returns the scope in kubectl's terms: "deployments.apps in namespace shop".
func (s Scope) describe() string {
	what := s.Mapping.Resource.GroupResource().String()
	switch {
	case s.Namespace != "":
		return what + " in namespace " + s.Namespace
	case s.Mapping.Scope.Name() == meta.RESTScopeNameNamespace:
		return what + " in all namespaces"
	}
	return what
}

// Options returns the selectors of the scope.
func (s Scope) Options() metav1.ListOptions {
	o := metav1.ListOptions{LabelSelector: s.LabelSelector, FieldSelector: s.FieldSelector}
	if s.Name != "" {
		o.FieldSelector = strings.TrimPrefix(o.FieldSelector+",metadata.name="+fields.EscapeValue(s.Name), ",")
	}
	return o
}

// Requests returns the requests for the objects of a scope.
func (c *Client) Requests(s Scope) watcher.Requests { return requests{c, s} }

// requests sends the requests for the objects of a scope.
type requests struct {
	client *Client
	scope  Scope
}

// List lists a page of objects.
func (r requests) List(ctx context.Context, o metav1.ListOptions) (*watcher.Page, error) {
	if !r.client.reducesTo(r.scope) {
		list, err := r.client.Objects.Resource(r.scope.Mapping.Resource).Namespace(r.scope.Namespace).List(ctx, o)
		if err == nil {
			err = checkList(list, r.scope)
		}
		if err != nil {
			return nil, err
		}
		return watcher.NewPage(list), nil
	}
	list, err := r.client.Metadata.Resource(r.scope.Mapping.Resource).Namespace(r.scope.Namespace).List(ctx, o)
	if err != nil {
		return nil, err
	}
	page := &watcher.Page{ListMeta: list.ListMeta, Objects: make([]metav1.Object, len(list.Items))}
	for i, item := range list.Items {
		page.Objects[i] = &item // a copy, which does not keep the list
	}
	return page, nil
}

// Watch opens a watch.
func (r requests) Watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	if r.client.reducesTo(r.scope) {
		return r.client.Metadata.Resource(r.scope.Mapping.Resource).Namespace(r.scope.Namespace).Watch(ctx, o)
	}
	return r.client.Objects.Resource(r.scope.Mapping.Resource).Namespace(r.scope.Namespace).Watch(ctx, o)
}

// List calls each with every object of a scope, page by page, and returns the version of the list.
func (c *Client) List(ctx context.Context, s Scope, each func(metav1.Object)) (version string, err error) {
	err = connection.EachPage(ctx, s.Options(), c.Requests(s).List, func(page *watcher.Page, _ bool) error {
		for i, o := range page.Objects {
			page.Objects[i] = nil // so that the rest can be freed
			each(o)
		}
		version = page.ResourceVersion
		return nil
	})
	return version, err
}

// Probe lists one object, to find out whether that is permitted.
func (c *Client) Probe(ctx context.Context, s Scope) error {
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	o := s.Options()
	o.Limit = 1
	if c.Metadata == nil {
		_, err := c.Objects.Resource(s.Mapping.Resource).Namespace(s.Namespace).List(ctx, o)
		return err
	}
	_, err := c.Metadata.Resource(s.Mapping.Resource).Namespace(s.Namespace).List(ctx, o)
	return err
}

// checkList returns an error if the response to a list request is not a list. Client-go treats
// it as an empty list.
func checkList(list *unstructured.UnstructuredList, s Scope) error {
	if len(list.Items) > 0 {
		return nil
	}
	for field := range list.Object {
		if field != "apiVersion" && field != "kind" && field != "metadata" && field != "items" {
			return fmt.Errorf("want a list of %s, have one %s", s.Mapping.Resource.GroupResource(), list.GetKind())
		}
	}
	return nil
}

// reducesTo reports whether only the metadata of the objects are requested.
func (c *Client) reducesTo(s Scope) bool { return s.MetadataOnly && c.Metadata != nil }

// Get reads the object that the scope names.
func (c *Client) Get(ctx context.Context, s Scope) (o metav1.Object, err error) {
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	if c.reducesTo(s) {
		o, err = c.Metadata.Resource(s.Mapping.Resource).Namespace(s.Namespace).Get(ctx, s.Name, metav1.GetOptions{})
	} else {
		o, err = c.Objects.Resource(s.Mapping.Resource).Namespace(s.Namespace).Get(ctx, s.Name, metav1.GetOptions{})
	}
	if err == nil && (o.GetName() != s.Name || o.GetNamespace() != s.Namespace) {
		err = fmt.Errorf("want the object %q in namespace %q, have %q in %q", s.Name, s.Namespace, o.GetName(), o.GetNamespace())
	}
	return o, err
}

// Object returns an object from the server in the form that is judged.
func (s Scope) Object(obj metav1.Object) (*unstructured.Unstructured, error) {
	switch obj := obj.(type) {
	case *unstructured.Unstructured:
		if have := obj.GroupVersionKind().GroupKind(); have != s.Mapping.GroupVersionKind.GroupKind() {
			return nil, fmt.Errorf("want an object of kind %s, have %s", s.Kind(), have)
		}
		u := &unstructured.Unstructured{Object: obj.Object}
		if s.MetadataOnly {
			u.Object = map[string]any{"apiVersion": obj.GetAPIVersion(), "kind": obj.GetKind(), "metadata": obj.Object["metadata"]}
		}
		trim.Object(u.Object)
		return u, nil
	case *metav1.PartialObjectMetadata:
		meta, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&obj.ObjectMeta)
		if err != nil {
			return nil, fmt.Errorf("read the metadata of %s %s: %w", s.Kind(), obj.Name, err)
		}
		u := &unstructured.Unstructured{Object: map[string]any{"metadata": meta}}
		u.SetGroupVersionKind(s.Mapping.GroupVersionKind)
		trim.Object(u.Object)
		return u, nil
	}
	return nil, fmt.Errorf("read %s: want an object, have %T", s.Kind(), obj)
}

// DefinitionVersion returns the resourceVersion of the definition of a kind, empty if
// there is none.
func (c *Client) DefinitionVersion(ctx context.Context, m *meta.RESTMapping) (string, error) {
	definition, err := c.Get(ctx, Scope{
		Mapping: &meta.RESTMapping{Resource: expect.Definitions}, Name: m.Resource.GroupResource().String(), MetadataOnly: true,
	})
	switch {
	case apierrors.IsNotFound(err):
		return "", nil
	case err != nil:
		return "", err
	}
	return definition.GetResourceVersion(), nil
}
