package lint

import (
	"slices"
	"strings"

	"kstatus.dev/internal/decoded"
)

// The fields of metav1.Condition in k8s.io/apimachinery.
const (
	namePattern   = `^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
	reasonPattern = `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`

	maxMessageLength = 32768
	maxConditions    = 32 // the maximum in fixes; Cluster API has the same
)

// conditionField returns the schema of a field of a condition.
func conditionField(name string) map[string]any {
	switch name {
	case "type":
		return map[string]any{"type": "string", "maxLength": int64(316), "pattern": namePattern}
	case "status":
		return map[string]any{"type": "string", "enum": conditionStatuses()}
	case "reason":
		return map[string]any{"type": "string", "minLength": int64(1), "maxLength": int64(1024), "pattern": reasonPattern}
	case "message":
		return map[string]any{"type": "string", "maxLength": int64(maxMessageLength)}
	case "observedGeneration":
		return map[string]any{"type": "integer", "format": "int64", "minimum": int64(0)}
	}
	return map[string]any{"type": "string", "format": "date-time"}
}

func conditionStatuses() []any { return []any{"True", "False", "Unknown"} }

// The fields of a condition, and the required ones.
var (
	conditionFields   = []string{"lastTransitionTime", "message", "observedGeneration", "reason", "status", "type"}
	conditionRequired = []any{"lastTransitionTime", "message", "reason", "status", "type"}
)

// conditionSchema returns the schema of a condition.
func conditionSchema() map[string]any {
	properties := map[string]any{}
	for _, name := range conditionFields {
		properties[name] = conditionField(name)
	}
	return map[string]any{"type": "object", "required": slices.Clone(conditionRequired), "properties": properties}
}

// conditionsSchema returns the schema of a list of conditions.
func conditionsSchema() map[string]any {
	return map[string]any{"type": "array", "maxItems": int64(maxConditions), "items": conditionSchema(),
		"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"type"}}
}

// conditions returns the schema of the conditions of the status; false if they are not a list.
func (v Version) conditions() (Schema, bool) {
	list := v.Status().Property("conditions")
	return list, list.Type() == "array"
}

// condition returns the schema of one condition; false if it has no fields.
func (v Version) condition() (Schema, bool) {
	list, ok := v.conditions()
	item := list.Items()
	return item, ok && decoded.Map(item.Node, "properties") != nil
}

// requires reports whether a field of an object is required.
func (s Schema) requires(name string) bool { return slices.Contains(texts(s.Node["required"]), name) }

// requireEdits returns the edits that make fields of an object required.
func (s Schema) requireEdits(names ...string) []Edit {
	var missing []any
	for _, name := range names {
		if !s.requires(name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	all := append(slices.Clone(decoded.List(s.Node, "required")), missing...)
	slices.SortFunc(all, func(a, b any) int {
		x, _ := a.(string)
		y, _ := b.(string)
		return strings.Compare(x, y)
	})
	return []Edit{{OpAdd, s.Path.With("required"), all}}
}

// setEdits returns the edits that set these keywords of a field.
func (s Schema) setEdits(keywords map[string]any, order ...string) (edits []Edit) {
	for _, k := range order {
		edits = append(edits, Edit{OpAdd, s.Path.With(k), keywords[k]})
	}
	return edits
}

// storedObjectsNote is the note of fixes that restrict a schema.
const storedObjectsNote = "stored objects with other values can no longer be written; check them first"

// The risks of several fixes.
const (
	storedObjectsRisk = "stored objects may have other values"
	unknownFieldRisk  = "stored objects may have this field with another type"
)
