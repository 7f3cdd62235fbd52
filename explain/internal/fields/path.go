package fields

import (
	"slices"
	"strconv"
	"strings"
)

// valueAt returns the value at a path, nil if there is none. A path is dotted,
// with [name] for the item of a list that has the name:
// "status.conditions[Ready].reason".
func valueAt(m map[string]any, path string, names *Names) any {
	var at any = m
	for path != "" && at != nil {
		var step string
		step, path = cutStep(path)
		if name, ok := strings.CutPrefix(step, "["); ok {
			at = names.item(at, strings.TrimSuffix(name, "]"))
			continue
		}
		m, _ := at.(map[string]any)
		at = m[step]
	}
	return at
}

// Existing returns a path up to the first item of a list that does not exist, or the whole path if all
// items on the way exist.
func (s Section) Existing(path string) string {
	for at := 0; ; {
		i := strings.Index(path[at:], "].")
		if i < 0 {
			return path
		}
		if at += i + 1; s.Get(path[:at]) == nil {
			return path[:at]
		}
	}
}

// cutStep splits a path after its first step, a field or an item of a list.
func cutStep(path string) (step, rest string) {
	if path[0] == '[' {
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return path, ""
		}
		return path[:end+1], strings.TrimPrefix(path[end+1:], ".")
	}
	for i := range len(path) {
		switch path[i] {
		case '.':
			return path[:i], path[i+1:]
		case '[':
			return path[:i], path[i:]
		}
	}
	return path, ""
}

// item returns the item of a list that has the name, or else that index, or the
// value of a map under a key that is no field name, such as an annotation's.
func (n *Names) item(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		if m := n.find(v, name); m != nil {
			return m
		}
		if strings.Trim(name, "+-0123456789") == "" { // the error of any other text costs time
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
				return v[i]
			}
		}
	}
	return nil
}

// Names knows the items of the long lists of an object by their names, once it has looked
// through them. The zero value knows none. It belongs to one goroutine.
type Names struct {
	lists map[*any]map[string]map[string]any // by the first items
}

// long is how many items a list has that is worth an index.
const long = 16

// find returns the first item of a list that has the name; nil if there is none.
func (n *Names) find(list []any, name string) map[string]any {
	if n != nil && len(list) > long {
		return n.of(list)[name]
	}
	for _, item := range list {
		if m, ok := item.(map[string]any); ok && Name(m) == name {
			return m
		}
	}
	return nil
}

// of returns the items of a list by their names.
func (n *Names) of(list []any) map[string]map[string]any {
	known := n.lists[&list[0]]
	if known == nil {
		known = map[string]map[string]any{}
		for _, item := range slices.Backward(list) { // of two the first counts
			if m, ok := item.(map[string]any); ok {
				known[Name(m)] = m
			}
		}
		if n.lists == nil {
			n.lists = map[*any]map[string]map[string]any{}
		}
		n.lists[&list[0]] = known
	}
	return known
}
