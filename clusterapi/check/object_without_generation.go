package check

import (
	"strconv"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var withoutGeneration = &check{
	ID: "C-CO-5", Name: "without-generation", Severity: severity.Warning,
	Doc: `the condition that core mirrors has an observedGeneration (D4)

Core mirrors the condition whatever its generation. Without observedGeneration a
reader cannot tell whether Ready=True describes the present spec. A generation higher
than the object's is wrong.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		c, ok := o.summary()
		if field, _ := c.panicField(); !ok || field != "" {
			return
		}
		generation, observed := number(o.raw, "metadata", "generation"), number(c.raw, "observedGeneration")
		switch {
		case observed == 0:
			p.ForObject(o.index).Report(lint.Finding{
				Path:       c.path,
				Message:    quote(c.name()) + " has no observedGeneration",
				Suggestion: "write the generation that the controller has read",
			})
		case generation > 0 && observed > generation:
			p.ForObject(o.index).Report(lint.Finding{
				Path: c.path.With("observedGeneration"),
				Message: quote(c.name()) + " has observedGeneration " + strconv.FormatInt(observed, 10) +
					", but the object has generation " + strconv.FormatInt(generation, 10),
				Suggestion: "write the generation that the controller has read",
			})
		}
	},
}
