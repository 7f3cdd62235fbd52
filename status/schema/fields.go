package schema

import (
	"iter"
	"strconv"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/value"
)

// A section is a map of a definition. Its methods read fields by dotted paths. A missing field
// reads as the zero value. A malformed one does too, and is recorded in err.
type section struct {
	node   map[string]any
	prefix string // the path of node in the document
	err    *error // the first malformed field of the document
}

// newSection returns a section that reads a whole document.
func newSection(document map[string]any) section {
	return section{node: document, err: new(error)}
}

func (s section) malformed(path, want string, have any) {
	e := &value.MalformedError{Path: s.prefix + path, Want: want, Have: have}
	*s.err = e.First(*s.err)
}

// get returns the value at a path, nil if it is missing.
func (s section) get(path string) any {
	v, end := decoded.Lookup(s.node, path)
	if end < len(path) {
		s.malformed(path[:end], "a map", v)
		return nil
	}
	return v
}

func (s section) has(path string) bool { return s.get(path) != nil }

func (s section) text(path string) string {
	v := s.get(path)
	text, ok := value.Text(v)
	if !ok && v != nil {
		s.malformed(path, "a string", v)
	}
	return text
}

// boolean returns a boolean, or the given value if it is missing.
func (s section) boolean(path string, missing bool) bool {
	v := s.get(path)
	b, ok := v.(bool)
	if !ok {
		if v != nil {
			s.malformed(path, "a boolean", v)
		}
		return missing
	}
	return b
}

func (s section) object(path string) map[string]any {
	v := s.get(path)
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		s.malformed(path, "a map", v)
	}
	return m
}

// size returns the number of items of a list or of keys of a map.
func (s section) size(path string) int {
	switch v := s.get(path).(type) {
	case nil:
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	default:
		s.malformed(path, "a list or a map", v)
	}
	return 0
}

// each yields the maps of a list.
func (s section) each(path string) iter.Seq[section] {
	return func(yield func(section) bool) {
		v := s.get(path)
		list, ok := v.([]any)
		if !ok && v != nil {
			s.malformed(path, "a list", v)
		}
		for i, v := range list {
			at := path + "[" + strconv.Itoa(i) + "]"
			m, ok := v.(map[string]any)
			if !ok {
				s.malformed(at, "a map", v)
				continue
			}
			if !yield(section{m, s.prefix + at + ".", s.err}) {
				return
			}
		}
	}
}
