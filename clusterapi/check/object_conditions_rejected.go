package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var conditionsRejected = &check{
	ID: "C-CO-2", Name: "conditions-rejected", Severity: severity.Error,
	Doc: `each condition has a type and a status that is True, False or Unknown (C-CO-6)

Core rejects the whole list if one condition lacks them, or has a lastTransitionTime
that is not a time. The Cluster or Machine then shows Unknown with the reason
InvalidConditionReported.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		for _, c := range conditionsOf(o.raw) {
			if field, why := c.rejectedField(); why != "" {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path.With(field),
					Message:    why + ": core rejects the whole list",
					Suggestion: "write conditions as metav1.Condition",
				})
			}
		}
	},
}
