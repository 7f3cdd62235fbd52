package tree

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/status"
)

// How much of an answer is read at most.
const maxResponseBytes = 256 << 20

// A client is the connection to a cluster.
type client struct {
	http     *http.Client
	mapper   meta.RESTMapperWithContext
	kinds    discovery.ServerResourcesInterfaceWithContext
	objects  dynamic.Interface
	metadata metadata.Interface
	server   rest.Interface // for what is not an object
}

func newClient(r Reader) (*client, error) {
	config := rest.CopyConfig(r.Config)
	config.QPS = -1                                                                  // there are few requests, and the server limits them by priority
	config.WarningHandler, config.WarningHandlerWithContext = rest.NoWarnings{}, nil // they are about how we ask, which the user cannot change
	if config.UserAgent == "" {
		config.UserAgent = "kstatus"
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return limitedTransport{next} })
	l := &client{}
	var err error
	if l.http, err = rest.HTTPClientFor(config); err != nil {
		return nil, err
	}
	if l.objects, err = dynamic.NewForConfigAndClient(config, l.http); err != nil {
		return nil, err
	}
	if l.metadata, err = metadata.NewForConfigAndClient(metadata.ConfigFor(config), l.http); err != nil {
		return nil, err
	}
	known, err := discovery.NewDiscoveryClientForConfigAndClient(config, l.http)
	if err != nil {
		return nil, err
	}
	l.server = known.RESTClient()
	cached := memory.NewMemCacheClient(known)
	if r.Mapper == nil {
		r.Mapper = restmapper.NewDeferredDiscoveryRESTMapper(cached)
	}
	if r.Kinds == nil {
		r.Kinds = cached
	}
	l.mapper, l.kinds = meta.ToRESTMapperWithContext(r.Mapper), discovery.ToServerResourcesInterfaceWithContext(r.Kinds)
	return l, nil
}

// close ends the connections that nobody else uses.
func (l *client) close() { utilnet.CloseIdleConnectionsFor(l.http.Transport) }

// A limitedTransport transport ends answers that are too long.
type limitedTransport struct{ next http.RoundTripper }

// WrappedRoundTripper returns the transport that it asks.
func (b limitedTransport) WrappedRoundTripper() http.RoundTripper { return b.next }

// RoundTrip makes a request.

func (b limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(r)
	if err == nil && resp.Body != nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{&limitedBody{resp.Body, maxResponseBytes}, resp.Body}
	}
	return resp, err
}

// A limitedBody reads so many bytes at most; more is an error.
type limitedBody struct {
	from io.Reader
	left int64
}

func (a *limitedBody) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, errLarge
	}
	n, err := a.from.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	return n, err
}

// A scope is which objects are read.
type scope struct {
	mapping      *meta.RESTMapping
	namespace    string // empty: all, or the kind has none
	name         string // empty: all that match
	labels       string // a selector
	fields       string // a selector
	metadataOnly bool   // only their metadata
}

func (s scope) kind() status.Kind {
	return status.Kind{Group: s.mapping.GroupVersionKind.Group, Kind: s.mapping.GroupVersionKind.Kind}
}

func (s scope) resource() string { return s.mapping.Resource.GroupResource().String() }

func (s scope) namespaced() bool { return s.mapping.Scope.Name() == meta.RESTScopeNameNamespace }

// String names the scope for people.
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

// An object is one as it came from the cluster.
type object struct{ *unstructured.Unstructured }

// list reads all objects at once, as they are now: what was true a moment ago, as
// the server's cache has it without being asked for more, may contradict what is
// known already. Servers since 1.31 answer it from their cache all the same.
func (l *client) list(ctx context.Context, s scope) (a answer, err error) {
	return l.page(ctx, s, metav1.ListOptions{})
}

func (l *client) page(ctx context.Context, s scope, o metav1.ListOptions) (a answer, err error) {
	o.LabelSelector, o.FieldSelector = s.labels, s.fields
	if s.metadataOnly {
		page, err := l.metadata.Resource(s.mapping.Resource).Namespace(s.namespace).List(ctx, o)
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
	page, err := l.objects.Resource(s.mapping.Resource).Namespace(s.namespace).List(ctx, o)
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

// get reads the object that the scope names.
func (l *client) get(ctx context.Context, s scope) (a answer, err error) {
	var u *unstructured.Unstructured
	if s.metadataOnly {
		var m *metav1.PartialObjectMetadata
		m, err = l.metadata.Resource(s.mapping.Resource).Namespace(s.namespace).Get(ctx, s.name, metav1.GetOptions{})
		if err == nil {
			u, err = s.fromMetadata(m)
		}
	} else {
		u, err = l.objects.Resource(s.mapping.Resource).Namespace(s.namespace).Get(ctx, s.name, metav1.GetOptions{})
	}
	if err != nil {
		return a, err
	}
	return answer{objects: []object{{u}}}, nil
}

// fromMetadata returns metadata as an object of which nothing else is known.
func (s scope) fromMetadata(m *metav1.PartialObjectMetadata) (*unstructured.Unstructured, error) {
	root, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&m.ObjectMeta)
	if err != nil {
		return nil, fmt.Errorf("read the metadata of %s %s: %w", s.kind(), m.Name, err)
	}
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": root}}
	u.SetGroupVersionKind(s.mapping.GroupVersionKind)
	return u, nil
}
