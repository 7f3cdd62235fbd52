package source

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
	pageSize     = 500              // how many objects are listed at once
	watchTime    = 5 * time.Minute  // how long a watch lasts at least; at most twice as long
	requestLimit = 15 * time.Second // how long a look at one object may take
	listLimit    = time.Minute      // and one at many
)

// A scope is which objects are read.
type scope struct {
	mapping   *meta.RESTMapping
	namespace string // empty: all, or the kind has none
	name      string // empty: all
	match     observe.Match
	lean      bool // only their metadata
}

func (s scope) kind() status.Kind {
	return status.Kind{Group: s.mapping.GroupVersionKind.Group, Kind: s.mapping.GroupVersionKind.Kind}
}

// where names the scope as kubectl would: "deployments.apps in namespace shop".
func (s scope) where() string {
	what := s.mapping.Resource.GroupResource().String()
	switch {
	case s.namespace != "":
		return what + " in namespace " + s.namespace
	case s.mapping.Scope.Name() == meta.RESTScopeNameNamespace:
		return what + " in all namespaces"
	}
	return what
}

// narrow adds the selectors of the scope.
func (s scope) narrow(o metav1.ListOptions) metav1.ListOptions {
	o.LabelSelector, o.FieldSelector = s.match.Selectors()
	if s.name != "" {
		o.FieldSelector = strings.TrimPrefix(o.FieldSelector+",metadata.name="+fields.EscapeValue(s.name), ",")
	}
	return o
}

// list gives each object there is to a function, page by page, and returns the
// version of the list.
func (l *link) list(ctx context.Context, s scope, each func(metav1.Object)) (version string, err error) {
	o := s.narrow(metav1.ListOptions{Limit: pageSize})
	for {
		var page runtime.Object
		if s.lean {
			page, err = l.metadata.Resource(s.mapping.Resource).Namespace(s.namespace).List(ctx, o)
		} else {
			page, err = l.objects.Resource(s.mapping.Resource).Namespace(s.namespace).List(ctx, o)
		}
		switch {
		case apierrors.IsResourceExpired(err) && o.Limit > 0:
			o.Limit, o.Continue = 0, "" // it has taken too long for pages
			continue
		case err != nil:
			return "", err
		}
		version, o.Continue = hand(page, each)
		if o.Continue == "" {
			return version, nil
		}
	}
}

// probe lists one object, to see whether that is permitted.
func (l *link) probe(ctx context.Context, s scope) error {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	_, err := l.metadata.Resource(s.mapping.Resource).Namespace(s.namespace).List(ctx, s.narrow(metav1.ListOptions{Limit: 1}))
	return err
}

// hand gives the objects of a page to a function and lets each go after it.
func hand(page runtime.Object, each func(metav1.Object)) (version, more string) {
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
func (l *link) watch(ctx context.Context, s scope, version string) (watch.Interface, error) {
	seconds := int64((watchTime + rand.N(watchTime)).Seconds())
	o := s.narrow(metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if version == "" {
		o.SendInitialEvents = new(true)
		o.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	if s.lean {
		return l.metadata.Resource(s.mapping.Resource).Namespace(s.namespace).Watch(ctx, o)
	}
	return l.objects.Resource(s.mapping.Resource).Namespace(s.namespace).Watch(ctx, o)
}

// get reads the object that the scope names.
func (l *link) get(ctx context.Context, s scope) (metav1.Object, error) {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	if s.lean {
		return l.metadata.Resource(s.mapping.Resource).Namespace(s.namespace).Get(ctx, s.name, metav1.GetOptions{})
	}
	return l.objects.Resource(s.mapping.Resource).Namespace(s.namespace).Get(ctx, s.name, metav1.GetOptions{})
}

// object returns what came from the server as an object to be judged.
func (s scope) object(obj metav1.Object) (*unstructured.Unstructured, error) {
	switch obj := obj.(type) {
	case *unstructured.Unstructured:
		u := &unstructured.Unstructured{Object: obj.Object}
		Trim(u.Object)
		return u, nil
	case *metav1.PartialObjectMetadata:
		meta, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&obj.ObjectMeta)
		if err != nil {
			return nil, fmt.Errorf("read the metadata of %s %s: %w", s.kind(), obj.Name, err)
		}
		u := &unstructured.Unstructured{Object: map[string]any{"metadata": meta}}
		u.SetGroupVersionKind(s.mapping.GroupVersionKind)
		Trim(u.Object)
		return u, nil
	}
	return nil, fmt.Errorf("read %s: want an object, have %T", s.kind(), obj)
}
