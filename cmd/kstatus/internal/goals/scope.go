package goals

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
)

// A scope is a SEL of the command line: [KIND[.GROUP]][/NAME], where * stands
// for any text. It fits objects, in whatever namespace and cluster.
type scope struct {
	Text              string
	kind, group, name string // patterns
	anyGroup          bool   // no group is named
	known             string // the kind that a cluster says is meant, as by a short name; empty if none is
}

// ParseScope reads a SEL.
func ParseScope(text string) (scope, error) {
	what, name, named := strings.Cut(text, "/")
	kind, group, grouped := strings.Cut(what, ".")
	switch {
	case what == "" && name == "", named && name == "", grouped && kind == "",
		strings.Contains(name, "/"), strings.ContainsAny(text, ", \t\n"):
		return scope{}, fmt.Errorf("%q: want KIND, KIND.GROUP, KIND/NAME or /NAME, with * for any text", text)
	}
	s := scope{Text: text, kind: kind, group: group, name: name, anyGroup: !grouped}
	if kind == "" {
		s.kind = "*"
	}
	if !named {
		s.name = "*"
	}
	return s, nil
}

// ask lets a cluster say which kind is meant: deploy, deployments and
// Deployment are one. What it does not know is taken as it stands.
func (s *scope) ask(mapper meta.RESTMapper) {
	if s.known != "" || strings.Contains(s.kind, "*") {
		return
	}
	resource := schema.GroupVersionResource{Group: s.group, Resource: strings.ToLower(s.kind)}
	if strings.Contains(s.group, "*") {
		resource.Group = ""
	}
	if kind, err := mapper.KindFor(resource); err == nil {
		s.known = kind.Kind
	}
}

// fits reports whether an object is meant. A selection is if all of what it
// may have is.
func (s scope) fits(t observe.Target) bool {
	if !s.mayFit(t) {
		return false
	}
	return like(s.name, t.Name)
}

// mayFit reports whether an object is meant, or for a selection, whether what it has may be.
func (s scope) mayFit(t observe.Target) bool {
	kind := like(strings.ToLower(s.kind), strings.ToLower(t.Kind.Kind)) || s.known != "" && s.known == t.Kind.Kind
	return kind && (s.anyGroup || like(s.group, t.Kind.Group)) && (t.IsSelection() || like(s.name, t.Name))
}

// like reports whether a text is as a pattern says, in which * stands for any text.
func like(pattern, text string) bool {
	head, rest, open := strings.Cut(pattern, "*")
	if !open {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, head)
	for ok {
		piece, more, open := strings.Cut(rest, "*")
		if !open {
			return strings.HasSuffix(text, piece)
		}
		_, text, ok = strings.Cut(text, piece)
		rest = more
	}
	return false
}

// A scoped value counts for what its scope fits.
type scoped[T any] struct {
	Scope scope
	Value T
}
