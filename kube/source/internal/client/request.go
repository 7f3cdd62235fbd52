package client

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	"kstatus.dev/status"
)

const (
	minWatchTime   = 5 * time.Minute  // minimum duration of a watch; the maximum is twice as long
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
	return status.Kind{Group: s.Mapping.GroupVersionKind.Group, Kind: s.Mapping.GroupVersionKind.Kind}
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

// narrow adds the selectors of the scope.
func (s Scope) narrow(o metav1.ListOptions) metav1.ListOptions {
	o.LabelSelector, o.FieldSelector = s.LabelSelector, s.FieldSelector
	if s.Name != "" {
		o.FieldSelector = strings.TrimPrefix(o.FieldSelector+",metadata.name="+fields.EscapeValue(s.Name), ",")
	}
	return o
}

// List calls each with every object of a scope, page by page, and returns the
// version of the list. each must not keep the object.
func (c *Client) List(ctx context.Context, s Scope, each func(metav1.Object)) (version string, err error) {
	o := s.narrow(metav1.ListOptions{})
	if c.reducesTo(s) {
		err = connection.EachPage(ctx, o, c.Metadata.Resource(s.Mapping.Resource).Namespace(s.Namespace).List, func(page *metav1.PartialObjectMetadataList, _ bool) error {
			for i := range page.Items {
				each(&page.Items[i])
				page.Items[i] = metav1.PartialObjectMetadata{} // so that the rest can be freed
			}
			version = page.ResourceVersion
			return nil
		})
		return version, err
	}
	err = connection.EachPage(ctx, o, c.Objects.Resource(s.Mapping.Resource).Namespace(s.Namespace).List, func(page *unstructured.UnstructuredList, _ bool) error {
		if err := checkList(page, s); err != nil {
			return err
		}
		for i := range page.Items {
			each(&page.Items[i])
			page.Items[i].Object = nil
		}
		version = page.GetResourceVersion()
		return nil
	})
	return version, err
}

// Probe lists one object, to find out whether that is permitted.
func (c *Client) Probe(ctx context.Context, s Scope) error {
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	o := s.narrow(metav1.ListOptions{Limit: 1})
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

// Watch opens a watch from a version on. Without a version it streams a list first,
// which a bookmark ends.
func (c *Client) Watch(ctx context.Context, s Scope, version string) (watch.Interface, error) {
	seconds := int64((minWatchTime + rand.N(minWatchTime)).Seconds())
	o := s.narrow(metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if version == "" && !c.Unstreamed.Load() {
		o.SendInitialEvents = new(true)
		o.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	if c.reducesTo(s) {
		return c.Metadata.Resource(s.Mapping.Resource).Namespace(s.Namespace).Watch(ctx, o)
	}
	return c.Objects.Resource(s.Mapping.Resource).Namespace(s.Namespace).Watch(ctx, o)
}

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
