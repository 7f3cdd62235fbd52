package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var conditionsPanic = &check{
	ID: "C-CO-3/object", Name: "conditions-panic", Severity: severity.Error,
	Doc: `no field of a condition is null or of another type

Core's conversion asserts the types without looking. On null, a number or a boolean
where it wants text, or an observedGeneration that is no whole number, it panics, and
every reconcile of the Cluster or Machine fails.`,
	Roles: reporting,
	Object: func(p *pass, o providerObject) {
		for _, c := range conditionsOf(o.raw) {
			if field, found := c.panics(); field != "" {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path.With(field),
					Message:    field + " of a condition is " + article(found) + ": core panics",
					Suggestion: "write conditions as metav1.Condition",
				})
			}
		}
	},
}
