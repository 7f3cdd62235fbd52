package conditions

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
)

// An Object is any object of client-go or controller-runtime. It is either unstructured or an
// [Accessor].
type Object interface {
	metav1.Object
	runtime.Object
}

// An Accessor gives access to the conditions of a typed object.
type Accessor interface {
	GetConditions() []metav1.Condition
	SetConditions([]metav1.Condition)
}

// snapshot is an object as it was read, with the fields that a commit compares.
type snapshot struct {
	object     Object // an unmodified copy; nil for a plain list
	uid        types.UID
	version    string
	generation int64
	deleting   bool
	status     map[string]any // the whole status, including conditions
	observed   int64          // status.observedGeneration; -1 if absent
	entries    []entry
	duplicated []string // types that were stored more than once
}

// entry is a stored condition. A condition of another owner stays unchanged,
// including fields that metav1.Condition does not have.
type entry struct {
	metav1.Condition
	raw any // the value in an unstructured object; nil for a new entry
}

// takeSnapshot takes a snapshot of an object.
func takeSnapshot(obj Object) (*snapshot, error) {
	if isNil(obj) {
		return nil, errors.New("conditions of an object: the object is nil")
	}
	_, raw := obj.(*unstructured.Unstructured)
	if _, ok := obj.(Accessor); !ok && !raw {
		return nil, &MissingError{Object: describe(obj), Field: "conditions",
			Remedy: fmt.Sprintf("add the methods GetConditions and SetConditions to %T", obj)}
	}
	copied, err := copyOf(obj)
	if err != nil {
		return nil, err
	}
	s := &snapshot{
		object: copied, uid: copied.GetUID(), version: copied.GetResourceVersion(),
		generation: copied.GetGeneration(), deleting: copied.GetDeletionTimestamp() != nil, observed: -1,
	}
	if s.status, err = statusOf(copied); err != nil {
		return nil, err
	}
	if n, ok := integer.Of(s.status["observedGeneration"]); ok {
		s.observed = n
	}
	if raw {
		s.entries = rawEntries(s.status["conditions"])
	} else {
		s.entries = entriesOf(copied.(Accessor).GetConditions())
	}
	s.entries, s.duplicated = withoutDuplicates(s.entries)
	return s, nil
}

// copyOf returns a deep copy.
func copyOf(obj Object) (Object, error) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return &unstructured.Unstructured{Object: plainMap(u.Object)}, nil
	}
	copied, ok := obj.DeepCopyObject().(Object)
	if !ok {
		return nil, fmt.Errorf("%s: its deep copy is a %T, which has no metadata", describe(obj), obj.DeepCopyObject())
	}
	return copied, nil
}

// statusOf returns the status of an object as JSON, without nulls.
func statusOf(obj Object) (map[string]any, error) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return plainMap(decoded.Map(u.Object, "status")), nil
	}
	if part, ok := statusField(obj); ok {
		status, err := runtime.DefaultUnstructuredConverter.ToUnstructured(part)
		if err != nil {
			return nil, fmt.Errorf("%s: its status as JSON: %w", describe(obj), err)
		}
		return plainMap(status), nil
	}
	all, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, fmt.Errorf("%s: as JSON: %w", describe(obj), err)
	}
	return plainMap(decoded.Map(all, "status")), nil
}

// statusField returns a pointer to the field Status of a typed object, if its
// JSON name is status. It saves the conversion of the other fields.
func statusField(obj Object) (any, bool) {
	v := reflect.Indirect(reflect.ValueOf(obj))
	if v.Kind() != reflect.Struct || !v.CanAddr() {
		return nil, false
	}
	field, ok := v.Type().FieldByName("Status")
	if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); !ok || name != "status" || len(field.Index) != 1 || field.Type.Kind() != reflect.Struct {
		return nil, false
	}
	return v.FieldByIndex(field.Index).Addr().Interface(), true
}

// statusWith returns the status of the object with other conditions.
func statusWith(obj Object, entries []entry) (map[string]any, error) {
	if _, ok := obj.(*unstructured.Unstructured); ok {
		status, err := statusOf(obj)
		if err != nil {
			return nil, err
		}
		delete(status, "conditions")
		if len(entries) > 0 {
			status["conditions"] = rawList(entries)
		}
		return status, nil
	}
	copied, err := copyOf(obj)
	if err != nil {
		return nil, err
	}
	copied.(Accessor).SetConditions(conditionsOf(entries))
	return statusOf(copied)
}

// setConditions sets the conditions of an object in memory.
func setConditions(obj Object, entries []entry) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		if u.Object == nil {
			u.Object = map[string]any{}
		}
		status, ok := u.Object["status"].(map[string]any)
		if !ok {
			status = map[string]any{}
			u.Object["status"] = status
		}
		status["conditions"] = rawList(entries)
		return
	}
	obj.(Accessor).SetConditions(conditionsOf(entries))
}

func entriesOf(list []metav1.Condition) []entry {
	entries := make([]entry, 0, len(list))
	for _, c := range list {
		entries = append(entries, entry{Condition: c})
	}
	return entries
}

func conditionsOf(entries []entry) []metav1.Condition {
	list := make([]metav1.Condition, 0, len(entries))
	for _, e := range entries {
		list = append(list, e.Condition)
	}
	return list
}

// find returns the condition with a type, and whether it exists.
func find(entries []entry, typ string) (metav1.Condition, bool) {
	for _, e := range entries {
		if e.Type == typ {
			return e.Condition, true
		}
	}
	return metav1.Condition{}, false
}

// withoutDuplicates keeps only the condition with the newest transition of each
// type, at the position of the first. repaired lists the types with duplicates.
func withoutDuplicates(entries []entry) (kept []entry, repaired []string) {
	at := map[string]int{}
	for _, e := range entries {
		i, twice := at[e.Type]
		if !twice || e.Type == "" {
			at[e.Type] = len(kept)
			kept = append(kept, e)
			continue
		}
		repaired = append(repaired, e.Type)
		if e.LastTransitionTime.After(kept[i].LastTransitionTime.Time) {
			kept[i] = e
		}
	}
	return kept, repaired
}

// describe returns the kind, if known, and the name of an object, for errors.
func describe(obj Object) string {
	if obj == nil {
		return "conditions"
	}
	kind := obj.GetObjectKind().GroupVersionKind().Kind
	if kind == "" {
		kind = reflect.Indirect(reflect.ValueOf(obj)).Type().Name()
	}
	if ns := obj.GetNamespace(); ns != "" {
		return kind + " " + ns + "/" + obj.GetName()
	}
	return kind + " " + obj.GetName()
}

// toSeconds truncates a time to the precision of metav1.Time.
func toSeconds(t time.Time) metav1.Time { return metav1.Time{Time: t.Truncate(time.Second)} }
