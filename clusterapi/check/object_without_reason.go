package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var withoutReason = &check{
	ID: "C-CO-4", Name: "without-reason", Severity: severity.Warning,
	Doc: `each condition has a reason (D7)

If it is missing, core writes NoReasonReported into the Cluster or Machine.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		for _, c := range conditionsOf(o.raw) {
			if field, _ := c.panicField(); field == "" && decoded.Text(c.raw, "reason") == "" && c.name() != "" {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path,
					Message:    quote(c.name()) + " has no reason",
					Suggestion: "give each status a documented reason",
				})
			}
		}
	},
}
