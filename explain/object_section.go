package explain

import (
	"iter"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
)

// A section is a part of an object among the facts.
type section struct {
	fields.Section
	node *node
}

// Under returns the map at a path; a missing one reads as empty.
func (f section) Under(path string) section { return section{f.Section.Under(path), f.node} }

// Each yields the maps of a list.
func (f section) Each(path string) iter.Seq[section] {
	return func(yield func(section) bool) {
		list := f.List(path)
		for i := range list.Len() {
			if item, ok := list.Item(i); ok && !yield(section{item, f.node}) {
				return
			}
		}
	}
}

// as returns evidence that tells in given words what stands at a path.
func (f section) as(path, value string) Evidence {
	e := f.evidence(path)
	e.Value = show.Line(value)
	return e
}

// evidence returns what stands at a path, as evidence; "not set" if nothing does.
func (f section) evidence(path string) Evidence {
	whole := f.Path + path
	if strings.HasPrefix(path, "[") {
		whole = strings.TrimSuffix(f.Path, ".") + path
	}
	return Evidence{From: originOf(whole), Object: f.node.ID, Path: show.Line("." + whole), Value: show.Value(f.Get(path))}
}

// originOf says who writes a field.
func originOf(path string) Origin {
	if path == "status" || strings.HasPrefix(path, "status.") || strings.HasPrefix(path, "metadata.deletion") {
		return FromStatus
	}
	return FromSpec
}
