package connection

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/internal/typo"
	"kstatus.dev/status"
)

// A TypeError is the error for a TYPE that the server does not serve.
type TypeError struct {
	Type    string
	Object  bool   // the argument was TYPE/NAME or TYPE NAME.
	Arg     string // the TYPE/NAME; empty for other forms.
	Similar string // a served type with a similar name; may be empty.
	Err     error  // why the served types are not known; may be nil.
}

// Error returns the text with the similar type.
func (e *TypeError) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("cannot determine whether the server has a resource type %q: %v", e.Type, e.Err)
	case e.Similar != "":
		return fmt.Sprintf("the server has no resource type %q; did you mean %s?", e.Type, e.Similar)
	case e.Object:
		return fmt.Sprintf("the server has no resource type %q", e.Type)
	}
	return fmt.Sprintf("%q is not a resource type; write TYPE/%[1]s, for example deploy/%[1]s", e.Type)
}

// Unwrap returns why the served types are not known.
func (e *TypeError) Unwrap() error { return e.Err }

// MayAppear reports whether a wait for the type makes sense: the argument names an object, and
// the type is not a typo.
func (e *TypeError) MayAppear() bool { return e.Object && e.Similar == "" && e.Err == nil }

// similarType returns the served type that word may be a typo of, in the form of arguments. It
// is empty if no type is similar.
func similarType(word string, served []ServedType) string {
	name, group, grouped := strings.Cut(strings.ToLower(word), ".")
	best, least := "", 0
	for _, t := range served {
		if grouped && group != t.Group && !typo.Is(group, t.Group) {
			continue
		}
		for _, candidate := range append([]string{t.Plural, strings.ToLower(t.Kind)}, t.names...) {
			if grouped && candidate == name || typo.Is(name, candidate) {
				distance := typo.Distance(name+"."+group, candidate+"."+t.Group)
				if !grouped {
					distance = typo.Distance(name, candidate)
				}
				if best == "" || distance < least {
					best, least = t.FullName(), distance
				}
			}
		}
	}
	if !grouped {
		best, _, _ = strings.Cut(best, ".")
	}
	return best
}

// NeverServed returns an error for a kind that the server does not serve and never will. lookUp
// is the error of its lookup. The group of such a kind has no dot, so it belongs to Kubernetes:
// CustomResourceDefinitions only add kinds to groups with a dot.
func (c *Cluster) NeverServed(kind status.Kind, lookUp error) error {
	if !meta.IsNoMatchError(lookUp) || strings.Contains(kind.Group, ".") {
		return nil
	}
	served, err := c.servedTypes()
	if err != nil { // it may be in a group that does not respond
		return nil
	}
	group := kind.Group
	if group == "" {
		group = "core"
	}
	similar := ""
	for _, t := range served {
		if t.Group == kind.Group && typo.Is(t.Kind, kind.Kind) {
			similar = fmt.Sprintf("; did you mean %s?", t.Kind)
		}
	}
	return fmt.Errorf("the server has no kind %s in the group %s of Kubernetes, to which no CustomResourceDefinition can add one%s", kind.Kind, group, similar)
}
