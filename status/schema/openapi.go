package schema

import (
	"fmt"

	"kstatus.dev/status/internal/value"
)

// FromOpenAPI reads what the decoded OpenAPI schema of a kind declares, like [FromCRDs]. It does
// not follow references. A schema does not show whether the kind has a status subresource.
func FromOpenAPI(document map[string]any) (Expectation, error) {
	in := newSection(map[string]any{"schema": document})
	e := openAPI{in, "schema"}.expectation()
	if *in.err != nil {
		return Expectation{}, fmt.Errorf("read schema: %w", *in.err)
	}
	return e, nil
}

// An openAPI is an OpenAPI schema within a document.
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

// defaultsStatus reports whether the defaults give each new object a status without a report of a
// controller. Such a status has an observed generation of zero or less, or conditions that are
// Unknown. The defaults of fields count only if the status itself has a default.
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

// declares reports whether the schema has a field, given by the names on its path.
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

// isOpen reports whether an object of the schema may have other fields than those in the schema.
func (s openAPI) isOpen(path string) bool {
	extra := s.in.get(path + ".additionalProperties")
	return s.in.boolean(path+".x-kubernetes-preserve-unknown-fields", false) || extra != nil && extra != false
}

// holdsNothing reports whether an object of the schema must be empty, like the status in a new
// project.
func (s openAPI) holdsNothing(path string) bool {
	kind := s.in.text(path + ".type")
	return (kind == "" || kind == "object") && s.in.size(path+".properties") == 0 && !s.isOpen(path)
}
