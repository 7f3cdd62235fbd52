// Package object reads and copies objects for package observe.
package object

import (
	"maps"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// Without returns a copy of an object without one of its fields, and whether the object has the field.
func Without(obj status.Object, parent, field string) (status.Map, bool) {
	root := maps.Clone(obj.UnstructuredContent())
	inner := decoded.Map(root, parent)
	if _, ok := inner[field]; !ok {
		return root, false
	}
	inner = maps.Clone(inner)
	delete(inner, field)
	root[parent] = inner
	return root, true
}

// DeletedAt returns the time by which an object is to be deleted, which is later than the
// request if the deletion has a grace period. It is zero if the object is not being deleted.
func DeletedAt(obj status.Object) time.Time {
	at, _ := time.Parse(time.RFC3339, decoded.Text(obj.UnstructuredContent(), "metadata", "deletionTimestamp")) // zero with an error
	return at
}
