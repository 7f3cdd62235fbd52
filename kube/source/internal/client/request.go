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

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	pageSize       = 500              // how many objects are listed at once
	minWatchTime   = 5 * time.Minute  // how long a watch lasts at least; at most twice as long
	RequestTimeout = 15 * time.Second // how long a look at one object may take
	ListTimeout    = time.Minute      // and one at many
)

// A scope is which objects are read.
type Scope struct {
	Mapping      *meta.RESTMapping
	Namespace    string // empty: all, or the kind has none
	Name         string // empty: all
	Match        observe.Match
	MetadataOnly bool // only their metadata
}

func (s Scope) Kind() status.Kind {
	return status.Kind{Group: s.Mapping.GroupVersionKind.Group, Kind: s.Mapping.GroupVersionKind.Kind}
}

// where names the scope as kubectl would: "deployments.apps in namespace shop".
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
	o.LabelSelector, o.FieldSelector = s.Match.Selectors()
	if s.Name != "" {
		o.FieldSelector = strings.TrimPrefix(o.FieldSelector+",metadata.name="+fields.EscapeValue(s.Name), ",")
	}
	return o
}

// list gives each object there is to a function, page by page, and returns the
// version of the list.
func (l *Client) List(ctx context.Context, s Scope, each func(metav1.Object)) (version string, err error) {
	o := s.narrow(metav1.ListOptions{Limit: pageSize})
	for {
		var page runtime.Object
		if s.MetadataOnly {
			page, err = l.metadata.Resource(s.Mapping.Resource).Namespace(s.Namespace).List(ctx, o)
		} else {
			page, err = l.Objects.Resource(s.Mapping.Resource).Namespace(s.Namespace).List(ctx, o)
		}
		switch {
		case apierrors.IsResourceExpired(err) && o.Limit > 0:
			o.Limit, o.Continue = 0, "" // it has taken too long for pages
			continue
		case err != nil:
			return "", err
		}
		version, o.Continue = eachOf(page, each)
		if o.Continue == "" {
			return version, nil
		}
	}
}

// probe lists one object, to see whether that is permitted.
func (l *Client) Probe(ctx context.Context, s Scope) error {
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	_, err := l.metadata.Resource(s.Mapping.Resource).Namespace(s.Namespace).List(ctx, s.narrow(metav1.ListOptions{Limit: 1}))
	return err
}

// hand gives the objects of a page to a function and lets each go after it.
func eachOf(page runtime.Object, each func(metav1.Object)) (version, more string) {
	switch page := page.(type) {
	case *unstructured.UnstructuredList:
		for i := range page.Items {
			each(&page.Items[i])
			page.Items[i].Object = nil
		}
		return page.GetResourceVersion(), page.GetContinue()
	case *metav1.PartialObjectMetadataList:
		for i := range page.Items {
			each(&page.Items[i])
			page.Items[i] = metav1.PartialObjectMetadata{}
		}
		return page.ResourceVersion, page.Continue
	}
	return "", ""
}

// watch opens a watch from a version on; without one all objects come first,
// and a bookmark ends them.
func (l *Client) Watch(ctx context.Context, s Scope, version string) (watch.Interface, error) {
	seconds := int64((minWatchTime + rand.N(minWatchTime)).Seconds())
	o := s.narrow(metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if version == "" {
		o.SendInitialEvents = new(true)
		o.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	if s.MetadataOnly {
		return l.metadata.Resource(s.Mapping.Resource).Namespace(s.Namespace).Watch(ctx, o)
	}
	return l.Objects.Resource(s.Mapping.Resource).Namespace(s.Namespace).Watch(ctx, o)
}

// get reads the object that the scope names.
func (l *Client) Get(ctx context.Context, s Scope) (metav1.Object, error) {
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	if s.MetadataOnly {
		return l.metadata.Resource(s.Mapping.Resource).Namespace(s.Namespace).Get(ctx, s.Name, metav1.GetOptions{})
	}
	return l.Objects.Resource(s.Mapping.Resource).Namespace(s.Namespace).Get(ctx, s.Name, metav1.GetOptions{})
}

// object returns what came from the server as an object to be judged.
func (s Scope) Object(obj metav1.Object) (*unstructured.Unstructured, error) {
	switch obj := obj.(type) {
	case *unstructured.Unstructured:
		u := &unstructured.Unstructured{Object: obj.Object}
		Trim(u.Object)
		return u, nil
	case *metav1.PartialObjectMetadata:
		meta, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&obj.ObjectMeta)
		if err != nil {
			return nil, fmt.Errorf("read the metadata of %s %s: %w", s.Kind(), obj.Name, err)
		}
		u := &unstructured.Unstructured{Object: map[string]any{"metadata": meta}}
		u.SetGroupVersionKind(s.Mapping.GroupVersionKind)
		Trim(u.Object)
		return u, nil
	}
	return nil, fmt.Errorf("read %s: want an object, have %T", s.Kind(), obj)
}
