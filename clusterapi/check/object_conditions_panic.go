package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var conditionsPanic = &check{
	ID: "C-CO-3/object", Name: "conditions-panic", Severity: severity.Error,
	Doc: `no field of a condition is null or has another type

Core's conversion asserts the types without a check. It panics on null, a number or a
boolean where it expects a string. It also panics on an observedGeneration that is
not an integer. Every reconcile of the Cluster or Machine fails then.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		for _, c := range conditionsOf(o.raw) {
			if field, found := c.panicField(); field != "" {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path.With(field),
					Message:    field + " of a condition is " + article(found) + ": core panics",
					Suggestion: "write conditions as metav1.Condition",
				})
			}
		}
	},
}
