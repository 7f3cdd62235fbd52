package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/internal/content"
	"kstatus.dev/kube/move/plan"
)

// delete deletes the originals in the reverse order of their creation, and waits after each step
// until they are gone.
func (m *Mover) delete(ctx context.Context) error {
	for step := m.doc.Plan.Steps - 1 - m.doc.Step; step >= 0; step-- {
		if err := m.enter(ctx, Deleting, m.doc.Plan.Steps-1-step); err != nil {
			return err
		}
		var items []*plan.Item
		for _, i := range itemsOf(m.doc.Plan, step) {
			if i.Decision == plan.Move {
				items = append(items, i)
			}
		}
		if err := m.each(ctx, items, m.deleteOriginal); err != nil {
			return err
		}
		if err := m.waitUntilGone(ctx, m.source, items); err != nil {
			return err
		}
	}
	return nil
}

// prepareDeletion reads after an interruption what is left in the source, and makes sure that the
// target has a copy of each object that is still to be deleted.
func (m *Mover) prepareDeletion(ctx context.Context) error {
	left, err := m.versions(ctx, m.source, m.doc.Plan.Selected())
	if err != nil {
		return err
	}
	if err := m.findCopies(ctx); err != nil {
		return err
	}
	var lost []*plan.Item
	for _, i := range m.doc.Plan.Selected() {
		_, copied := m.copies[i.UID]
		_, exists := left[types.UID(i.UID)]
		if !copied && (exists || i.Decision == plan.Move) {
			lost = append(lost, i)
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("the target has no copy of %s; nothing more is deleted from the source", names(lost))
	}
	return nil
}

// findCopies finds the copies in the target by their marks, and those that were adopted by name.
func (m *Mover) findCopies(ctx context.Context) error {
	marked, err := m.marked(ctx)
	if err != nil {
		return err
	}
	for _, o := range marked {
		_, uid := content.ParseMark(o.GetAnnotations()[content.MarkAnnotation])
		m.copies[string(uid)] = duplicate{uid: o.GetUID(), version: o.GetResourceVersion()}
	}
	adopted := map[string]bool{}
	for _, uid := range m.doc.Adopted {
		adopted[uid] = true
	}
	for _, i := range m.doc.Plan.Selected() {
		if _, found := m.copies[i.UID]; found || !adopted[i.UID] {
			continue
		}
		err := m.retry(ctx, "read "+i.Key(), func() error {
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

// errReplaced says that another object has the name of one to delete.
var errReplaced = errors.New("another object with this name was created during the move; it stays")

// deleteOriginal deletes an object of the source.
func (m *Mover) deleteOriginal(ctx context.Context, i *plan.Item) error {
	return m.deleteObject(ctx, m.source, i, func(live *unstructured.Unstructured) error {
		if live.GetResourceVersion() == i.ResourceVersion || !isRecopied(i, live) {
			return nil
		}
		// Somebody has changed it since it was verified: the copy must have that too.
		m.note(i.Key(), "it was changed in the source during the deletion, and is copied again")
		want, err := m.desired(i, live, append(i.Owners, i.LateOwners...))
		if err != nil {
			return err
		}
		return m.ensure(ctx, i, live, want)
	})
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
	return m.deleteObject(ctx, m.target, &own, func(live *unstructured.Unstructured) error {
		if live.GetAnnotations()[content.MarkAnnotation] != content.Mark(m.doc.ID, types.UID(i.UID)) {
			return errReplaced
		}
		return nil
	})
}

// deleteObject deletes an object so that no controller sees it being deleted without the
// annotations that protect what it stands for: it adds the annotation delete-for-move to the
// others, checks that all of them persist, removes the finalizers, and then deletes it. Each write
// is only valid for the version that the one before has returned. before is called with the live
// object first.
func (m *Mover) deleteObject(ctx context.Context, s *side, i *plan.Item, before func(live *unstructured.Unstructured) error) error {
	client := s.Resource(kind(i), i.Namespace)
	err := m.retry(ctx, "delete "+i.Key(), func() error {
		for attempt := 0; ; attempt++ {
			err := m.tryDelete(ctx, client, i, before)
			switch {
			case apierrors.IsNotFound(err):
				return nil
			case apierrors.IsConflict(err) && attempt < maxConflicts:
				if !sleep(ctx, firstDelay<<min(attempt, 5)) {
					return context.Cause(ctx)
				}
				continue
			}
			return err
		}
	})
	return err
}

// maxConflicts is how often an object may change while it is being deleted.
const maxConflicts = 10

func (m *Mover) tryDelete(ctx context.Context, client resourceClient, i *plan.Item, before func(*unstructured.Unstructured) error) error {
	live, err := client.Get(ctx, i.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if string(live.GetUID()) != i.UID {
		return errReplaced
	}
	if live.GetDeletionTimestamp() != nil {
		return m.releaseDeleted(ctx, client, live)
	}
	if err := before(live); err != nil {
		return err
	}
	if !kind(i).MetadataOnly() {
		if live, err = m.release(ctx, client, live); err != nil {
			return err
		}
	}
	uid, version, orphan := live.GetUID(), live.GetResourceVersion(), metav1.DeletePropagationOrphan
	return client.Delete(ctx, i.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version}, PropagationPolicy: &orphan,
	})
}

// release marks an object as moved, and then removes its finalizers.
func (m *Mover) release(ctx context.Context, client resourceClient, live *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	wanted := maps.Clone(live.GetAnnotations())
	if wanted == nil {
		wanted = map[string]string{}
	}
	if _, marked := wanted[clusterapi.DeleteForMoveAnnotation]; !marked {
		wanted[clusterapi.DeleteForMoveAnnotation] = ""
		patched, err := m.patchMetadata(ctx, client, live, map[string]any{"annotations": map[string]any{clusterapi.DeleteForMoveAnnotation: ""}})
		if err != nil {
			return nil, err
		}
		if !maps.Equal(patched.GetAnnotations(), wanted) {
			return nil, fmt.Errorf("its annotations changed when %s was added, so it is not deleted; look for a webhook that removes annotations", clusterapi.DeleteForMoveAnnotation)
		}
		live = patched
	}
	if len(live.GetFinalizers()) == 0 {
		return live, nil
	}
	return m.patchMetadata(ctx, client, live, map[string]any{"finalizers": nil})
}

// orphanFinalizer is on objects until the garbage collector has removed them as owners.
const orphanFinalizer = "orphan"

// releaseDeleted removes the finalizers of an object that is being deleted, apart from that of the
// deletion itself: see waitUntilGone. Somebody else has deleted it after it was verified.
func (m *Mover) releaseDeleted(ctx context.Context, client resourceClient, live *unstructured.Unstructured) error {
	finalizers := live.GetFinalizers()
	kept := slices.DeleteFunc(slices.Clone(finalizers), func(f string) bool { return f != orphanFinalizer })
	if len(kept) == len(finalizers) {
		return nil
	}
	_, err := m.patchMetadata(ctx, client, live, map[string]any{"finalizers": kept})
	return err
}

// patchMetadata merges fields into the metadata of a version of an object.
func (m *Mover) patchMetadata(ctx context.Context, client resourceClient, live *unstructured.Unstructured, fields map[string]any) (*unstructured.Unstructured, error) {
	fields["resourceVersion"] = live.GetResourceVersion()
	patch, err := json.Marshal(map[string]any{"metadata": fields})
	if err != nil {
		return nil, err
	}
	return client.Patch(ctx, live.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager})
}

// waitUntilGone waits until the server has removed objects.
func (m *Mover) waitUntilGone(ctx context.Context, s *side, items []*plan.Item) error {
	deadline := time.Now().Add(m.o.Timeout)
	for delay := firstDelay; len(items) > 0; delay = min(2*delay, lastDelay) {
		left, err := m.versions(ctx, s, items)
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
		case time.Now().After(deadline):
			return fmt.Errorf("%s: still being deleted after %s; look for its finalizers", names(items), m.o.Timeout)
		case !sleep(ctx, delay):
			return context.Cause(ctx)
		}
	}
	return nil
}
