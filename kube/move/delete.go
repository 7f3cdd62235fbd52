package move

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/internal/sleep"
	"kstatus.dev/kube/move/internal/content"
	"kstatus.dev/kube/move/internal/deletion"
	"kstatus.dev/kube/move/internal/endpoint"
	"kstatus.dev/kube/move/internal/planner"
	"kstatus.dev/kube/move/internal/retry"
	"kstatus.dev/kube/move/plan"
)

// delete deletes the originals in the reverse order of their creation, and waits after each step
// until they are gone.
func (m *Mover) delete(ctx context.Context) error {
	steps := planner.Steps(m.doc.Plan)
	for step := m.doc.Plan.Steps - 1 - m.doc.Step; step >= 0; step-- {
		if err := m.enter(ctx, Deleting, m.doc.Plan.Steps-1-step); err != nil {
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
		if slices.ContainsFunc(items, func(i *plan.Item) bool { return kind(i).GroupKind() == clusterapi.Cluster }) {
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
	left, err := m.states(ctx, m.source, m.doc.Plan.Selected())
	if err != nil {
		return err
	}
	if err := m.findCopies(ctx); err != nil {
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
		if i.Decision == plan.Move && m.isAdopted(i) && !moves[i.UID] && m.inv.Find(i) != nil {
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
	left, err := m.states(ctx, m.source, m.doc.Plan.Selected())
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
	return fmt.Errorf("the journal says %s, but the source still has %s; nothing is changed: restore the journal of this move, or begin a new move", m.doc.Phase, names(kept))
}

// findCopies finds the copies in the target by their marks, and those that were adopted by name.
func (m *Mover) findCopies(ctx context.Context) error {
	marked, err := m.marked(ctx)
	if err != nil {
		return err
	}
	keys := map[types.UID]clusterapi.Key{}
	for _, i := range m.doc.Plan.Selected() {
		keys[types.UID(i.UID)] = keyOf(i)
	}
	for _, o := range marked {
		// Somebody may have created another object from a copy, with its annotations.
		if _, uid := content.ParseMark(o.GetAnnotations()[content.MarkAnnotation]); keys[uid] == o.Key() {
			m.copies[string(uid)] = duplicate{uid: o.GetUID(), version: o.GetResourceVersion()}
		}
	}
	adopted := map[string]bool{}
	for _, uid := range m.doc.Adopted {
		adopted[uid] = true
	}
	for _, i := range m.doc.Plan.Selected() {
		if _, found := m.copies[i.UID]; found || !adopted[i.UID] {
			continue
		}
		err := m.retry(ctx, "read "+i.Key(), func(ctx context.Context) error {
			o, err := m.target.Get(ctx, kind(i), i.Namespace, i.Name)
			if err == nil && o != nil {
				m.copies[i.UID] = duplicate{uid: o.GetUID(), version: o.GetResourceVersion(), adopted: true}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteOriginal deletes an object of the source.
func (m *Mover) deleteOriginal(ctx context.Context, i *plan.Item) error {
	err := m.deleteObject(ctx, m.source, i, func(ctx context.Context, live *unstructured.Unstructured) error {
		if err := m.checkStatus(i, live); err != nil {
			return err
		}
		if !m.compareAll && (live.GetResourceVersion() == i.ResourceVersion || !isRecopied(i, live)) {
			return nil
		}
		// Somebody may have changed it since it was verified: the copy must have that too.
		return m.copyChanged(ctx, i, live)
	})
	if !errors.Is(err, deletion.ErrReplaced) {
		return err
	}
	live, err := m.live(ctx, i)
	if err != nil || live == nil || string(live.GetUID()) == i.UID {
		return err
	}
	return collision(i, live.Unstructured)
}

// copyChanged copies an object that is being deleted from the source again, if its copy differs. The
// copy keeps its owners, because the deletion of owners changes the originals of a cycle. It also
// keeps its finalizers if those of the original are removed already.
func (m *Mover) copyChanged(ctx context.Context, i *plan.Item, live *unstructured.Unstructured) error {
	have, err := m.target.Resource(kind(i), i.Namespace).Get(ctx, i.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("read its copy: %w", err)
	}
	want, err := m.desired(i, live)
	if err != nil {
		return err
	}
	want.SetOwnerReferences(have.GetOwnerReferences())
	if _, released := live.GetAnnotations()[clusterapi.DeleteForMoveAnnotation]; released {
		want.SetFinalizers(have.GetFinalizers())
	}
	if len(content.Compare(want, have, m.schema(ctx, i))) == 0 {
		return nil
	}
	if !m.isAdopted(i) {
		m.note(i.Key(), "it was changed in the source during the deletion, and is copied again")
	}
	return m.ensure(ctx, i, live, want)
}

// isRecopied reports whether an object has another content than in the plan. That of Secrets and
// ConfigMaps is not in the plan, so they are copied whenever their version has changed.
func isRecopied(i *plan.Item, live *unstructured.Unstructured) bool {
	return i.Hash == "" || content.Hash(live) != i.Hash
}

// removeCopy deletes the copy of an object from the target, if the move has created it.
func (m *Mover) removeCopy(ctx context.Context, i *plan.Item) error {
	m.mu.Lock()
	c, found := m.copies[i.UID]
	delete(m.copies, i.UID)
	m.mu.Unlock()
	if !found || c.adopted {
		return nil
	}
	own := *i
	own.UID = string(c.uid)
	return m.deleteObject(ctx, m.target, &own, func(_ context.Context, live *unstructured.Unstructured) error {
		if !m.isCopyOf(live, types.UID(i.UID)) {
			return deletion.ErrReplaced
		}
		return nil
	})
}

// deleteObject deletes an object safely: see package deletion. before is called with the live
// object first.
func (m *Mover) deleteObject(ctx context.Context, s *endpoint.Cluster, i *plan.Item, before func(ctx context.Context, live *unstructured.Unstructured) error) error {
	o := deletion.Object{Client: s.Resource(kind(i), i.Namespace), Name: i.Name, UID: types.UID(i.UID), Unprotected: kind(i).MetadataOnly()}
	return m.retry(ctx, "delete "+i.Key(), func(ctx context.Context) error { return o.Delete(ctx, before) })
}

// waitUntilGone waits until the server has removed objects.
func (m *Mover) waitUntilGone(ctx context.Context, s *endpoint.Cluster, items []*plan.Item) error {
	deadline := time.Now().Add(m.o.Timeout)
	limited, cancel := context.WithDeadlineCause(ctx, deadline, fmt.Errorf("the deletion does not end within %s", m.o.Timeout))
	defer cancel()
	for delay := retry.FirstDelay; len(items) > 0; delay = min(2*delay, retry.LastDelay) {
		left, err := m.states(limited, s, items)
		if err != nil {
			return err
		}
		var going []*plan.Item
		for _, i := range items {
			if _, exists := left[types.UID(i.UID)]; exists {
				going = append(going, i)
			}
		}
		switch items = going; {
		case len(items) == 0:
			return nil
		case !time.Now().Add(delay).Before(deadline):
			return fmt.Errorf("%s: still being deleted after %s; look for its finalizers", names(items), m.o.Timeout)
		case !sleep.For(ctx, delay):
			return context.Cause(ctx)
		}
	}
	return nil
}
