package lint

import (
	"fmt"
	"maps"
	"slices"
)

// A Fix is the change that resolves a finding.
type Fix struct {
	Edits  []Edit
	Unsafe bool // users of the API notice the change, or stored objects may become invalid
	// ChangesController says that the controller has to change too: otherwise objects stay
	// InProgress forever. The owner of the definition can change both. For others the fix is
	// unsafe, see [Options.Foreign].
	ChangesController bool
	Note              string // what else to check; may be empty
	Risk              string // why an unsafe fix is unsafe

	summary string // the change, if it is not the usual one of the check
}

// suggestion returns the change that the fix makes. usual is the change that the check suggests.
func (f *Fix) suggestion(usual string) string {
	if f == nil || f.summary == "" {
		return usual
	}
	return f.summary
}

// An Edit changes one field, with the meaning of JSON Patch (RFC 6902). Add sets a field or
// inserts into a list ("-" appends). Replace and Remove require that the field exists.
type Edit struct {
	Op    Op
	Path  Path
	Value any
}

// An Op is the operation of an [Edit].
type Op string

// The operations.
const (
	OpAdd     Op = "add"
	OpReplace Op = "replace"
	OpRemove  Op = "remove"
)

// Apply returns the object after the edits. It does not change the given object; both share the
// parts without edits.
func Apply(object map[string]any, edits ...Edit) (map[string]any, error) {
	var whole any = object
	for _, e := range edits {
		changed, err := apply(whole, e, e.Path)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", e.Op, e.Path, err)
		}
		whole = changed
	}
	return whole.(map[string]any), nil
}

func apply(at any, e Edit, path Path) (any, error) {
	if len(path) == 0 {
		return nil, fmt.Errorf("the whole object cannot be edited")
	}
	switch node := at.(type) {
	case map[string]any:
		return applyToMap(node, e, path)
	case []any:
		return applyToList(node, e, path)
	}
	return nil, fmt.Errorf("%v: found %T; want an object or a list", path[0], at)
}

func applyToMap(node map[string]any, e Edit, path Path) (any, error) {
	key, ok := path[0].(string)
	if !ok {
		return nil, fmt.Errorf("found an object; want a list for index %v", path[0])
	}
	child, there := node[key]
	if node = maps.Clone(node); node == nil {
		node = map[string]any{}
	}
	switch {
	case len(path) > 1:
		if !there {
			return nil, fmt.Errorf("%s: does not exist", key)
		}
		changed, err := apply(child, e, path[1:])
		if err != nil {
			return nil, err
		}
		node[key] = changed
	case e.Op == OpAdd, e.Op == OpReplace && there:
		node[key] = clone(e.Value)
	case e.Op == OpRemove && there:
		delete(node, key)
	default:
		return nil, fmt.Errorf("%s: does not exist", key)
	}
	return node, nil
}

func applyToList(node []any, e Edit, path Path) (any, error) {
	node = slices.Clone(node)
	if path[0] == "-" && e.Op == OpAdd && len(path) == 1 {
		return append(node, clone(e.Value)), nil
	}
	i, ok := path[0].(int)
	if !ok || i < 0 || i > len(node) || i == len(node) && !(e.Op == OpAdd && len(path) == 1) {
		return nil, fmt.Errorf("found a list of %d; want an index in it, have %v", len(node), path[0])
	}
	if len(path) > 1 {
		changed, err := apply(node[i], e, path[1:])
		if err != nil {
			return nil, err
		}
		node[i] = changed
		return node, nil
	}
	switch e.Op {
	case OpAdd:
		return slices.Insert(node, i, clone(e.Value)), nil
	case OpRemove:
		return slices.Delete(node, i, i+1), nil
	default:
		node[i] = clone(e.Value)
		return node, nil
	}
}

// clone copies a decoded JSON value.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		copied := make(map[string]any, len(v))
		for k, item := range v {
			copied[k] = clone(item)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, item := range v {
			copied[i] = clone(item)
		}
		return copied
	}
	return v
}
