package lint

import (
	"strings"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var examples = &Check{
	ID: "L-45", Name: "examples", Severity: severity.Warning,
	Doc: `the examples of the kind are valid

Users copy the examples and fixtures beside a definition. If the schema rejects an
example, or no longer serves its version, one of the two was changed without the other.

Fix: the example, or the definition. Only the author knows which is wrong, so the
check has no fix. It checks all objects of the kind in the bundle, if the caller has the
validation of the API server.`,
	Bundle: func(p *Pass) {
		for i, o := range p.Bundle.Objects {
			for _, at := range p.index.kinds[kindNameOf(o)] {
				p.example(i, o, p.CRDs()[at])
			}
		}
	},
}

func (p *Pass) example(i int, o map[string]any, crd CRD) {
	_, name, _ := strings.Cut(decoded.Text(o, "apiVersion"), "/")
	for _, v := range crd.Versions {
		if v.Name != name || !v.Served {
			continue
		}
		if p.Options.Validator == nil {
			return
		}
		for _, problem := range p.Options.Validator.ValidateObject(crd.Raw, name, o) {
			p.ForObject(i).Report(Finding{
				Path:    problem.Path,
				Message: "the definition rejects this " + crd.Kind + ": " + problem.Message,
			})
		}
		return
	}
	p.ForObject(i).Report(Finding{
		Path:    Path{"apiVersion"},
		Message: crd.Kind + " is not served in version " + name,
	})
}
