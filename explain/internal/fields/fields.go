// Package fields reads objects by paths.
//
// A field that is missing, null or of another type reads as empty. The verdict on the
// object reports malformed fields, so explanations need not.
package fields

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/internal/integer"
)

// A Section is a part of an object, or the whole object.
type Section struct {
	Map   map[string]any
	Path  string // of Map in its object, empty or with a dot at the end
	Names *Names // of the object; nil: lists are searched for items
}

// Get returns the value at a path, or nil.
func (s Section) Get(path string) any { return valueAt(s.Map, path, s.Names) }

// Text returns a string, or "".
func (s Section) Text(path string) string {
	text, _ := s.Get(path).(string)
	return text
}

// Has reports whether a field exists and is not null.
func (s Section) Has(path string) bool { return s.Get(path) != nil }

// Is reports whether a boolean field is true.
func (s Section) Is(path string) bool {
	b, _ := s.Get(path).(bool)
	return b
}

// Int returns an integer, or the default.
func (s Section) Int(path string, missing int64) int64 {
	if n, ok := integer.Of(s.Get(path)); ok {
		return n
	}
	return missing
}

// Under returns the map at a path, empty if it does not exist.
func (s Section) Under(path string) Section {
	m, _ := s.Get(path).(map[string]any)
	return Section{m, s.Path + path + ".", s.Names}
}

// Each yields the maps of a list. Their paths have their name, or else their index.
func (s Section) Each(path string) iter.Seq[Section] {
	return func(yield func(Section) bool) {
		list := s.List(path)
		for i := range list.Len() {
			if item, ok := list.Item(i); ok && !yield(item) {
				return
			}
		}
	}
}

// List returns the list at a path, empty if it does not exist.
func (s Section) List(path string) List {
	items, _ := s.Get(path).([]any)
	return List{items, s.Path, path, s.Names}
}

// A List is a list in an object.
type List struct {
	items []any
	in    string // the path of the section
	path  string // in the section
	names *Names
}

// Len returns the length of a list.
func (l List) Len() int { return len(l.items) }

// Item returns an item of a list, and false if it is not a map. Its path has its name. It
// has the index instead if the item has no name, or if the name is not valid in a path.
func (l List) Item(i int) (item Section, ok bool) {
	m, ok := l.items[i].(map[string]any)
	if !ok {
		return Section{}, false
	}
	name := Name(m)
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, isUnusual) {
		name = strconv.Itoa(i)
	}
	return Section{m, l.in + l.path + "[" + name + "].", l.names}, true
}

// maxName is the maximum length of an item name in a path: a domain and a name.
const maxName = 253 + 1 + 63

// isUnusual reports whether a character does not occur in usual names of items.
func isUnusual(r rune) bool { return r <= ' ' || r > '~' || r == '[' || r == ']' }

// Len returns the length of a list, or zero.
func (s Section) Len(path string) int {
	return s.List(path).Len()
}

// Texts returns the strings of a list.
func (s Section) Texts(path string) (all []string) {
	for _, item := range s.List(path).items {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// Labels returns the strings of a map.
func (s Section) Labels(path string) map[string]string {
	m := s.Under(path).Map
	all := make(map[string]string, len(m))
	for key, v := range m {
		if text, ok := v.(string); ok {
			all[key] = text
		}
	}
	return all
}

// Name returns the name of an item of a list, or else its type or its key.
func Name(item map[string]any) string {
	for _, key := range [...]string{"name", "type", "key"} {
		if s, ok := item[key].(string); ok {
			return s
		}
	}
	return ""
}

// Keys returns the keys of some maps, sorted and without duplicates.
func Keys[V any](of ...map[string]V) (keys []string) {
	for _, m := range of {
		keys = slices.AppendSeq(keys, maps.Keys(m))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
