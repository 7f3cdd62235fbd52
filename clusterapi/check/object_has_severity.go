package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var hasSeverity = &check{
	ID: "C-CO-7/object", Name: "has-severity", Severity: severity.Warning,
	Doc: `no condition under v1beta2 has a severity

Conditions with a severity belong to v1beta1. Core reads them until support for
v1beta1 ends.`,
	Roles: rolesWithStatus, Contract: ContractV1Beta2,
	Object: func(p *pass, o providerObject) {
		for _, c := range conditionsOf(o.raw) {
			if _, there := c.raw["severity"]; there {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path.With("severity"),
					Message:    quote(c.name()) + " has a severity",
					Suggestion: "use metav1.Condition",
				})
			}
		}
	},
}
