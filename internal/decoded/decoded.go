// Package decoded reads fields of decoded JSON by their path.
//
// A path is a list of names, because a name such as that of an annotation may contain dots.
// [AtPath] and [Lookup] take paths as kubectl explain prints them, such as status.readyReplicas.
// A field that is missing, null or of another type is absent, and reads as the zero value.
package decoded

import (
	"iter"
	"strings"

	"kstatus.dev/internal/integer"
)

// At returns the value of a field, nil if it is absent.
func At(root map[string]any, names ...string) any {
	var v any = root
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// AtPath returns the value at a dotted path, nil if it is absent.
func AtPath(root map[string]any, path string) any {
	v, end := Lookup(root, path)
	if end < len(path) {
		return nil
	}
	return v
}

// Lookup is [AtPath] for callers that report malformed fields. If a parent of the field exists
// and is not a map, value is that parent, and path[:end] is its path. Otherwise end is the length
// of the path.
func Lookup(root map[string]any, path string) (value any, end int) {
	for from := 0; ; from = end + 1 {
		length := strings.IndexByte(path[from:], '.')
		if length < 0 {
			return root[path[from:]], len(path)
		}
		end = from + length
		value = root[path[from:end]]
		if value == nil {
			return nil, len(path)
		}
		var isMap bool
		if root, isMap = value.(map[string]any); !isMap {
			return value, end
		}
	}
}

// AtSteps returns the value at a path of names, and of indices of lists. It also returns whether the
// value exists, which may be null.
func AtSteps(root any, steps ...any) (value any, exists bool) {
	value = root
	for _, step := range steps {
		m, _ := value.(map[string]any)
		list, _ := value.([]any)
		switch step := step.(type) {
		case string:
			value, exists = m[step]
		case int:
			if exists = 0 <= step && step < len(list); exists {
				value = list[step]
			}
		default:
			exists = false
		}
		if !exists {
			return nil, false
		}
	}
	return value, true
}

// Map returns a field that is a map.
func Map(root map[string]any, names ...string) map[string]any {
	m, _ := At(root, names...).(map[string]any)
	return m
}

// List returns a field that is a list.
func List(root map[string]any, names ...string) []any {
	list, _ := At(root, names...).([]any)
	return list
}

// Maps yields the items of a field that is a list of maps, with their indices. An item that is not
// a map is nil.
func Maps(root map[string]any, names ...string) iter.Seq2[int, map[string]any] {
	list := List(root, names...)
	return func(yield func(int, map[string]any) bool) {
		for i, item := range list {
			m, _ := item.(map[string]any)
			if !yield(i, m) {
				return
			}
		}
	}
}

// Text returns a field that is a string.
func Text(root map[string]any, names ...string) string {
	text, _ := At(root, names...).(string)
	return text
}

// Bool returns a field that is a boolean.
func Bool(root map[string]any, names ...string) bool {
	b, _ := At(root, names...).(bool)
	return b
}

// Int returns a field that is an integer of any type that a decoder returns, and whether it is one.
func Int(root map[string]any, names ...string) (n int64, exists bool) {
	return integer.Of(At(root, names...))
}
