// Package reference finds references to other objects in the fields of an object whose
// kind is not known.
package reference

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

// A Reference is a field that refers to another object.
type Reference struct {
	Path      string
	status.ID      // without a cluster
	Optional  bool // the other object may be missing
	Guessed   bool // the kind or the namespace is only guessed from the name of the field
	Similar   bool // the kind is a word of the name of the field: a similar kind is meant
}

// The limits of a search for references in the fields of an object.
const (
	maxDepth  = 8
	maxFields = 4000
)

// Find returns the fields of an object that look like references, sorted by the names of
// the fields, up to about the limit. These are fields with a kind and a name whose own
// name ends in Ref or Refs. Fields that usually name a Secret, a ConfigMap or the like
// count too. Fields of the status come last. The controller writes them, so the objects
// may be missing.
//
// A field such as clusterName counts if mentions reports the name in it.
func Find(obj fields.Section, of status.Kind, namespace string, limit int, mentions func(name string) bool) []Reference {
	s := &search{object: obj, kind: of, namespace: namespace, limit: limit, mentions: mentions}
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
	object    fields.Section
	kind      status.Kind // of the object
	namespace string      // of the object
	mentions  func(name string) bool
	limit     int // of references
	found     []Reference
	seen      int // the number of fields
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
				if text, ok := item.(string); ok && name == "dependsOn" {
					s.addSameKind(section.Path+name+"["+strconv.Itoa(i)+"]", text)
				}
				if m, ok := item.(map[string]any); ok && m != nil {
					s.visitField(fields.Section{Map: m, Path: section.Path + name + "[" + strconv.Itoa(i) + "]."}, name, depth)
				}
			}
		}
	}
}

// visitField adds a field if it is a reference, and otherwise visits its own fields.
func (s *search) visitField(section fields.Section, name string, depth int) {
	if !s.add(section, name) {
		s.visit(section, depth+1)
	}
}

// add adds a field as a reference or ignores it. It returns false if the field does not
// look like a reference.
func (s *search) add(at fields.Section, field string) (ok bool) {
	lower := strings.ToLower(field)
	if isIgnored(lower) {
		return true
	}
	if lower == "dependson" && at.Text("name") != "" && !at.Has("kind") {
		s.addSameKind(at.Path+"name", at.Text("name"))
		return true
	}
	if !isNamedReference(lower) {
		return false
	}
	id := status.ID{Kind: status.Kind{Kind: at.Text("kind")}, Namespace: cmp.Or(at.Text("namespace"), s.namespace), Name: at.Text("name")}
	r := Reference{Path: at.Path + "name", ID: id, Optional: at.Is("optional")}
	if r.Name == "" {
		return false
	}
	group, _, hasGroup := strings.Cut(at.Text("apiVersion"), "/")
	if !hasGroup {
		group = ""
	}
	r.Group = cmp.Or(at.Text("apiGroup"), at.Text("group"), group)
	if !at.Has("apiVersion") && !at.Has("apiGroup") && !at.Has("group") {
		r.guessKind(field, s.kind.Group)
	}
	if r.Kind.Kind == "" {
		return false
	}
	r.Namespace = Namespace(r.Kind.Kind, r.Namespace)
	// Without a namespace of the object, the namespace is unknown. The references of a
	// provider's resource may be in another cluster.
	if s.namespace == "" && !at.Has("namespace") || s.object.Has("spec.forProvider") {
		r.Guessed = true
	}
	if r.Namespace != "" || r.Group != "" || isClusterScoped(r.Kind.Kind) {
		s.found = append(s.found, r)
	}
	return true
}

// isNamedReference reports whether a field with a kind and a name is a reference, by its own name in
// lower case.
func isNamedReference(lower string) bool {
	return strings.HasSuffix(lower, "ref") || strings.HasSuffix(lower, "refs") || strings.HasSuffix(lower, "references") || strings.HasSuffix(lower, "from")
}

// IsRead reports whether [Find] may read the text of a field. parent is the name of the field that
// has it, itself or in a list.
func IsRead(parent, field, text string, mentions func(name string) bool) bool {
	lower := strings.ToLower(parent)
	switch {
	case isIgnored(lower), isIgnored(strings.ToLower(field)):
		return false
	case isNamedReference(lower) || lower == "dependson":
		switch field {
		case "apiGroup", "apiVersion", "group", "kind", "name", "namespace":
			return true
		}
		return false
	case field == "dependsOn":
		return true
	case kindWord(field) != "":
		return !strings.ContainsAny(text, "/: ")
	}
	word, ok := strings.CutSuffix(field, "Name")
	if !ok || word == "" {
		return false
	}
	lower = strings.ToLower(word)
	return kindsByName[lower].Kind != "" || coreKind(lower+"ref") != "" || mentions(text)
}

// guessKind completes the kind of a reference without a group. It uses the name of the field, and
// the group of the object.
func (r *Reference) guessKind(field, group string) {
	lower := strings.ToLower(field)
	switch byField, known := kindsByField[lower]; {
	case IsCore(r.Kind.Kind):
	case r.Kind.Kind != "":
		r.Group, r.Guessed, r.Similar = group, true, true
	case known:
		r.Kind, r.Guessed = byField, true
	case coreKind(lower) != "":
		r.Kind.Kind, r.Guessed = coreKind(lower), true
	case kindWord(field) != "":
		r.Kind, r.Guessed, r.Similar = status.Kind{Group: group, Kind: kindWord(field)}, true, true
	}
}

// kindWord returns the word for a kind in the name of a field: Pool for poolRef, or "".
func kindWord(field string) string {
	for _, suffix := range [...]string{"Reference", "References", "Ref", "Refs"} {
		if word, ok := strings.CutSuffix(field, suffix); ok && word != "" {
			return capitalized(word)
		}
	}
	return ""
}

func capitalized(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// addSameKind adds a reference to an object of the same kind.
func (s *search) addSameKind(path, name string) {
	s.found = append(s.found, Reference{Path: path, ID: status.ID{Kind: s.kind, Namespace: s.namespace, Name: name}, Guessed: true})
}

// addName adds a field that holds a name, such as secretName or poolRef, as a reference.
func (s *search) addName(path, field, name string) {
	if name == "" || s.namespace == "" || isIgnored(strings.ToLower(field)) {
		return
	}
	if kind := kindWord(field); kind != "" && !strings.ContainsAny(name, "/: ") {
		r := Reference{Path: path, ID: status.ID{Namespace: s.namespace, Name: name}}
		r.guessKind(field, s.kind.Group)
		s.found = append(s.found, r)
		return
	}
	word, ok := strings.CutSuffix(field, "Name")
	if !ok || word == "" {
		return
	}
	lower := strings.ToLower(word)
	kind := cmp.Or(kindsByName[lower], status.Kind{Kind: coreKind(lower + "ref")})
	r := Reference{Path: path, ID: status.ID{Kind: kind, Namespace: Namespace(kind.Kind, s.namespace), Name: name}, Guessed: true}
	if r.Kind.Kind == "" && s.mentions(name) {
		r.Kind, r.Similar = status.Kind{Group: s.kind.Group, Kind: capitalized(word)}, true
	}
	if r.Kind.Kind != "" {
		s.found = append(s.found, r)
	}
}
