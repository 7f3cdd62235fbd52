package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/internal/content"
	"kstatus.dev/kube/move/internal/retry"
	"kstatus.dev/kube/move/plan"
)

// Rollback undoes a move: it deletes the copies from the target, and restores the state from
// before the pause in the source. It is possible until the first object is deleted from the source.
// A move from a folder deletes none. It can be rolled back until it removes its marks.
func (m *Mover) Rollback(ctx context.Context) (*Result, error) {
	defer m.follow(ctx)()
	ctx, release, err := m.reopen(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	switch m.doc.Phase {
	case RolledBack:
		return m.finish(nil, nil)
	case Unpausing, Cleaning, Done:
		switch {
		case m.source == nil && m.doc.Phase != Unpausing:
			return nil, fmt.Errorf("move %s has removed its marks from objects of the target, so it cannot be rolled back; resume it, then move or delete the Clusters", m.doc.ID)
		case m.source != nil && m.target != nil:
			return nil, &IrreversibleError{ID: m.doc.ID}
		}
		// A move from or to a folder deletes no originals.
	case Deleting:
		if err := m.checkUntouched(ctx); err != nil {
			return nil, err
		}
	}
	if err := m.enter(ctx, RollingBack, 0); err != nil {
		return nil, err
	}
	if m.target == nil {
		err = m.removeFolder(ctx)
	} else {
		err = m.removeCopies(ctx)
	}
	if err == nil && m.source != nil {
		err = m.unpauseSource(ctx)
	}
	if err != nil {
		return m.finish(m.interrupt(ctx, err), nil)
	}
	return m.finish(errors.Join(m.enter(ctx, RolledBack, 0), m.removeConfigMaps(ctx)), nil)
}

// An IrreversibleError says that a move has deleted objects from the source, or has prepared that.
type IrreversibleError struct{ ID string }

// Error says what can be done instead of a rollback.
func (e *IrreversibleError) Error() string {
	return fmt.Sprintf("move %s has begun to delete objects from the source, so it cannot be rolled back; resume it, then move back", e.ID)
}

// interrupt records an error, unless a lock is lost.
func (m *Mover) interrupt(ctx context.Context, cause error) error {
	if lost := m.lost(cause); lost != nil {
		return lost
	}
	m.doc.Failure = cause.Error()
	saving, cancel := m.last(ctx, lastTimeout, saveGrace)
	defer cancel()
	return errors.Join(&InterruptedError{ID: m.doc.ID, Phase: m.doc.Phase, Err: cause}, m.save(saving))
}

// checkUntouched returns an error if any object of the source has been deleted, or prepared for
// that.
func (m *Mover) checkUntouched(ctx context.Context) error {
	inv, err := m.read(ctx)
	if err != nil {
		return err
	}
	untouched := map[string]bool{}
	for i, o := range inv.Objects {
		_, marked := o.GetAnnotations()[clusterapi.DeleteForMoveAnnotation]
		untouched[i.UID] = !marked && o.GetDeletionTimestamp() == nil
	}
	for _, i := range m.doc.Plan.Selected() {
		if i.Decision == plan.Move && !untouched[i.UID] {
			return &IrreversibleError{ID: m.doc.ID}
		}
	}
	return nil
}

// removeCopies deletes all objects of the target that the move has created, in the reverse order
// of their creation.
func (m *Mover) removeCopies(ctx context.Context) error {
	marked, err := m.removable(ctx)
	if err != nil {
		return err
	}
	steps := map[string]int{}
	for _, i := range m.doc.Plan.Items {
		steps[i.UID] = i.Step
	}
	var items []*plan.Item
	for _, o := range marked {
		_, uid := content.ParseMark(o.GetAnnotations()[content.MarkAnnotation])
		m.copies[string(uid)] = duplicate{uid: o.GetUID(), version: o.GetResourceVersion()}
		items = append(items, &plan.Item{
			Group: o.Kind.Group, Version: o.Kind.Version, Kind: o.Kind.Kind, Resource: o.Kind.Resource,
			Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(uid), Step: steps[string(uid)],
		})
	}
	slices.SortFunc(items, func(a, b *plan.Item) int { return b.Step - a.Step })
	for len(items) > 0 {
		n := 1
		for n < len(items) && items[n].Step == items[0].Step {
			n++
		}
		step := items[:n]
		gone := make([]*plan.Item, n)
		for k, i := range step {
			of := *i
			of.UID = string(m.copies[i.UID].uid)
			gone[k] = &of
		}
		if err := m.checkOriginals(ctx, step); err != nil {
			return err
		}
		if err := m.each(ctx, step, m.removeCopy); err != nil {
			return err
		}
		if err := m.waitUntilGone(ctx, m.target, gone); err != nil {
			return err
		}
		items = items[n:]
	}
	return nil
}

// checkOriginals returns an error if the source no longer has the original of each item, or deletes
// it.
func (m *Mover) checkOriginals(ctx context.Context, items []*plan.Item) error {
	if m.source == nil {
		return nil
	}
	originals, err := m.states(ctx, m.source, items)
	if err != nil {
		return err
	}
	var last []string
	for _, i := range items {
		if s, exists := originals[types.UID(i.UID)]; !exists || s.isDeleted {
			last = append(last, i.Key())
		}
	}
	if len(last) > 0 {
		return &LastCopyError{last}
	}
	return nil
}

// removable returns the copies that a rollback deletes. It is an error if the source no longer has
// the original of one. Other objects that have the annotation of a copy stay.
func (m *Mover) removable(ctx context.Context) ([]*clusterapi.Object, error) {
	marked, err := m.marked(ctx)
	if err != nil || m.source == nil {
		return marked, err
	}
	originals, err := m.states(ctx, m.source, m.doc.Plan.Selected())
	if err != nil {
		return nil, err
	}
	keys := map[types.UID]clusterapi.Key{}
	for _, i := range m.doc.Plan.Items {
		keys[types.UID(i.UID)] = keyOf(i)
	}
	for uid, s := range originals {
		keys[uid] = s.key
	}
	var last []string
	removable := slices.DeleteFunc(marked, func(o *clusterapi.Object) bool {
		_, uid := content.ParseMark(o.GetAnnotations()[content.MarkAnnotation])
		if key, known := keys[uid]; known && key != o.Key() {
			m.note(o.Key().String(), "it has the annotation of a copy, but another name, and stays")
			return true
		}
		if s, exists := originals[uid]; !exists || s.isDeleted {
			last = append(last, o.Key().String())
		}
		return false
	})
	if len(last) > 0 {
		return nil, &LastCopyError{last}
	}
	return removable, nil
}

// marked returns the objects of the target that the move has created, with their metadata only.
func (m *Mover) marked(ctx context.Context) (all []*clusterapi.Object, err error) {
	var mu sync.Mutex
	err = m.eachPlace(ctx, m.doc.Plan.Selected(), func(ctx context.Context, k *clusterapi.Kind, namespace string) error {
		var found []*clusterapi.Object
		err := m.target.EachMetadata(ctx, k.GroupVersionResource(), namespace, func(o *metav1.PartialObjectMetadata) {
			if move, _ := content.ParseMark(o.Annotations[content.MarkAnnotation]); move == m.doc.ID {
				found = append(found, clusterapi.WithoutValues(k, o))
			}
		})
		if apierrors.IsNotFound(err) {
			return nil // the target does not have the kind
		}
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			all = append(all, found...)
		}
		return err
	})
	slices.SortFunc(all, func(a, b *clusterapi.Object) int { return a.Key().Compare(b.Key()) })
	return all, err
}

