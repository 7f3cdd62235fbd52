package sets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/turn"
	"kstatus.dev/kube/connection"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	maxParallel = 8                // concurrent requests.
	getLimit    = 15 * time.Second // timeout of a request for one object.
	listLimit   = time.Minute      // timeout of a page.
)

var (
	secrets     = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	namespaces  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

// A finder finds the sets of one call.
type finder struct {
	*Cluster
	server *connection.Connection
	rules  status.Rules // the kinds with a built-in rule.

	mu    sync.Mutex // guards the fields below.
	reads map[Permission]bool
	notes []string

	release *Revision // the revision of the release; nil: none.

	discovery   turn.Turn // owns the fields below, so that discovery is requested once.
	discovered  *discoveryCache
	discoverErr error
}

func (c *Cluster) finder() (*finder, error) {
	server, err := connection.New(c.Config)
	if err != nil {
		return nil, err
	}
	return &finder{Cluster: c, server: server, rules: status.Profile{}.Rules(), reads: map[Permission]bool{}}, nil
}

// set returns the result, with notes and permissions.
func (f *finder) set(found []observe.Target) Set {
	f.mu.Lock()
	defer f.mu.Unlock()
	reads := slices.SortedFunc(maps.Keys(f.reads), func(a, b Permission) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group),
			cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Verb, b.Verb))
	})
	slices.Sort(f.notes) // notes of concurrent requests come in any order
	return Set{Objects: dedupe(found), Notes: slices.Compact(f.notes), Permissions: reads, Revision: f.release}
}

func (f *finder) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

func (f *finder) recordRead(verb string, r schema.GroupVersionResource, namespace, name string) {
	if guard.CheckName("namespace", namespace) != nil || guard.CheckName("object", name) != nil {
		return // no request is sent
	}
	f.record(Permission{Verb: verb, Group: r.Group, Resource: r.Resource, Namespace: namespace, Name: name})
}

func (f *finder) record(p Permission) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads[p] = true
}

// get reads an object.
func (f *finder) get(ctx context.Context, r schema.GroupVersionResource, namespace, name string) (*unstructured.Unstructured, error) {
	f.recordRead("get", r, namespace, name)
	return f.getByVaryingName(ctx, r, namespace, name)
}

// getByVaryingName reads an object whose name changes, so that the permission is for
// all names.
func (f *finder) getByVaryingName(ctx context.Context, r schema.GroupVersionResource, namespace, name string) (*unstructured.Unstructured, error) {
	ctx, cancel := context.WithTimeout(ctx, getLimit)
	defer cancel()
	u, err := f.server.Objects.Resource(r).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	return u, requestError(err, "get", r, namespace, name)
}

// getMetadata reads the metadata of an object.
func (f *finder) getMetadata(ctx context.Context, r schema.GroupVersionResource, namespace, name string) (*metav1.PartialObjectMetadata, error) {
	f.recordRead("get", r, namespace, name)
	ctx, cancel := context.WithTimeout(ctx, getLimit)
	defer cancel()
	m, err := f.server.Metadata.Resource(r).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	return m, requestError(err, "get", r, namespace, name)
}

// list reads the metadata of all objects with labels, page by page.
func (f *finder) list(ctx context.Context, r schema.GroupVersionResource, namespace, labels string) (all []metav1.PartialObjectMetadata, err error) {
	f.recordRead("list", r, namespace, "")
	return f.listAll(ctx, r, namespace, labels)
}

// listAll is list without a record of the permission.
func (f *finder) listAll(ctx context.Context, r schema.GroupVersionResource, namespace, labels string) (all []metav1.PartialObjectMetadata, err error) {
	page := func(ctx context.Context, o metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
		ctx, cancel := context.WithTimeout(ctx, listLimit)
		defer cancel()
		page, err := f.server.Metadata.Resource(r).Namespace(namespace).List(ctx, o)
		return page, requestError(err, "list", r, namespace, "")
	}
	err = connection.EachPage(ctx, metav1.ListOptions{LabelSelector: labels}, page, func(page *metav1.PartialObjectMetadataList, isFirst bool) error {
		if isFirst {
			all = nil
		}
		if all = append(all, page.Items...); page.Continue != "" && len(all) > MaxObjects {
			return fmt.Errorf("list %s: want at most %d objects, have more", r.GroupResource(), MaxObjects)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// requestError adds the request to an error. It keeps the server's message if
// the request was forbidden or the object was not found.
func requestError(err error, verb string, r schema.GroupVersionResource, namespace, name string) error {
	_, refused := errors.AsType[*guard.NameError](err)
	if err == nil || refused || apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		return err
	}
	what := r.GroupResource().String()
	if name != "" {
		what += " " + name
	}
	if namespace != "" {
		what += " in namespace " + namespace
	}
	return fmt.Errorf("%s %s: %w", verb, what, err)
}

// parallel calls do for 0 to n-1 concurrently, and returns the first error in
// that order.
func parallel(n int, do func(i int) error) error {
	errs := make([]error, n)
	crash.Each(n, maxParallel, func(i int) { errs[i] = do(i) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
