package lint

import (
	"strings"

	"kstatus.dev/severity"
)

var examples = &Check{
	ID: "L-45", Name: "examples", Severity: severity.Warning,
	Doc: `the examples of the kind are valid

Examples and fixtures beside a definition are what users copy. One that the schema
refuses, or in a version that is no longer served, shows that they have drifted
apart: the definition was made anew and the example was not, or the other way round.

Repair: the example, or the definition; which of them is wrong only the author knows,
so that there is no fix. The check speaks of all objects of the kind in the bundle,
where the validation of the API server is at hand.`,
	Bundle: func(p *Pass) {
		for i, o := range p.Bundle.Objects {
			for _, at := range p.index.kinds[kindNameOf(o)] {
				p.example(i, o, p.CRDs()[at])
			}
		}
	},
}

func (p *Pass) example(i int, o map[string]any, crd CRD) {
	_, name, _ := strings.Cut(text(o, "apiVersion"), "/")
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
				Message: "the definition refuses this " + crd.Kind + ": " + problem.Message,
			})
		}
		return
	}
	p.ForObject(i).Report(Finding{
		Path:    Path{"apiVersion"},
		Message: crd.Kind + " is not served in version " + name,
	})
}
