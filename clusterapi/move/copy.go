package move

import (
	"context"
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/plan"
)

// create creates all copies in the target, step by step.
func (m *Mover) create(ctx context.Context) error {
	if err := m.createNamespaces(ctx); err != nil {
		return err
	}
	steps := planner.Steps(m.doc.Plan)
	for step := range m.doc.Plan.Steps {
		if err := m.enterStep(ctx, step); err != nil {
			return err
		}
		if err := m.each(ctx, steps[step], m.createItem); err != nil {
			return err
		}
	}
	return m.each(ctx, m.late(), m.setLateOwners)
}

// late returns the items with owners that are created after them.
func (m *Mover) late() []*plan.Item {
	return slices.DeleteFunc(m.doc.Plan.Selected(), func(i *plan.Item) bool { return len(i.LateOwners) == 0 })
}

// createNamespaces creates the missing namespaces with the labels and annotations they have in
// the source.
func (m *Mover) createNamespaces(ctx context.Context) error {
	names := map[string]bool{}
	for _, i := range m.doc.Plan.Selected() {
		if i.Namespace == "" || names[i.Namespace] {
			continue
		}
		names[i.Namespace] = true
		err := m.retry(ctx, "create Namespace "+i.Namespace, func(ctx context.Context) error {
			created, err := m.target.CreateNamespace(ctx, i.Namespace, m.source)
			if created {
				m.doc.Namespaces = append(m.doc.Namespaces, i.Namespace)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// original reads an object of the source in full, and notes its version in the plan.
func (m *Mover) original(ctx context.Context, i *plan.Item) (*unstructured.Unstructured, error) {
	if o := m.inv.Find(i); o != nil && (m.source == nil || !o.Kind.MetadataOnly()) {
		return o.Unstructured, nil
	}
	o, err := m.source.Of(i).Get(ctx, i.Name, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("read it in the source: %w", err)
	}
	if string(o.GetUID()) != i.UID {
		return nil, errors.New("it was deleted and created again in the source during the move")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i.ResourceVersion = o.GetResourceVersion()
	return o, nil
}

// createItem creates the copy of an object, or completes the one that an earlier run has created,
// and compares it with the original.
func (m *Mover) createItem(ctx context.Context, i *plan.Item) error {
	return m.retry(ctx, "create "+i.Key(), func(ctx context.Context) error {
		original, err := m.original(ctx, i)
		if err != nil {
			return err
		}
		return m.copies.Ensure(ctx, i, original)
	})
}

// acceptDifference returns an error for a copy that differs from its original, unless that is
// accepted.
func (m *Mover) acceptDifference(object, differences string) error {
	if !slices.Contains(m.doc.Accept, acceptDifferences) {
		return &DifferenceError{object, differences}
	}
	m.note(object, "accepted: in the target, %s", differences)
	return nil
}

// acceptDifferences is the word that accepts differences between originals and copies.
const acceptDifferences = "differences"

// A DifferenceError says that the target does not keep an object as it is in the source.
type DifferenceError struct {
	Object      string
	Differences string // the paths, without values
}

// Error says what differs and what to do.
func (e *DifferenceError) Error() string {
	return fmt.Sprintf("%s: its copy in the target differs from the original: %s; compare the definitions and webhooks of both clusters, or accept it with --accept %s", e.Object, e.Differences, acceptDifferences)
}

// setLateOwners sets all owners of a copy that was created before some of them.
func (m *Mover) setLateOwners(ctx context.Context, i *plan.Item) error {
	return m.retry(ctx, "set the owners of "+i.Key(), func(ctx context.Context) error {
		original, err := m.original(ctx, i)
		if err != nil {
			return err
		}
		return m.copies.SetOwners(ctx, i, original)
	})
}
