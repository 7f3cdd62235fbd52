package capi

import (
	"strconv"

	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var withoutGeneration = &check{
	ID: "C-CO-5", Name: "without-generation", Severity: severity.Warning,
	Doc: `the condition that core mirrors says which generation it is about (D4)

Core mirrors it whatever the generation. Without observedGeneration nobody can tell
whether Ready=True is about the present spec. One that is ahead of the object is
about nothing.`,
	Roles: reporting,
	Object: func(p *pass, o providerObject) {
		c, ok := o.summary()
		if field, _ := c.panics(); !ok || field != "" {
			return
		}
		generation, observed := number(o.raw, "metadata", "generation"), number(c.raw, "observedGeneration")
		switch {
		case observed == 0:
			p.ForObject(o.index).Report(lint.Finding{
				Path:       c.path,
				Message:    quote(c.name()) + " has no observedGeneration",
				Suggestion: "write the generation that was read",
			})
		case generation > 0 && observed > generation:
			p.ForObject(o.index).Report(lint.Finding{
				Path: c.path.With("observedGeneration"),
				Message: quote(c.name()) + " is about generation " + strconv.FormatInt(observed, 10) +
					", and the object is at " + strconv.FormatInt(generation, 10),
				Suggestion: "write the generation that was read",
			})
		}
	},
}
