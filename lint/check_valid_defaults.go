package lint

import (
	"maps"
	"slices"
	"strings"

	"kstatus.dev/severity"
)

var validDefaults = &Check{
	ID: "L-10", Name: "valid-defaults", Severity: severity.Error,
	Doc: `the API server accepts the definition: each default is valid by its own schema

The API server refuses to store a definition with a default that its own schema
refuses, such as -1 under minimum 1, or {} where a field is required. It is refused
as a whole, when it is applied. What the defaults of the fields below would add does
not count. Where the validation of the API server is at hand,
as in kstatus lint, whatever else it would object to is told here as well.

Repair: a default that the schema permits. The fix takes the default away, so that
the definition can be applied; what the default was for, other checks tell then.`,
	CRD: func(p *Pass, crd CRD) {
		var told []string
		for i, v := range crd.Versions {
			if p.Options.fixableOnly && p.index.settled.has(p.Check, i) {
				continue
			}
			before := len(told)
			eachSchema(v.Schema, func(s Schema) {
				d, has := s.Node["default"]
				if !has || d == nil {
					return
				}
				if why := s.Refusal(d); why != "" {
					at := s.Path.With("default")
					told = append(told, at.String())
					p.current.Version = v.Name
					p.Report(Finding{
						Path:       at,
						Message:    "the API server refuses the definition: the default is not valid: " + why,
						Suggestion: "a default that the schema permits",
						Fix:        &Fix{Edits: []Edit{{OpRemove, at, nil}}},
					})
				}
			})
			if p.Options.fixableOnly && len(told) == before {
				p.index.settled.add(p.Check, i)
			}
		}
		p.current.Version = ""
		if p.Options.Validator == nil || p.Options.fixableOnly {
			return
		}
		for _, problem := range p.Options.Validator.Validate(crd.Raw) {
			at := problem.Path.String()
			if slices.ContainsFunc(told, func(known string) bool { return strings.HasPrefix(at, known) }) {
				continue
			}
			p.Report(Finding{
				Path:    problem.Path,
				Message: "the API server refuses the definition: " + problem.Message,
			})
		}
	},
}

// eachSchema visits the parts of a schema, the inner ones first, fields in the
// order of their names.
func eachSchema(s Schema, visit func(Schema)) { s.each(visit, 0) }

func (s Schema) each(visit func(Schema), depth int) {
	if s.Node == nil || depth > deepest {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object(s.Node, "properties"))) {
		s.Property(name).each(visit, depth+1)
	}
	s.Items().each(visit, depth+1)
	Schema{Node: object(s.Node, "additionalProperties"), Path: s.Path.With("additionalProperties")}.each(visit, depth+1)
	visit(s)
}
