package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/copies"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/status"
)

// Rollback undoes a move: it deletes the copies from the target, and restores the state from
// before the pause in the source. It is possible until the first object is deleted from the source.
// A move from a folder deletes none. It can be rolled back until it removes its marks.
func (m *Mover) Rollback(ctx context.Context) (*Result, error) {
	defer m.call.Follow(ctx)()
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
		return nil, cmp.Or(m.lost(err), err)
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

// How long the last steps of a call may take after an error, and after its context has ended. A
// journal in a file is always written: that needs no server.
const (
	lastTimeout    = 30 * time.Second
	restoreTimeout = 25 * time.Second
	saveGrace      = 900 * time.Millisecond
	restoreGrace   = 750 * time.Millisecond
)

// interrupt records an error, unless a lock is lost.
func (m *Mover) interrupt(ctx context.Context, cause error) error {
	if lost := m.lost(cause); lost != nil {
		return lost
	}
	m.doc.Failure = cause.Error()
	saving, cancel := m.call.Last(ctx, lastTimeout, saveGrace)
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
		_, marked := o.GetAnnotations()[management.DeleteForMoveAnnotation]
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
		m.copies.Add(o)
		uid := copies.Original(o)
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
			of.UID = string(m.copies.Of(i).UID)
			gone[k] = &of
		}
		if err := m.checkOriginals(ctx, step); err != nil {
			return err
		}
		if err := m.each(ctx, step, m.copies.Remove); err != nil {
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
	originals, err := m.source.OwnStates(ctx, items)
	if err != nil {
		return err
	}
	var last []string
	for _, i := range items {
		if s, exists := originals[types.UID(i.UID)]; !exists || s.IsDeleted {
			last = append(last, i.Key())
		}
	}
	return lastCopies(last)
}

// removable returns the copies that a rollback deletes. It is an error if the source no longer has
// the original of one. Other objects that have the annotation of a copy stay.
func (m *Mover) removable(ctx context.Context) ([]*management.Object, error) {
	marked, err := m.copies.Marked(ctx, m.doc.Plan.Selected())
	if err != nil || m.source == nil {
		return marked, err
	}
	originals, err := m.source.States(ctx, m.doc.Plan.Selected())
	if err != nil {
		return nil, err
	}
	ids := map[types.UID]status.ID{}
	for _, i := range m.doc.Plan.Items {
		ids[types.UID(i.UID)] = i.ID()
	}
	for uid, s := range originals {
		ids[uid] = s.ID
	}
	var last []string
	removable := slices.DeleteFunc(marked, func(o *management.Object) bool {
		uid := copies.Original(o)
		if id, known := ids[uid]; known && id != o.ID() {
			m.note(o.Title(), "it has the annotation of a copy, but another name, and stays")
			return true
		}
		if s, exists := originals[uid]; !exists || s.IsDeleted {
			last = append(last, o.Title())
		}
		return false
	})
	return removable, lastCopies(last)
}

// hasCopies reports whether the target may have objects that the move has created.
func (m *Mover) hasCopies(ctx context.Context) bool {
	if m.target == nil {
		return false
	}
	marked, err := m.copies.Marked(ctx, m.doc.Plan.Selected())
	return err != nil || len(marked) > 0
}

// clean removes the marks from the copies.
func (m *Mover) clean(ctx context.Context) error {
	return m.copies.Clean(ctx, m.doc.Plan.Selected())
}
