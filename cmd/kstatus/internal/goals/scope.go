package goals

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
)

// A Scope is a SEL of the command line: [KIND[.GROUP]][/NAME], where * matches any text.
// It matches objects in all namespaces and clusters.
type Scope struct {
	Text              string
	kind, group, name string // patterns
	anyGroup          bool   // the SEL has no group
	known             string // the kind that a cluster resolved, for example from a short name; may be empty
}

// ParseScope parses a SEL.
func ParseScope(text string) (Scope, error) {
	what, name, named := strings.Cut(text, "/")
	kind, group, grouped := strings.Cut(what, ".")
	switch {
	case what == "" && name == "", named && name == "", grouped && kind == "",
		strings.Contains(name, "/"), strings.ContainsAny(text, ", \t\n"):
		return Scope{}, fmt.Errorf("%q: want KIND, KIND.GROUP, KIND/NAME or /NAME, with * for any text", text)
	}
	s := Scope{Text: text, kind: kind, group: group, name: name, anyGroup: !grouped}
	if kind == "" {
		s.kind = "*"
	}
	if !named {
		s.name = "*"
	}
	return s, nil
}

// resolve resolves the kind in a cluster, so that deploy, deployments and Deployment are equal.
// A word that the cluster cannot resolve is used as a kind.
func (s *Scope) resolve(mapper meta.RESTMapper) {
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

// IsUnserved reports whether the scope names a kind that no cluster serves, after
// [Plan.UnusedRules] has looked it up. A pattern names no kind.
func (s *Scope) IsUnserved() bool { return s.known == "" && !strings.Contains(s.kind, "*") }

// matches reports whether the scope matches an object. It matches a selection if it matches all
// possible objects of the selection.
func (s Scope) matches(t observe.Target) bool {
	if !s.mayMatch(t) {
		return false
	}
	return matchesPattern(s.name, t.Name)
}

// mayMatch reports whether the scope matches an object, or a possible object of a selection.
func (s Scope) mayMatch(t observe.Target) bool {
	kind := matchesPattern(strings.ToLower(s.kind), strings.ToLower(t.Kind.Kind)) || s.known != "" && s.known == t.Kind.Kind
	return kind && (s.anyGroup || matchesPattern(s.group, t.Kind.Group)) && (t.IsSelection() || matchesPattern(s.name, t.Name))
}

// matchesPattern reports whether a text matches a pattern in which * matches any text.
func matchesPattern(pattern, text string) bool {
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

// A Scoped value applies to the objects that its scope matches.
type Scoped[T any] struct {
	Scope Scope
	Value T
}
