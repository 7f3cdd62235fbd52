// Package reference finds references to other objects in the fields of an object
// whose kind is not known.
package reference

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/explain/internal/fields"
)

// A Reference is a field that refers to another object.
type Reference struct {
	Path                         string
	Group, Kind, Namespace, Name string
	Optional                     bool // the other object may be missing
	Guessed                      bool // only the name of the field says which kind, or where, the other object is
}

// How far the fields of an object are searched for references.
const (
	maxDepth  = 8
	maxFields = 4000
)

// Find returns the references that the fields of an object look like, in the
// order of the names of the fields, up to about the limit: in any field
// whose name ends in Ref or Refs what has a kind and a name, and what is well
// known to name a Secret, a ConfigMap or the like. Those of the status come last.
// The controller makes them, so they may be missing.
func Find(obj fields.Section, group, namespace string, limit int) []Reference {
	s := &search{object: obj, group: group, namespace: namespace, limit: limit}
	s.visit(obj.Under("spec"), 0)
	ofSpec := len(s.found)
	s.visit(obj.Under("status"), 0)
	for i := ofSpec; i < len(s.found); i++ {
		s.found[i].Optional = true
	}
	return s.found
}

// A search collects references from fields.
type search struct {
	object           fields.Section
	group, namespace string // of the object
	limit            int    // of references
	found            []Reference
	seen             int // fields
}

func (s *search) visit(section fields.Section, depth int) {
	if depth > maxDepth {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(section.Map)) {
		if s.seen++; s.seen > maxFields || len(s.found) >= s.limit {
			return
		}
		switch v := section.Map[name].(type) {
		case string:
			s.addName(section.Path+name, name, v)
		case map[string]any:
			s.visitField(fields.Section{Map: v, Path: section.Path + name + "."}, name, depth)
		case []any:
			for i, item := range v {
				if m, ok := item.(map[string]any); ok && m != nil {
					s.visitField(fields.Section{Map: m, Path: section.Path + name + "[" + strconv.Itoa(i) + "]."}, name, depth)
				}
			}
		}
	}
}

// visitField takes a field as a reference if it is one, and otherwise visits its
// own fields.
func (s *search) visitField(section fields.Section, name string, depth int) {
	if !s.add(section, name) {
		s.visit(section, depth+1)
	}
}

// add takes a field as a reference, or ignores it; not ok if it does not look like
// one.
func (s *search) add(at fields.Section, field string) (ok bool) {
	lower := strings.ToLower(field)
	if isIgnored(lower) {
		return true
	}
	if !strings.HasSuffix(lower, "ref") && !strings.HasSuffix(lower, "refs") && !strings.HasSuffix(lower, "references") && !strings.HasSuffix(lower, "from") {
		return false
	}
	r := Reference{Path: at.Path + "name", Kind: at.Text("kind"), Name: at.Text("name"), Namespace: cmp.Or(at.Text("namespace"), s.namespace), Optional: at.Is("optional")}
	if r.Name == "" {
		return false
	}
	group, _, hasGroup := strings.Cut(at.Text("apiVersion"), "/")
	if !hasGroup {
		group = ""
	}
	r.Group = cmp.Or(at.Text("apiGroup"), at.Text("group"), group)
	if !at.Has("apiVersion") && !at.Has("apiGroup") && !at.Has("group") {
		r.guessKind(lower, s.group)
	}
	if r.Kind == "" {
		return false
	}
	r.Namespace = Namespace(r.Kind, r.Namespace)
	// From outside of any namespace it is not known where it is looked for, and
	// what a provider works with may be in another cluster.
	if s.namespace == "" && !at.Has("namespace") || s.object.Has("spec.forProvider") {
		r.Guessed = true
	}
	if r.Namespace != "" || r.Group != "" || isClusterScoped(r.Kind) {
		s.found = append(s.found, r)
	}
	return true
}

// guessKind completes the kind of a reference that names no group, by the name of
// its field in lower case and the group of the object.
func (r *Reference) guessKind(field, group string) {
	switch byField, known := kindsByField[field]; {
	case isCore(r.Kind):
	case r.Kind != "":
		r.Group, r.Guessed = group, true
	case known:
		r.Group, r.Kind, r.Guessed = byField.Group, byField.Kind, true
	case coreKind(field) != "":
		r.Kind, r.Guessed = coreKind(field), true
	}
}

// addName takes a field that holds a name, such as secretName, as a reference.
func (s *search) addName(path, field, name string) {
	if name == "" || s.namespace == "" || !strings.HasSuffix(field, "Name") || isIgnored(strings.ToLower(field)) {
		return
	}
	if kind := coreKind(strings.ToLower(strings.TrimSuffix(field, "Name")) + "ref"); kind != "" {
		s.found = append(s.found, Reference{Path: path, Kind: kind, Namespace: s.namespace, Name: name, Guessed: true})
	}
}
