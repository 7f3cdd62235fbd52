package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/internal/content"
	"kstatus.dev/kube/move/internal/planner"
	"kstatus.dev/kube/move/internal/retry"
	"kstatus.dev/kube/move/plan"
	"kstatus.dev/kube/pause"
)

// create creates all copies in the target, step by step.
func (m *Mover) create(ctx context.Context) error {
	if err := m.createNamespaces(ctx); err != nil {
		return err
	}
	steps := planner.Steps(m.doc.Plan)
	for step := range m.doc.Plan.Steps {
		if err := m.enter(ctx, Creating, step); err != nil {
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
	o, err := m.source.Resource(kind(i), i.Namespace).Get(ctx, i.Name, metav1.GetOptions{})
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

// desired returns the copy to create of an original.
func (m *Mover) desired(i *plan.Item, original *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	t := content.Target{Mark: content.Mark(m.doc.ID, types.UID(i.UID)), Owners: map[types.UID]types.UID{}}
	m.mu.Lock()
	for _, owner := range original.GetOwnerReferences() {
		if c, created := m.copies[string(owner.UID)]; created {
			t.Owners[owner.UID] = c.uid
		}
	}
	m.mu.Unlock()
	if i.Root {
		record, err := json.Marshal(pause.Record{Paused: i.WasPaused, By: m.by()})
		if err != nil {
			return nil, err
		}
		text := string(record)
		t.PausedBefore = &text
	}
	if i.Group == clusterapi.ClusterClass.Group && i.Kind == clusterapi.ClusterClass.Kind && !i.WasPaused {
		// The webhook for Clusters waits until their class is reconciled, which creates nothing.
		return content.Active(content.Desired(original, content.Target{Mark: t.Mark, Owners: t.Owners})), nil
	}
	return content.Desired(original, t), nil
}

// createItem creates the copy of an object, or completes the one that an earlier run has created,
// and compares it with the original.
func (m *Mover) createItem(ctx context.Context, i *plan.Item) error {
	err := m.retry(ctx, "create "+i.Key(), func(ctx context.Context) error {
		original, err := m.original(ctx, i)
		if err != nil {
			return err
		}
		want, err := m.desired(i, original)
		if err != nil {
			return err
		}
		return m.ensure(ctx, i, original, want)
	})
	return err
}

// ensure makes sure that the copy of an object exists and is as wanted.
func (m *Mover) ensure(ctx context.Context, i *plan.Item, original, want *unstructured.Unstructured) error {
	client := m.target.Resource(kind(i), i.Namespace)
	have, err := client.Create(ctx, want, metav1.CreateOptions{FieldManager: clusterapi.FieldManager})
	if apierrors.IsAlreadyExists(err) {
		have, err = client.Get(ctx, i.Name, metav1.GetOptions{})
		if err == nil && !m.isCopyOf(have, types.UID(i.UID)) {
			return m.adopt(ctx, i, original, want, have)
		}
		if err == nil && have.GetDeletionTimestamp() != nil {
			return errors.New("its copy in the target is being deleted")
		}
		if err == nil && len(content.Compare(want, have, m.schema(ctx, i))) > 0 {
			want.SetResourceVersion(have.GetResourceVersion())
			want.SetUID(have.GetUID())
			have, err = client.Update(ctx, want, metav1.UpdateOptions{FieldManager: clusterapi.FieldManager})
		}
	}
	if err != nil {
		return err
	}
	if have, err = m.complete(ctx, i, original, have); err != nil {
		return err
	}
	if err := m.check(ctx, i, want, have); err != nil {
		return err
	}
	m.setCopy(i, duplicate{uid: have.GetUID(), version: have.GetResourceVersion()})
	return nil
}

// complete sets the status, if it is to be copied, and the managed fields of a copy. The server
// ignores both when an object is created.
func (m *Mover) complete(ctx context.Context, i *plan.Item, original, have *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	client := m.target.Resource(kind(i), i.Namespace)
	status, hasStatus := original.Object["status"]
	carried := hasStatus && slices.Contains(m.doc.Status, kind(i).GroupKind())
	if carried {
		patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": have.GetUID()}, "status": status})
		if err != nil {
			return nil, err
		}
		if have, err = client.Patch(ctx, i.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: clusterapi.FieldManager}, "status"); err != nil {
			return nil, fmt.Errorf("copy the status: %w", err)
		}
	}
	fields := content.ManagedFields(original, carried)
	if len(fields) == 0 {
		return have, nil
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": have.GetUID(), "managedFields": fields}})
	if err != nil {
		return nil, err
	}
	have, err = client.Patch(ctx, i.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: clusterapi.FieldManager})
	if err != nil {
		return nil, fmt.Errorf("copy the managed fields: %w", err)
	}
	return have, nil
}

// check returns an error if a copy differs from the wanted object.
func (m *Mover) check(ctx context.Context, i *plan.Item, want, have *unstructured.Unstructured) error {
	differences := content.Compare(want, have, m.schema(ctx, i))
	if len(differences) == 0 {
		return nil
	}
	if slices.Contains(m.doc.Accept, acceptDifferences) {
		m.note(i.Key(), "accepted: in the target, %s", content.Text(differences))
		return nil
	}
	return &DifferenceError{Object: i.Key(), Differences: content.Text(differences)}
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

// adopt uses an object of the target that the move has not created, if it has the same content.
// Cluster-scoped objects are used whatever their content is.
func (m *Mover) adopt(ctx context.Context, i *plan.Item, original, want, have *unstructured.Unstructured) error {
	switch move, _ := content.ParseMark(have.GetAnnotations()[content.MarkAnnotation]); move {
	case "":
	case m.doc.ID:
		return collision(i, original)
	default:
		return fmt.Errorf("the target has it as part of move %s, which is not complete; resume that first, or roll it back", move)
	}
	if differences := content.CompareForeign(want, have, m.schema(ctx, i)); len(differences) > 0 {
		if i.Namespace != "" {
			return fmt.Errorf("the target has another object of this name: %s; rename or delete one of them", content.Text(differences))
		}
		m.note(i.Key(), "the target has it already, and keeps its own: %s", content.Text(differences))
	}
	have, err := m.addOwners(ctx, i, want, have)
	if err != nil {
		return err
	}
	m.setCopy(i, duplicate{uid: have.GetUID(), version: have.GetResourceVersion(), adopted: true})
	return nil
}

// addOwners adds the owners of the wanted object to one that the move has not created. An earlier
// move of another owner may have created it.
func (m *Mover) addOwners(ctx context.Context, i *plan.Item, want, have *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	client := m.target.Resource(kind(i), i.Namespace)
	err := retry.OnConflict(ctx, func() (err error) {
		owners := content.MergeOwners(have.GetOwnerReferences(), want.GetOwnerReferences())
		if len(owners) == len(have.GetOwnerReferences()) {
			return nil
		}
		changed, err := clusterapi.PatchMetadata(ctx, client, have, map[string]any{"ownerReferences": owners})
		if err == nil {
			have = changed
		} else if live, readErr := client.Get(ctx, i.Name, metav1.GetOptions{}); readErr == nil {
			have = live
		}
		return err
	})
	return have, err
}

func (m *Mover) setCopy(i *plan.Item, c duplicate) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.copies[i.UID] = c
	if c.adopted && !slices.Contains(m.doc.Adopted, i.UID) {
		m.doc.Adopted = append(m.doc.Adopted, i.UID)
	}
}

// isAdopted reports whether the copy of an object existed before the move.
func (m *Mover) isAdopted(i *plan.Item) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.copies[i.UID].adopted
}

// setLateOwners sets all owners of a copy that was created before some of them.
func (m *Mover) setLateOwners(ctx context.Context, i *plan.Item) error {
	return m.retry(ctx, "set the owners of "+i.Key(), func(ctx context.Context) error {
		original, err := m.original(ctx, i)
		if err != nil {
			return err
		}
		want, err := m.desired(i, original)
		if err != nil {
			return err
		}
		client := m.target.Resource(kind(i), i.Namespace)
		if m.isAdopted(i) {
			have, err := client.Get(ctx, i.Name, metav1.GetOptions{})
			if err == nil {
				_, err = m.addOwners(ctx, i, want, have)
			}
			return err
		}
		m.mu.Lock()
		uid := m.copies[i.UID].uid
		m.mu.Unlock()
		patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": uid, "ownerReferences": want.GetOwnerReferences()}})
		if err != nil {
			return err
		}
		have, err := client.Patch(ctx, i.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: clusterapi.FieldManager})
		if err != nil {
			return err
		}
		if err := m.check(ctx, i, want, have); err != nil {
			return err
		}
		m.setCopy(i, duplicate{uid: have.GetUID(), version: have.GetResourceVersion()})
		return nil
	})
}

// schema returns the schema of a kind in the target, for the defaults that it declares. Without
// the permission to read the definition, there are none.
func (m *Mover) schema(ctx context.Context, i *plan.Item) content.Schema {
	name := i.Resource + "." + i.Group
	m.mu.Lock()
	s, read := m.schemas[name]
	m.mu.Unlock()
	if read || i.Group == "" {
		return s
	}
	definition, err := m.target.Objects.Resource(clusterapi.Definitions).Get(ctx, name, metav1.GetOptions{})
	switch {
	case err == nil:
		s = content.SchemaOf(definition, i.Version)
	case !apierrors.IsForbidden(err) && !apierrors.IsNotFound(err):
		return nil // the next object asks again
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.schemas[name] = s
	return s
}
