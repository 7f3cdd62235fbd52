package children

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/object"
)

// A reader reads for the status of one workload.
type reader struct {
	engine.ClusterReader // reads live
	store                *Store
	parent               object.ObjMetadata
}

// Reader returns the reader for the status of an object. It lists the children of a workload
// from the Store, and reads everything else from the server.
func (s *Store) Reader(id object.ObjMetadata) engine.ClusterReader {
	if childKinds[id.GroupKind] == nil {
		return s.Live
	}
	return &reader{ClusterReader: s.Live, store: s, parent: id}
}

// ListNamespaceScoped lists children from the Store when its first list is complete.
func (r *reader) ListNamespaceScoped(ctx context.Context, list *unstructured.UnstructuredList, namespace string, selector labels.Selector) error {
	kind := list.GroupVersionKind().GroupKind()
	added, ok := r.store.parentOf(r.parent, selector)
	if !ok || namespace != r.parent.Namespace || !slices.Contains(childKinds[r.parent.GroupKind], kind) {
		return r.ClusterReader.ListNamespaceScoped(ctx, list, namespace, selector)
	}
	ks, err := r.store.stream(r.store.scopeOf(kind, namespace))
	if err != nil {
		return r.ClusterReader.ListNamespaceScoped(ctx, list, namespace, selector)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-ks.settled:
	}
	ks.await(ctx, added)
	if ok, err := ks.list(list, namespace, selector, added); ok || err != nil {
		return err
	}
	return r.ClusterReader.ListNamespaceScoped(ctx, list, namespace, selector)
}

func (s *Store) parentOf(id object.ObjMetadata, asked labels.Selector) (added int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.parents.parentOf(id, asked)
}
