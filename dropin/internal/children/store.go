// Package children keeps the ReplicaSets and Pods of watched workloads, so that reading the
// status of a workload sends no request.
//
// A Store opens one stream per kind, and per namespace or for the whole cluster, when a status
// reader first lists objects of that kind. It keeps only objects that the selector of a watched
// workload matches. store.go is the API, parents.go knows the workloads and their selectors,
// kind_stream.go keeps the objects of one stream, and reader.go is what status readers receive.
package children

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/object"
)

var (
	deploymentKind  = schema.GroupKind{Group: "apps", Kind: "Deployment"}
	replicaSetKind  = schema.GroupKind{Group: "apps", Kind: "ReplicaSet"}
	statefulSetKind = schema.GroupKind{Group: "apps", Kind: "StatefulSet"}
	podKind         = schema.GroupKind{Kind: "Pod"}
)

// childKinds are the kinds of the objects that status readers list for a workload.
var childKinds = map[schema.GroupKind][]schema.GroupKind{
	deploymentKind:  {replicaSetKind, podKind},
	replicaSetKind:  {podKind},
	statefulSetKind: {podKind},
}

// Kinds returns the kinds whose objects a status reader lists for objects of kind.
func Kinds(kind schema.GroupKind) []schema.GroupKind { return childKinds[kind] }

// Config configures a Store.
type Config struct {
	Client  dynamic.Interface
	Mapper  meta.RESTMapper
	Live    engine.ClusterReader // reads everything that the Store does not keep
	Changed func(parent object.ObjMetadata)
	Lean    bool // ReplicaSets are kept without their templates

	// WholeCluster opens streams for all namespaces. Where that is forbidden, lists are live.
	WholeCluster bool
}

// A Store keeps children. It is safe for concurrent use.
type Store struct {
	Config
	ctx context.Context
	wg  sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	parents parents
	streams map[scope]*kindStream
}

// A scope is a kind in a namespace, or in all if the namespace is empty.
type scope struct {
	kind      schema.GroupKind
	namespace string
}

// New returns a Store whose streams end with ctx.
func New(ctx context.Context, c Config) *Store {
	return &Store{Config: c, ctx: ctx, parents: newParents(), streams: map[scope]*kindStream{}}
}

// Wait waits until all streams have ended. The context of New must have ended.
func (s *Store) Wait() { s.wg.Wait() }

// Register makes the Store keep the children of a workload. Other kinds are ignored.
func (s *Store) Register(u *unstructured.Unstructured) {
	kind := u.GroupVersionKind().GroupKind()
	if childKinds[kind] == nil {
		return
	}
	id := object.UnstructuredToObjMetadata(u)
	selector, ok := selectorOf(u)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !ok {
		s.parents.remove(id)
		return
	}
	if !s.parents.add(id, selector) {
		return
	}
	for _, child := range childKinds[kind] {
		if ks := s.streams[s.scopeOf(child, id.Namespace)]; ks != nil {
			ks.widen()
		}
	}
}

// Forget drops the children of a workload when they change next.
func (s *Store) Forget(id object.ObjMetadata) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parents.remove(id)
}

func (s *Store) scopeOf(kind schema.GroupKind, namespace string) scope {
	if s.WholeCluster {
		namespace = ""
	}
	return scope{kind, namespace}
}

// stream returns the stream of a scope, and opens it if needed.
func (s *Store) stream(sc scope) (*kindStream, error) {
	s.mu.Lock()
	ks := s.streams[sc]
	s.mu.Unlock()
	if ks != nil {
		return ks, nil
	}
	mapping, err := s.Mapper.RESTMapping(sc.kind) // may send requests
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ks := s.streams[sc]; ks != nil {
		return ks, nil
	}
	ks = newKindStream(s, sc, mapping)
	s.streams[sc] = ks
	s.wg.Go(func() { ks.run(s.ctx) })
	return ks, nil
}

// wants reports whether an object of a kind is a child of a workload.
func (s *Store) wants(kind schema.GroupKind, namespace string, set map[string]string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range s.parents.matching(kind, namespace, set) {
		return true
	}
	return false
}

// changed reports a change of a child to its parents.
func (s *Store) changed(kind schema.GroupKind, namespace string, sets ...map[string]string) {
	seen := map[object.ObjMetadata]bool{}
	s.mu.Lock()
	for _, set := range sets {
		for id := range s.parents.matching(kind, namespace, set) {
			seen[id] = true
		}
	}
	s.mu.Unlock()
	for id := range seen {
		s.Changed(id)
	}
}

// changedAll reports a change to all parents of a scope.
func (s *Store) changedAll(sc scope) {
	s.mu.Lock()
	ids := s.parents.in(sc)
	s.mu.Unlock()
	for _, id := range ids {
		s.Changed(id)
	}
}

// resource returns the interface that reads a scope.
func (s *Store) resource(sc scope, mapping *meta.RESTMapping) dynamic.ResourceInterface {
	r := s.Client.Resource(mapping.Resource)
	if sc.namespace == metav1.NamespaceAll {
		return r
	}
	return r.Namespace(sc.namespace)
}
