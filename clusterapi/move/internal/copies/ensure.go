package copies

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/content"
	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/internal/retry"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/internal/decoded"
)

// Desired returns the copy to create of an original.
func (s *Set) Desired(i *plan.Item, original *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	t := content.Target{Mark: content.Mark(s.move, types.UID(i.UID)), Owners: map[types.UID]types.UID{}}
	s.mu.Lock()
	for _, owner := range original.GetOwnerReferences() {
		if c, created := s.copies[string(owner.UID)]; created {
			t.Owners[owner.UID] = c.UID
		}
	}
	s.mu.Unlock()
	if i.Root {
		record, err := json.Marshal(pause.Record{Paused: i.WasPaused, By: management.ByMove(s.move)})
		if err != nil {
			return nil, err
		}
		text := string(record)
		t.PausedBefore = &text
	}
	if i.Group == management.ClusterClass.Group && i.Kind == management.ClusterClass.Kind && !i.WasPaused {
		// The webhook for Clusters waits until their class is reconciled, which creates nothing.
		return content.Active(content.Desired(original, content.Target{Mark: t.Mark, Owners: t.Owners})), nil
	}
	return content.Desired(original, t), nil
}

// Ensure makes sure that the copy of an object exists and equals the original.
func (s *Set) Ensure(ctx context.Context, i *plan.Item, original *unstructured.Unstructured) error {
	want, err := s.Desired(i, original)
	if err != nil {
		return err
	}
	return s.ensure(ctx, i, original, want)
}

// ensure makes sure that the copy of an object exists and is as wanted.
func (s *Set) ensure(ctx context.Context, i *plan.Item, original, want *unstructured.Unstructured) error {
	client := s.Target.Of(i)
	fields := content.ManagedFields(original, s.carries(i, original))
	have, err := client.Create(ctx, want, metav1.CreateOptions{FieldManager: cmp.Or(content.OnlyManager(fields), management.FieldManager)})
	if apierrors.IsAlreadyExists(err) {
		have, err = client.Get(ctx, i.Name, metav1.GetOptions{})
		if err == nil && !s.IsCopy(have, types.UID(i.UID)) {
			return s.adopt(ctx, i, original, want, have)
		}
		if err == nil && have.GetDeletionTimestamp() != nil {
			return errors.New("its copy in the target is being deleted")
		}
		var differences string
		if err == nil {
			differences, err = s.differences(ctx, i, want, have, content.Compare)
		}
		if differences != "" {
			want.SetResourceVersion(have.GetResourceVersion())
			want.SetUID(have.GetUID())
			have, err = client.Update(ctx, want, metav1.UpdateOptions{FieldManager: management.FieldManager})
		}
	}
	if err != nil {
		return err
	}
	if have, err = s.complete(ctx, i, original, have, fields); err != nil {
		return err
	}
	return s.accept(ctx, i, want, have)
}

// accept notes a copy that is as wanted, or whose differences the move accepts.
func (s *Set) accept(ctx context.Context, i *plan.Item, want, have *unstructured.Unstructured) error {
	differences, err := s.differences(ctx, i, want, have, content.Compare)
	if err == nil && differences != "" {
		err = s.Differs(i.Key(), differences)
	}
	if err == nil {
		s.set(i.UID, have, false)
	}
	return err
}

// differences compares a copy with the wanted one, and returns in words how it differs. The result is
// empty if nothing differs.
func (s *Set) differences(ctx context.Context, i *plan.Item, want, have *unstructured.Unstructured,
	compare func(want, have *unstructured.Unstructured, s content.Schema) []content.Difference) (string, error) {
	schema, err := s.Schema(ctx, i)
	if err != nil {
		return "", err
	}
	return content.Text(compare(want, have, schema)), nil
}

// carries reports whether the status of an object is copied.
func (s *Set) carries(i *plan.Item, original *unstructured.Unstructured) bool {
	_, hasStatus := original.Object["status"]
	return hasStatus && slices.Contains(s.status, endpoint.KindOf(i).GroupKind())
}

// complete sets the status, if it is to be copied, and the managed fields of a copy. The server
// ignores both when an object is created.
func (s *Set) complete(ctx context.Context, i *plan.Item, original, have *unstructured.Unstructured, fields []any) (_ *unstructured.Unstructured, err error) {
	if s.carries(i, original) {
		if have, err = patch(ctx, s.Target.Of(i), i.Name, have.GetUID(), map[string]any{"status": original.Object["status"]}, "status"); err != nil {
			return nil, fmt.Errorf("copy the status: %w", err)
		}
	}
	if len(fields) == 0 || content.HasFields(have, fields) {
		return have, nil
	}
	have, err = patch(ctx, s.Target.Of(i), i.Name, have.GetUID(), map[string]any{"metadata": map[string]any{"managedFields": fields}})
	if err != nil {
		return nil, fmt.Errorf("copy the managed fields: %w", err)
	}
	return have, nil
}

// patch merges a change into an object. It fails if another object has the name.
func patch(ctx context.Context, client dynamic.ResourceInterface, name string, uid types.UID, change map[string]any, subresources ...string) (*unstructured.Unstructured, error) {
	metadata := decoded.Map(change, "metadata")
	if metadata == nil {
		metadata = map[string]any{}
		change["metadata"] = metadata
	}
	metadata["uid"] = uid
	data, err := json.Marshal(change)
	if err != nil {
		return nil, err
	}
	return client.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{FieldManager: management.FieldManager}, subresources...)
}

