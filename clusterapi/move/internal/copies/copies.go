// Package copies creates the copies of objects in the target of a move. It finds, completes,
// compares and deletes them. What differs is left to the move to decide.
package copies

import (
	"context"
	"maps"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/content"
	"kstatus.dev/clusterapi/move/internal/deletion"
	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/status"
)

// A Set is the set of the copies of a move. [Set.Begin] must be called before a copy is made or
// found. Later, its methods may be called concurrently.
type Set struct {
	Target *endpoint.Cluster
	// Differs decides about a copy that differs from its original. It returns nil to accept that.
	Differs func(object, differences string) error
	// Collides returns the error for an original whose name another original had.
	Collides func(i *plan.Item, original *unstructured.Unstructured) error
	// Note reports what is special.
	Note func(object, format string, args ...any)

	move   string
	status []schema.GroupKind

	mu      sync.Mutex // guards the fields below
	copies  map[string]Copy
	adopted map[string]bool // by the UID of the original
	schemas map[string]content.Schema
}

// A Copy is the copy of an object in the target.
type Copy struct {
	UID types.UID
	// Version is the resourceVersion whose content was compared with the original.
	Version string
	Adopted bool // it existed before, with the same content, and is not marked
}

// Begin sets the ID of the move and the kinds whose status is copied. adopted are the UIDs of
// originals whose copies an earlier run has adopted.
func (s *Set) Begin(move string, status []schema.GroupKind, adopted []string) {
	s.move, s.status, s.adopted = move, status, map[string]bool{}
	for _, uid := range adopted {
		s.adopted[uid] = true
	}
}

// Of returns the copy of an object. Without one, it returns the zero Copy.
func (s *Set) Of(i *plan.Item) Copy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copies[i.UID]
}

// Adopted returns the UIDs of originals whose copy existed before the move, sorted.
func (s *Set) Adopted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.adopted))
}

// set notes the copy of an object by the UID of the original.
func (s *Set) set(uid string, o *unstructured.Unstructured, adopted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.copies == nil {
		s.copies = map[string]Copy{}
	}
	s.copies[uid] = Copy{UID: o.GetUID(), Version: o.GetResourceVersion(), Adopted: adopted}
	if adopted {
		s.adopted[uid] = true
	}
}

// Original returns the UID of the original of a copy of this move.
func Original(o *management.Object) types.UID {
	_, uid := content.ParseMark(o.GetAnnotations()[content.MarkAnnotation])
	return uid
}

// IsCopy reports whether an object of the target is the copy of an original that this move has
// created.
func (s *Set) IsCopy(o *unstructured.Unstructured, original types.UID) bool {
	return o.GetAnnotations()[content.MarkAnnotation] == content.Mark(s.move, original)
}

// Marked returns the objects of the target that the move has created, with their metadata only. It
// reads the kinds and namespaces of items.
func (s *Set) Marked(ctx context.Context, items []*plan.Item) ([]*management.Object, error) {
	all, err := endpoint.List(ctx, s.Target, items, func(k *management.Kind, o *metav1.PartialObjectMetadata) (*management.Object, bool) {
		move, _ := content.ParseMark(o.Annotations[content.MarkAnnotation])
		if move != s.move {
			return nil, false
		}
		return management.WithoutValues(k, o), true
	})
	slices.SortFunc(all, management.CompareObjects)
	return all, err
}

// Find finds the copies of items by their marks, and those that were adopted by name.
func (s *Set) Find(ctx context.Context, items []*plan.Item) error {
	marked, err := s.Marked(ctx, items)
	if err != nil {
		return err
	}
	ids := map[types.UID]status.ID{}
	for _, i := range items {
		ids[types.UID(i.UID)] = i.ID()
	}
	for _, o := range marked {
		// Somebody may have created another object from a copy, with its annotations.
		if ids[Original(o)] == o.ID() {
			s.Add(o)
		}
	}
	adopted := s.Adopted()
	for _, i := range items {
		if _, is := slices.BinarySearch(adopted, i.UID); !is || s.Of(i) != (Copy{}) {
			continue
		}
		o, err := s.Target.Live(ctx, i)
		if err != nil {
			return err
		}
		if o != nil {
			s.set(i.UID, o.Unstructured, true)
		}
	}
	return nil
}

// Add adds an object that the move has created.
func (s *Set) Add(o *management.Object) { s.set(string(Original(o)), o.Unstructured, false) }

// A State is what the target shows about a copy since it was compared with its original.
type State int

// The states of a copy.
const (
	Unchanged State = iota
	Changed         // it was written
	Lost            // it does not exist, or is being deleted
)

// States returns the states of the copies of items.
func (s *Set) States(ctx context.Context, items []*plan.Item) (map[*plan.Item]State, error) {
	have, err := s.Target.OwnStates(ctx, items)
	if err != nil {
		return nil, err
	}
	states := make(map[*plan.Item]State, len(items))
	for _, i := range items {
		c := s.Of(i)
		switch now, exists := have[c.UID]; {
		case !exists || now.IsDeleted:
			states[i] = Lost
		case now.Version != c.Version:
			states[i] = Changed
		}
	}
	return states, nil
}

// Remove deletes the copy of an object from the target, if the move has created it.
func (s *Set) Remove(ctx context.Context, i *plan.Item) error {
	s.mu.Lock()
	c, found := s.copies[i.UID]
	delete(s.copies, i.UID)
	s.mu.Unlock()
	if !found || c.Adopted {
		return nil
	}
	own := *i
	own.UID = string(c.UID)
	return s.Target.Delete(ctx, &own, endpoint.Known{}, func(_ context.Context, live *unstructured.Unstructured) error {
		if !s.IsCopy(live, types.UID(i.UID)) {
			return deletion.ErrReplaced
		}
		return nil
	})
}

// Clean removes the marks from the copies of items. This write is also an event for each controller
// of the target.
func (s *Set) Clean(ctx context.Context, items []*plan.Item) error {
	marked, err := s.Marked(ctx, items)
	if err != nil {
		return err
	}
	return s.Target.Each(ctx, len(marked), func(n int) string { return "clean " + marked[n].Title() }, func(ctx context.Context, n int) error {
		o := marked[n]
		_, err := patch(ctx, s.Target.Resource(o.Kind, o.GetNamespace()), o.GetName(), o.GetUID(), map[string]any{"metadata": map[string]any{"annotations": map[string]any{content.MarkAnnotation: nil}}})
		if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
			return nil // deleted or replaced meanwhile
		}
		return err
	})
}
