// Package content compares objects of two clusters, and makes the object that a move creates in
// the target from the one in the source. It sends no request.
package content

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/decoded"
)

// MarkAnnotation is on each object that a move has created, until it is complete. Its value is
// that of [Mark].
const MarkAnnotation = "kstatus.dev/move"

// Mark returns the value of MarkAnnotation for the copy of an object.
func Mark(move string, source types.UID) string { return move + "/" + string(source) }

// ParseMark returns the move and the UID of the original from the value of MarkAnnotation.
func ParseMark(mark string) (move string, source types.UID) {
	move, uid, _ := strings.Cut(mark, "/")
	return move, types.UID(uid)
}

// ownAnnotations are what a pause and a move set on objects for the time of the move.
var ownAnnotations = []string{MarkAnnotation, management.PauseBeforeAnnotation, management.PauseStateAnnotation, management.PauseMessageAnnotation,
	management.WakeAnnotation, management.PausedAnnotation, management.DeleteForMoveAnnotation}

// serverFields are the fields of metadata that a server sets.
var serverFields = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields", "generateName"}

// Portable returns a copy of an object without its status and without what a server sets.
func Portable(o *unstructured.Unstructured) *unstructured.Unstructured {
	content := maps.Clone(o.Object)
	delete(content, "status")
	portable := (&unstructured.Unstructured{Object: content}).DeepCopy()
	if metadata, ok := portable.Object["metadata"].(map[string]any); ok {
		for _, field := range serverFields {
			delete(metadata, field)
		}
	}
	return portable
}

// Hash returns a SHA-256 of an object without its status and without what a server sets. It also
// ignores what a pause or a move changes, which includes finalizers.
func Hash(o *unstructured.Unstructured) string {
	portable := Portable(o)
	annotations := portable.GetAnnotations()
	for _, name := range ownAnnotations {
		delete(annotations, name)
	}
	if len(annotations) == 0 {
		annotations = nil
	}
	portable.SetAnnotations(annotations)
	portable.SetFinalizers(nil)
	if portable.GroupVersionKind().GroupKind() == management.Cluster {
		unstructured.RemoveNestedField(portable.Object, "spec", "paused")
	}
	data, err := json.Marshal(portable.Object)
	if err != nil {
		return "" // an object that was decoded from JSON can be encoded
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// A Target says how the copy of an object differs from the original.
type Target struct {
	Mark string // the value of MarkAnnotation
	// Owners are the UIDs in the target of the owners, by those in the source. References to
	// other owners are left out.
	Owners map[types.UID]types.UID
	// PausedBefore, if not nil, pauses the copy. It is the value of the annotation with the state
	// from before the move.
	PausedBefore *string
}

// Desired returns the object to create in the target.
func Desired(source *unstructured.Unstructured, t Target) *unstructured.Unstructured {
	o := Portable(source)
	o.SetOwnerReferences(mapOwners(source.GetOwnerReferences(), t.Owners))
	annotations := o.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[MarkAnnotation] = t.Mark
	delete(annotations, management.DeleteForMoveAnnotation)
	if t.PausedBefore != nil {
		annotations[management.PauseBeforeAnnotation] = *t.PausedBefore
		spec, hasSpec := o.Object["spec"].(map[string]any)
		_, isPaused := annotations[management.PausedAnnotation]
		switch isCluster := o.GroupVersionKind().GroupKind() == management.Cluster; {
		case isPaused:
		case isCluster && hasSpec:
			spec["paused"] = true
		default:
			annotations[management.PausedAnnotation] = ""
		}
	}
	o.SetAnnotations(annotations)
	return o
}

// Active removes from the copy of an object what pauses it.
func Active(o *unstructured.Unstructured) *unstructured.Unstructured {
	mark := o.GetAnnotations()[MarkAnnotation]
	o = WithoutMarks(o)
	annotations := o.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[MarkAnnotation] = mark
	o.SetAnnotations(annotations)
	return o
}

// mapOwners returns the references to owners that exist in the target, with their UIDs there.
func mapOwners(refs []metav1.OwnerReference, uids map[types.UID]types.UID) (mapped []metav1.OwnerReference) {
	for _, r := range refs {
		if uid, found := uids[r.UID]; found {
			r.UID = uid
			mapped = append(mapped, r)
		}
	}
	return mapped
}

// MergeOwners returns the references of have, and after them those of more to other owners. Only
// one of them is a controller.
func MergeOwners(have, more []metav1.OwnerReference) []metav1.OwnerReference {
	all := slices.Clone(have)
	controlled := slices.ContainsFunc(have, isController)
	for _, r := range more {
		if slices.ContainsFunc(have, func(h metav1.OwnerReference) bool { return h.UID == r.UID }) {
			continue
		}
		if controlled {
			r.Controller = nil
		}
		all = append(all, r)
	}
	return all
}

func isController(r metav1.OwnerReference) bool { return r.Controller != nil && *r.Controller }

// ManagedFields returns the managed fields of an object without those of its subresources, unless
// the status is copied too.
func ManagedFields(source *unstructured.Unstructured, status bool) []any {
	all, _, _ := unstructured.NestedSlice(source.Object, "metadata", "managedFields")
	return slices.DeleteFunc(all, func(item any) bool {
		entry, _ := item.(map[string]any)
		return entry["subresource"] != nil && !status
	})
}

// OnlyManager returns the manager of managed fields that are those of one manager, which has updated
// the object. If this manager creates a copy, the copy has the same. Otherwise the result is empty.
func OnlyManager(fields []any) string {
	if len(fields) != 1 {
		return ""
	}
	entry, _ := fields[0].(map[string]any)
	if entry["operation"] != string(metav1.ManagedFieldsOperationUpdate) || entry["subresource"] != nil {
		return ""
	}
	return decoded.Text(entry, "manager")
}

// HasFields reports whether a copy has managed fields. It ignores times, owners, and what a move sets.
func HasFields(o *unstructured.Unstructured, fields []any) bool {
	return reflect.DeepEqual(comparableFields(ManagedFields(o, true)), comparableFields(fields))
}

// comparableFields returns the managed fields without what a copy has of its own.
func comparableFields(fields []any) []any {
	kept := runtime.DeepCopyJSONValue(fields).([]any)
	for _, item := range kept {
		entry, _ := item.(map[string]any)
		delete(entry, "time")
		unstructured.RemoveNestedField(entry, "fieldsV1", "f:metadata", "f:ownerReferences")
		owned := decoded.Map(entry, "fieldsV1", "f:metadata", "f:annotations")
		for _, name := range ownAnnotations {
			delete(owned, "f:"+name)
		}
		if _, isEmpty := owned["."]; len(owned) == 0 || isEmpty && len(owned) == 1 {
			unstructured.RemoveNestedField(entry, "fieldsV1", "f:metadata", "f:annotations")
		}
		if metadata := decoded.Map(entry, "fieldsV1", "f:metadata"); metadata != nil && len(metadata) == 0 {
			unstructured.RemoveNestedField(entry, "fieldsV1", "f:metadata")
		}
	}
	return kept
}

// WithoutMarks returns a copy of an object without the annotations of a pause or a move.
func WithoutMarks(o *unstructured.Unstructured) *unstructured.Unstructured {
	o = o.DeepCopy()
	annotations := o.GetAnnotations()
	for _, name := range ownAnnotations {
		delete(annotations, name)
	}
	if len(annotations) == 0 {
		annotations = nil
	}
	o.SetAnnotations(annotations)
	if o.GroupVersionKind().GroupKind() == management.Cluster {
		unstructured.RemoveNestedField(o.Object, "spec", "paused")
	}
	return o
}
