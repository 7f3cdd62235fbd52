// Package object reads and copies objects for package observe.
package object

import (
	"maps"
	"strings"
	"time"

	"kstatus.dev/status"
)

// Without returns a copy of an object without one of its fields, and whether the object has the field.
func Without(obj status.Object, parent, field string) (status.Map, bool) {
	root := maps.Clone(obj.UnstructuredContent())
	inner, _ := root[parent].(map[string]any)
	if _, ok := inner[field]; !ok {
		return root, false
	}
	inner = maps.Clone(inner)
	delete(inner, field)
	root[parent] = inner
	return root, true
}

// DecidedAt returns when the condition in the message of a verdict last changed. If the
// message repeats several conditions, the latest change counts. It is zero if the message
// repeats no condition with a time.
func DecidedAt(obj status.Object, message string) (at time.Time) {
	state, _ := obj.UnstructuredContent()["status"].(map[string]any)
	conditions, _ := state["conditions"].([]any)
	for _, item := range conditions {
		c, _ := item.(map[string]any)
		text, _ := c["lastTransitionTime"].(string)
		if t, err := time.Parse(time.RFC3339, text); err == nil && t.After(at) && repeats(message, c) {
			at = t
		}
	}
	return at
}

// DeletedAt returns the time by which an object is to be deleted, which is later than the
// request if the deletion has a grace period. It is zero if the object is not being deleted.
func DeletedAt(obj status.Object) time.Time {
	meta, _ := obj.UnstructuredContent()["metadata"].(map[string]any)
	text, _ := meta["deletionTimestamp"].(string)
	at, _ := time.Parse(time.RFC3339, text) // zero with an error
	return at
}

// repeats reports whether the message of a verdict repeats that of a condition, or its type and status.
func repeats(message string, condition map[string]any) bool {
	kind, _ := condition["type"].(string)
	state, _ := condition["status"].(string)
	if rest, ok := strings.CutPrefix(message, kind+" is "+state); ok && kind != "" && (rest == "" || rest[0] == ':' || rest[0] == ';') {
		return true
	}
	text, _ := condition["message"].(string)
	const enough = 40 // of a long message, which verdicts cut
	text = strings.Join(strings.Fields(text), " ")
	return text != "" && strings.Contains(message, text[:min(len(text), enough)])
}