// adopt uses an object of the target that the move has not created, if it has the same content.
// Cluster-scoped objects are used whatever their content is.
func (s *Set) adopt(ctx context.Context, i *plan.Item, original, want, have *unstructured.Unstructured) error {
	switch move, _ := content.ParseMark(have.GetAnnotations()[content.MarkAnnotation]); move {
	case "":
	case s.move:
		return s.Collides(i, original)
	default:
		return fmt.Errorf("the target has it as part of move %s, which is not complete; resume that first, or roll it back", move)
	}
	differences, err := s.differences(ctx, i, want, have, content.CompareForeign)
	switch {
	case err != nil:
		return err
	case differences != "" && i.Namespace != "":
		return fmt.Errorf("the target has another object of this name: %s; rename or delete one of them", differences)
	case differences != "":
		s.Note(i.Key(), "the target has it already, and keeps its own: %s", differences)
	}
	if have, err = s.addOwners(ctx, i, want, have); err != nil {
		return err
	}
	s.set(i.UID, have, true)
	return nil
}

// addOwners adds the owners of the wanted object to one that the move has not created. An earlier
// move of another owner may have created it.
func (s *Set) addOwners(ctx context.Context, i *plan.Item, want, have *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	client := s.Target.Of(i)
	err := retry.OnConflict(ctx, func() (err error) {
		owners := content.MergeOwners(have.GetOwnerReferences(), want.GetOwnerReferences())
		if len(owners) == len(have.GetOwnerReferences()) {
			return nil
		}
		changed, err := management.PatchMetadata(ctx, client, have, map[string]any{"ownerReferences": owners})
		if err == nil {
			have = changed
		} else if live, readErr := client.Get(ctx, i.Name, metav1.GetOptions{}); readErr == nil {
			have = live
		}
		return err
	})
	return have, err
}

// SetOwners sets all owners of a copy that was created before some of them.
func (s *Set) SetOwners(ctx context.Context, i *plan.Item, original *unstructured.Unstructured) error {
	want, err := s.Desired(i, original)
	if err != nil {
		return err
	}
	c := s.Of(i)
	if c.Adopted {
		have, err := s.Target.Of(i).Get(ctx, i.Name, metav1.GetOptions{})
		if err == nil {
			_, err = s.addOwners(ctx, i, want, have)
		}
		return err
	}
	have, err := patch(ctx, s.Target.Of(i), i.Name, c.UID, map[string]any{"metadata": map[string]any{"ownerReferences": want.GetOwnerReferences()}})
	if err != nil {
		return err
	}
	return s.accept(ctx, i, want, have)
}

// Refresh copies an object that is being deleted from the source again, if its copy differs. The
// copy keeps its owners, because the deletion of owners changes the originals of a cycle. It also
// keeps its finalizers if those of the original are removed already.
func (s *Set) Refresh(ctx context.Context, i *plan.Item, live *unstructured.Unstructured) error {
	have, err := s.Target.Of(i).Get(ctx, i.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("read its copy: %w", err)
	}
	want, err := s.Desired(i, live)
	if err != nil {
		return err
	}
	want.SetOwnerReferences(have.GetOwnerReferences())
	if _, released := live.GetAnnotations()[management.DeleteForMoveAnnotation]; released {
		want.SetFinalizers(have.GetFinalizers())
	}
	if differences, err := s.differences(ctx, i, want, have, content.Compare); err != nil || differences == "" {
		return err
	}
	if !s.Of(i).Adopted {
		s.Note(i.Key(), "it was changed in the source during the deletion, and is copied again")
	}
	return s.ensure(ctx, i, live, want)
}

// Compare reads the copy of an object, and returns in words how it differs. The result is empty if
// nothing differs. A cluster-scoped object that was adopted may differ.
func (s *Set) Compare(ctx context.Context, i *plan.Item, original *unstructured.Unstructured) (differences string, err error) {
	want, err := s.Desired(i, original)
	if err != nil {
		return "", err
	}
	have, err := s.Target.Of(i).Get(ctx, i.Name, metav1.GetOptions{})
	switch {
	case err != nil:
		return "", err
	case !s.Of(i).Adopted:
		return s.differences(ctx, i, want, have, content.Compare)
	case i.Namespace != "":
		return s.differences(ctx, i, want, have, content.CompareForeign)
	}
	return "", nil
}

// Schema returns the schema of a kind in the target, for the defaults that it declares. Without
// the permission to read the definition, there are none.
func (s *Set) Schema(ctx context.Context, i *plan.Item) (content.Schema, error) {
	name := i.Resource + "." + i.Group
	s.mu.Lock()
	schema, read := s.schemas[name]
	s.mu.Unlock()
	if read || i.Group == "" {
		return schema, nil
	}
	definition, err := s.Target.Objects.Resource(management.Definitions).Get(ctx, name, metav1.GetOptions{})
	switch {
	case err == nil:
		schema = content.SchemaOf(definition, i.Version)
	case !apierrors.IsForbidden(err) && !apierrors.IsNotFound(err):
		return nil, fmt.Errorf("read the definition %s of the target: %w", name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.schemas == nil {
		s.schemas = map[string]content.Schema{}
	}
	s.schemas[name] = schema
	return schema, nil
}
