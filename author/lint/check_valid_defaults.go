package lint

import (
	"maps"
	"slices"
	"strings"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var validDefaults = &Check{
	ID: "L-10", Name: "valid-defaults", Severity: severity.Error,
	Doc: `the API server accepts the definition: each default is valid by its own schema

The API server rejects a definition with an invalid default when it is applied. Examples
are -1 under minimum 1, and {} with a required field. The defaults of the fields below
are not added for that check. If the caller has the validation of the API server,
as kstatus lint has, the check also reports its other errors.

Fix: a default that the schema permits. The fix removes the default, so that the
definition can be applied. Other checks then report what the default was for.`,
	CRD: func(p *Pass, crd CRD) {
		var told []string
		for i, v := range crd.Versions {
			if p.Options.fixableOnly && p.index.clean.has(p.Check, i) {
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
						Message:    "the API server rejects the definition: the default is not valid: " + why,
						Suggestion: "a default that the schema permits",
						Fix:        &Fix{Edits: []Edit{{OpRemove, at, nil}}},
					})
				}
			})
			if p.Options.fixableOnly && len(told) == before {
				p.index.clean.add(p.Check, i)
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
				Message: "the API server rejects the definition: " + problem.Message,
			})
		}
	},
}

// eachSchema visits the parts of a schema, inner parts first, fields sorted by name.
func eachSchema(s Schema, visit func(Schema)) { s.each(visit, 0) }

func (s Schema) each(visit func(Schema), depth int) {
	if s.Node == nil || depth > maxDepth {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(decoded.Map(s.Node, "properties"))) {
		s.Property(name).each(visit, depth+1)
	}
	s.Items().each(visit, depth+1)
	Schema{Node: decoded.Map(s.Node, "additionalProperties"), Path: s.Path.With("additionalProperties")}.each(visit, depth+1)
	visit(s)
}
