package lint

import (
	"slices"
	"strings"
)

// The fields of a condition as k8s.io/apimachinery has it, metav1.Condition.
const (
	namePattern   = `^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
	reasonPattern = `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`

	longestMessage = 32768
	mostConditions = 32 // what fixes permit; Cluster API does as well
)

// conditionField returns the schema of a field of a condition.
func conditionField(name string) map[string]any {
	switch name {
	case "type":
		return map[string]any{"type": "string", "maxLength": int64(316), "pattern": namePattern}
	case "status":
		return map[string]any{"type": "string", "enum": truths()}
	case "reason":
		return map[string]any{"type": "string", "minLength": int64(1), "maxLength": int64(1024), "pattern": reasonPattern}
	case "message":
		return map[string]any{"type": "string", "maxLength": int64(longestMessage)}
	case "observedGeneration":
		return map[string]any{"type": "integer", "format": "int64", "minimum": int64(0)}
	}
	return map[string]any{"type": "string", "format": "date-time"}
}

func truths() []any { return []any{"True", "False", "Unknown"} }

// Fields of a condition, and those of them that it must have.
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
	return map[string]any{"type": "array", "maxItems": int64(mostConditions), "items": conditionSchema(),
		"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"type"}}
}

// conditions returns the schema of the conditions of the status; false if it is
// not one of a list.
func (v Version) conditions() (Schema, bool) {
	list := v.Status().Property("conditions")
	return list, list.Type() == "array"
}

// condition returns the schema of one condition; false if it names no fields.
func (v Version) condition() (Schema, bool) {
	list, ok := v.conditions()
	item := list.Items()
	return item, ok && object(item.Node, "properties") != nil
}

// requires reports whether a field of an object is required.
func (s Schema) requires(name string) bool { return slices.Contains(texts(s.Node["required"]), name) }

// requireEdits returns what makes fields of an object required.
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
	list, _ := s.Node["required"].([]any)
	all := append(slices.Clone(list), missing...)
	slices.SortFunc(all, func(a, b any) int {
		x, _ := a.(string)
		y, _ := b.(string)
		return strings.Compare(x, y)
	})
	return []Edit{{OpAdd, s.Path.With("required"), all}}
}

// setEdits returns what gives a field of a schema these keywords.
func (s Schema) setEdits(keywords map[string]any, order ...string) (edits []Edit) {
	for _, k := range order {
		edits = append(edits, Edit{OpAdd, s.Path.With(k), keywords[k]})
	}
	return edits
}

// stored says what has to be looked at before a schema gets narrower.
const stored = "objects that are stored with something else can no longer be written; look at them first"
