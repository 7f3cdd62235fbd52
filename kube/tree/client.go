package tree

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/kube/connection"
	"kstatus.dev/status"
)

// A client reads one cluster.
type client struct {
	*connection.Connection
	mapper connection.Mapper
	kinds  discovery.ServerResourcesInterface
}

func newClient(r Reader) (*client, error) {
	server, err := connection.New(r.Config)
	if err != nil {
		return nil, err
	}
	cached := memory.NewMemCacheClient(server.Discovery)
	if r.Mapper == nil {
		r.Mapper = restmapper.NewDeferredDiscoveryRESTMapper(cached)
	}
	if r.Discovery == nil {
		r.Discovery = cached
	}
	return &client{server, connection.Mapper{Mapper: r.Mapper}, r.Discovery}, nil
}

// A scope selects the objects to read.
type scope struct {
	mapping      *meta.RESTMapping
	namespace    string // empty: all namespaces, or a cluster-scoped kind.
	name         string // empty: all that match.
	labels       string // a label selector.
	fields       string // a field selector.
	metadataOnly bool   // read only metadata.
	limit        int64  // of the objects in a list; zero: none
}

// newScope returns the scope of all objects of a kind in a namespace, or
// everywhere for cluster-scoped kinds. For kinds that may contain secrets it
// reads only the metadata.
func newScope(m *meta.RESTMapping, namespace string) scope {
	s := scope{mapping: m, namespace: namespace}
	s.metadataOnly = metadataKinds[s.kind()]
	if !s.namespaced() {
		s.namespace = ""
	}
	return s
}

func (s scope) kind() status.Kind {
	return status.Kind(s.mapping.GroupVersionKind.GroupKind())
}

func (s scope) resource() string { return s.mapping.Resource.GroupResource().String() }

func (s scope) namespaced() bool { return s.mapping.Scope.Name() == meta.RESTScopeNameNamespace }

// String describes the scope for messages.
func (s scope) String() string {
	switch {
	case s.name != "" && s.namespace != "":
		return s.kind().Kind + " " + s.namespace + "/" + s.name
	case s.name != "":
		return s.kind().Kind + " " + s.name
	case s.namespace != "":
		return s.resource() + " in namespace " + s.namespace
	case s.namespaced():
		return s.resource() + " in all namespaces"
	}
	return s.resource()
}

// An object is an object from the cluster.
type object struct{ *unstructured.Unstructured }

// list reads all objects in their latest state. Without a resourceVersion the
// server may not answer from an older cache, which could contradict other
// facts. Servers since 1.31 answer consistent lists from their cache.
func (c *client) list(ctx context.Context, s scope) (a answer, err error) {
	return c.page(ctx, s, metav1.ListOptions{})
}

// namedPages is the number of pages of a list of named objects.
const namedPages = 20

// named lists pages until nearly all objects with these names are found: maxGets of them are read one
// by one. So an object costs little in a namespace with very many. If a later page cannot be read, as
// at the end of ctx, the result has the earlier ones.
func (c *client) named(ctx context.Context, s scope, names map[string]bool) (all answer, err error) {
	missing := len(names)
	o := metav1.ListOptions{Limit: connection.PageSize}
	for i := range namedPages {
		page, err := c.page(ctx, s, o)
		if err != nil && i == 0 {
			return answer{}, err
		}
		if err != nil {
			break
		}
		all.objects, all.more = append(all.objects, page.objects...), page.more
		for _, o := range page.objects {
			if names[o.GetName()] {
				missing--
			}
		}
		if all.more == "" || missing <= maxGets {
			break
		}
		o.Continue = all.more
	}
	return all, nil
}

func (c *client) page(ctx context.Context, s scope, o metav1.ListOptions) (a answer, err error) {
	o.LabelSelector, o.FieldSelector = s.labels, s.fields
	if s.metadataOnly {
		page, err := c.Metadata.Resource(s.mapping.Resource).Namespace(s.namespace).List(ctx, o)
		if err != nil {
			return a, err
		}
		for i := range page.Items {
			u, err := s.fromMetadata(&page.Items[i])
			if err != nil {
				return a, err
			}
			a.objects = append(a.objects, object{u})
		}
		a.more = page.Continue
		return a, nil
	}
	page, err := c.Objects.Resource(s.mapping.Resource).Namespace(s.namespace).List(ctx, o)
	if err != nil {
		return a, err
	}
	for i := range page.Items {
		page.Items[i].SetGroupVersionKind(s.mapping.GroupVersionKind)
		a.objects = append(a.objects, object{&page.Items[i]})
	}
	a.more = page.GetContinue()
	return a, nil
}

// get reads the object with the name of the scope.
func (c *client) get(ctx context.Context, s scope) (a answer, err error) {
	var u *unstructured.Unstructured
	if s.metadataOnly {
		var m *metav1.PartialObjectMetadata
		m, err = c.Metadata.Resource(s.mapping.Resource).Namespace(s.namespace).Get(ctx, s.name, metav1.GetOptions{})
		if err == nil {
			u, err = s.fromMetadata(m)
		}
	} else {
		u, err = c.Objects.Resource(s.mapping.Resource).Namespace(s.namespace).Get(ctx, s.name, metav1.GetOptions{})
	}
	if err == nil && (u.GetName() != s.name || u.GetNamespace() != s.namespace || u.GroupVersionKind().GroupKind() != s.mapping.GroupVersionKind.GroupKind()) {
		err = fmt.Errorf("want %s, have %s %s/%s", s, u.GroupVersionKind().GroupKind(), u.GetNamespace(), u.GetName())
	}
	if err != nil {
		return a, err
	}
	return answer{objects: []object{{u}}}, nil
}

// fromMetadata converts metadata to an object without spec and status.
func (s scope) fromMetadata(m *metav1.PartialObjectMetadata) (*unstructured.Unstructured, error) {
	root, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&m.ObjectMeta)
	if err != nil {
		return nil, fmt.Errorf("read the metadata of %s %s: %w", s.kind(), m.Name, err)
	}
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": root}}
	u.SetGroupVersionKind(s.mapping.GroupVersionKind)
	return u, nil
}