// eachPlace calls do for each kind of items in each of their namespaces, several at the same time.
func (m *Mover) eachPlace(ctx context.Context, items []*plan.Item, do func(ctx context.Context, k *clusterapi.Kind, namespace string) error) error {
	type place struct {
		resource  schema.GroupVersionResource
		namespace string
	}
	var places []*plan.Item
	seen := map[place]bool{}
	for _, i := range items {
		at := place{kind(i).GroupVersionResource(), i.Namespace}
		if !seen[at] {
			seen[at] = true
			places = append(places, i)
		}
	}
	errs := make([]error, len(places))
	clusterapi.Each(len(places), m.o.Concurrency, func(n int) {
		i := places[n]
		errs[n] = m.retry(ctx, fmt.Sprintf("list %s", kind(i)), func(ctx context.Context) error { return do(ctx, kind(i), i.Namespace) })
	})
	return retry.Join(errs)
}

// hasCopies reports whether the target may have objects that the move has created.
func (m *Mover) hasCopies(ctx context.Context) bool {
	if m.target == nil {
		return false
	}
	marked, err := m.marked(ctx)
	return err != nil || len(marked) > 0
}

// clean removes the marks from the copies. This write is also an event for each controller of the
// target.
func (m *Mover) clean(ctx context.Context) error {
	marked, err := m.marked(ctx)
	if err != nil {
		return err
	}
	errs := make([]error, len(marked))
	clusterapi.Each(len(marked), m.o.Concurrency, func(n int) {
		o := marked[n]
		errs[n] = m.retry(ctx, "clean "+o.Key().String(), func(ctx context.Context) error {
			patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": o.GetUID(), "annotations": map[string]any{content.MarkAnnotation: nil}}})
			if err != nil {
				return err
			}
			_, err = m.target.Resource(o.Kind, o.GetNamespace()).Patch(ctx, o.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: clusterapi.FieldManager})
			if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
				return nil // deleted or replaced meanwhile
			}
			return err
		})
	})
	return retry.Join(errs)
}
