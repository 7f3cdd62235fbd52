package fields

import (
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/internal/decoded"
)

// valueAt returns the value at a path, or nil. A path is dotted, with [name] for the item
// of a list that has the name: "status.conditions[Ready].reason".
func valueAt(m map[string]any, path string, names *Names) any {
	var at any = m
	for path != "" && at != nil {
		if path[0] == '[' {
			name, rest, _ := strings.Cut(path[1:], "]")
			at, path = names.item(at, name), strings.TrimPrefix(rest, ".")
			continue
		}
		end := strings.IndexByte(path, '[')
		if end < 0 {
			end = len(path)
		}
		m, _ := at.(map[string]any)
		at, path = decoded.AtPath(m, path[:end]), path[end:]
	}
	return at
}

// Existing returns a path up to its first list item that does not exist. If all list
// items exist, it returns the whole path.
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

// item returns an item of a list, by its name or else by its index. In a map, it returns
// the value of a key that is not a field name, such as an annotation.
func (n *Names) item(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		if m := n.find(v, name); m != nil {
			return m
		}
		if strings.Trim(name, "+-0123456789") == "" { // an error of Atoi for another text costs time
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
				return v[i]
			}
		}
	}
	return nil
}

// Names caches the items of long lists of an object by their names. The zero value is
// empty. It is not safe for concurrent use.
type Names struct {
	lists map[*any]map[string]map[string]any // by the address of the first item
}

// long is the length above which a list gets an index.
const long = 16

// find returns the first item of a list with the name, or nil.
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
		for _, item := range slices.Backward(list) { // the first of two items with the same name counts
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
