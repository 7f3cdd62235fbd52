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
	object *object
}

// Under returns the map at a path, empty if it does not exist.
func (s section) Under(path string) section { return section{s.Section.Under(path), s.object} }

// Each yields the maps of a list.
func (s section) Each(path string) iter.Seq[section] {
	return func(yield func(section) bool) {
		list := s.List(path)
		for i := range list.Len() {
			if item, ok := list.Item(i); ok && !yield(section{item, s.object}) {
				return
			}
		}
	}
}

// evidenceAs returns a field as evidence, with another text for its value, unless it is
// not set.
func (s section) evidenceAs(path, value string) Evidence {
	e := s.evidence(path)
	if s.Has(path) || strings.HasPrefix(value, e.Value) {
		e.Value = show.Line(value)
	}
	return e
}

// evidence returns the value at a path as evidence. If a list item on the path does not
// exist, the evidence is that the item is not set.
func (s section) evidence(path string) Evidence {
	whole := s.Path + path
	if strings.HasPrefix(path, "[") {
		whole = strings.TrimSuffix(s.Path, ".") + path
	}
	value := s.Get(path)
	if value == nil {
		whole = s.object.Existing(whole)
	}
	text := show.Value(value)
	if whole == "metadata.managedFields" && value != nil {
		text = s.object.managers()
	}
	return Evidence{From: originOf(whole), Object: s.object.ID, Path: show.Line("." + whole), Value: text}
}

// originOf returns OriginStatus if controllers write a field, else OriginSpec.
func originOf(path string) Origin {
	if path == "status" || strings.HasPrefix(path, "status.") || strings.HasPrefix(path, "metadata.deletion") || path == "metadata.managedFields" {
		return OriginStatus
	}
	return OriginSpec
}
