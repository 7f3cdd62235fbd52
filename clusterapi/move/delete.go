package move

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/content"
	"kstatus.dev/clusterapi/move/internal/deletion"
	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/plan"
)

// delete deletes the originals in the reverse order of their creation, and waits after each step
// until they are gone.
func (m *Mover) delete(ctx context.Context) error {
	steps := planner.Steps(m.doc.Plan)
	for step := m.doc.Plan.Steps - 1 - m.doc.Step; step >= 0; step-- {
		if err := m.enterStep(ctx, m.doc.Plan.Steps-1-step); err != nil {
			return err
		}
		var items []*plan.Item
		for _, i := range steps[step] {
			if i.Decision == plan.Move {
				items = append(items, i)
			}
		}
		if err := m.checkPaused(ctx); err != nil {
			return err
		}
		if err := m.checkCopies(ctx, items); err != nil {
			return err
		}
		if slices.ContainsFunc(items, func(i *plan.Item) bool { return endpoint.KindOf(i).GroupKind() == management.Cluster }) {
			if err := m.moveNew(ctx); err != nil {
				return err
			}
		}
		if err := m.deleteOriginals(ctx, items); err != nil {
			return err
		}
	}
	// Somebody may have deleted a copy in the same moment as the move its original.
	return m.checkCopies(ctx, m.doc.Plan.Selected())
}

// deleteOriginals deletes objects of the source and waits until they are gone.
func (m *Mover) deleteOriginals(ctx context.Context, items []*plan.Item) error {
	if err := m.each(ctx, items, m.deleteOriginal); err != nil {
		return err
	}
	return m.waitUntilGone(ctx, m.source, items)
}

// moveNew moves the objects that were created below the Clusters after the copies were verified.
// They cannot be found without their Clusters.
func (m *Mover) moveNew(ctx context.Context) error {
	inv, err := m.read(ctx)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, i := range m.doc.Plan.Items {
		known[i.UID] = true
	}
	found := slices.DeleteFunc(inv.Plan.Selected(), func(i *plan.Item) bool { return known[i.UID] || i.Decision != plan.Move })
	if len(found) == 0 {
		return nil
	}
	if blocking := m.blocking(inv.Plan.Problems); len(blocking) > 0 {
		return &BlockedError{blocking}
	}
	m.inv = inv
	for _, i := range found {
		m.note(i.Key(), "it was created in the source after the copies were compared, and is moved too")
		if err := m.createItem(ctx, i); err != nil {
			return err
		}
	}
	for _, i := range slices.Backward(found) {
		if err := m.deleteOriginals(ctx, []*plan.Item{i}); err != nil {
			return err
		}
	}
	m.doc.Plan.Items = append(m.doc.Plan.Items, found...)
	m.doc.Plan.Steps = max(m.doc.Plan.Steps, inv.Plan.Steps)
	return nil
}

// prepareDeletion pauses and reads what is left in the source after an interruption. It makes sure
// that the target has a copy of each object. Each of them is compared once more before its original
// is deleted, because somebody may have written the journal or the copy meanwhile.
func (m *Mover) prepareDeletion(ctx context.Context) error {
	left, err := m.source.States(ctx, m.doc.Plan.Selected())
	if err != nil {
		return err
	}
	if err := m.copies.Find(ctx, m.doc.Plan.Selected()); err != nil {
		return err
	}
	var needed []*plan.Item
	for _, i := range m.doc.Plan.Selected() {
		if _, exists := left[types.UID(i.UID)]; exists || i.Decision == plan.Move {
			needed = append(needed, i)
		}
	}
	if err := m.checkCopies(ctx, needed); err != nil {
		return err
	}
	if err := m.pauseAgain(ctx, left); err != nil {
		return err
	}
	m.compareAll = true
	if m.inv, err = m.read(ctx); err == nil {
		m.keepUnproved()
	}
	return err
}

// keepUnproved keeps originals whose copies have no mark, if the source no longer shows that they
// move. Only the journal says so then, and somebody may have written it.
func (m *Mover) keepUnproved() {
	moves := map[string]bool{}
	for _, i := range m.inv.Plan.Selected() {
		moves[i.UID] = i.Decision == plan.Move
	}
	for _, i := range m.doc.Plan.Selected() {
		if i.Decision == plan.Move && m.copies.Of(i).Adopted && !moves[i.UID] && m.inv.Find(i) != nil {
			i.Decision, i.Reason = plan.Copy, "the target had it before the move, and nothing in the source shows that it moves"
			m.note(i.Key(), "it stays in the source: %s", i.Reason)
		}
	}
}

// checkDeletion returns an error if the source still has originals, although the journal says that
// they are deleted. An older journal, or one that somebody has changed, must not activate the copies.
func (m *Mover) checkDeletion(ctx context.Context) error {
	if m.source == nil || m.target == nil {
		return nil
	}
	left, err := m.source.States(ctx, m.doc.Plan.Selected())
	if err != nil {
		return err
	}
	var kept []*plan.Item
	for _, i := range m.doc.Plan.Selected() {
		if _, exists := left[types.UID(i.UID)]; exists && i.Decision == plan.Move {
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return fmt.Errorf("the journal says %s, but the source still has %s: restore the journal of this move, or begin a new move", m.doc.Phase, names(kept))
}

// deleteOriginal deletes an object of the source.
func (m *Mover) deleteOriginal(ctx context.Context, i *plan.Item) error {
	// Controllers create what other kinds own.
	known := endpoint.Known{OwnsNothing: endpoint.KindOf(i).MetadataOnly() && m.inv.OwnsNothing(i)}
	if o := m.inv.Find(i); o != nil && !m.compareAll && o.GetResourceVersion() == i.ResourceVersion {
		known.Object = o // otherwise, what it has now may have to be copied
	}
	err := m.source.Delete(ctx, i, known, func(ctx context.Context, live *unstructured.Unstructured) error {
		if err := m.checkStatus(i, live); err != nil {
			return err
		}
		if !m.compareAll && (live.GetResourceVersion() == i.ResourceVersion || !isRecopied(i, live)) {
			return nil
		}
		// Somebody may have changed it since it was verified: the copy must have that too.
		return m.copies.Refresh(ctx, i, live)
	})
	if !errors.Is(err, deletion.ErrReplaced) {
		return err
	}
	live, err := m.source.Live(ctx, i)
	if err != nil || live == nil || string(live.GetUID()) == i.UID {
		return err
	}
	return collision(i, live.Unstructured)
}

// isRecopied reports whether an object has another content than in the plan. That of Secrets and
// ConfigMaps is not in the plan, so they are copied whenever their version has changed.
func isRecopied(i *plan.Item, live *unstructured.Unstructured) bool {
	return i.Hash == "" || content.Hash(live) != i.Hash
}

// waitUntilGone waits until the server has removed objects.
func (m *Mover) waitUntilGone(ctx context.Context, s *endpoint.Cluster, items []*plan.Item) error {
	left, err := s.WaitUntilGone(ctx, items, m.o.Timeout)
	if len(left) > 0 {
		return fmt.Errorf("%s: still being deleted after %s; look for its finalizers", names(left), m.o.Timeout)
	}
	return err
}
