package schema

import (
	"fmt"

	"kstatus.dev/status/internal/value"
)

// FromOpenAPI reads what the OpenAPI schema of a kind, given as data, declares, as
// [FromCRDs] does. It does not follow references. A schema does not tell whether there is
// a status subresource.
func FromOpenAPI(document map[string]any) (Expectation, error) {
	in := newSection(map[string]any{"schema": document})
	e := openAPI{in, "schema"}.expectation()
	if *in.err != nil {
		return Expectation{}, fmt.Errorf("read schema: %w", *in.err)
	}
	return e, nil
}

// An openAPI is an OpenAPI schema inside of a document.
type openAPI struct {
	in   section
	root string // the path of the schema
}

func (s openAPI) expectation() Expectation {
	return Expectation{
		Status:             s.declares("status"),
		ObservedGeneration: s.declares("status", "observedGeneration"),
		Conditions:         s.declares("status", "conditions"),
		DefaultsStatus:     s.defaultsStatus(),
	}
}

// defaultsStatus reports whether each object has a status from the start that says that
// no controller has reported: no generation observed, or conditions that wait. The
// defaults of fields count only where the status itself has one.
func (s openAPI) defaultsStatus() bool {
	path := s.root + ".properties.status"
	all, ok := s.in.get(path + ".default").(map[string]any)
	if !ok {
		return false
	}
	defaultOf := func(field string) any {
		if v, ok := all[field]; ok {
			return v
		}
		return s.in.get(path + ".properties." + field + ".default")
	}
	observed, ok := value.Generation(defaultOf("observedGeneration"))
	return ok && observed <= 0 || len(value.List(defaultOf("conditions"))) > 0
}

// declares reports whether the schema has a field, given by the names that lead to it.
func (s openAPI) declares(names ...string) Tristate {
	path, open := s.root, s.in.size(s.root) == 0
	for _, name := range names {
		open = open || s.isOpen(path)
		path += ".properties." + name
		switch {
		case s.in.object(path) != nil:
			open = false
		case open:
			return TristateUnknown
		default:
			return TristateNo
		}
	}
	if len(names) == 1 && s.holdsNothing(path) {
		return TristateNo
	}
	return TristateYes
}

// isOpen reports whether an object of the schema may have fields that the schema does not
// name.
func (s openAPI) isOpen(path string) bool {
	extra := s.in.get(path + ".additionalProperties")
	return s.in.boolean(path+".x-kubernetes-preserve-unknown-fields", false) || extra != nil && extra != false
}

// holdsNothing reports whether an object of the schema must be empty, as the status of a
// kind whose author has not begun to write one.
func (s openAPI) holdsNothing(path string) bool {
	kind := s.in.text(path + ".type")
	return (kind == "" || kind == "object") && s.in.size(path+".properties") == 0 && !s.isOpen(path)
}
