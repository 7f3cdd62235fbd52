package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var conditionTwice = &check{
	ID: "C-CO-8", Name: "condition-twice", Severity: severity.Warning,
	Doc: `each type of condition is in the list once

Core uses the first condition of a type, and never sees the second. Other readers, such
as kstatus, use the worst.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		seen := map[string]bool{}
		for _, c := range conditionsOf(o.raw) {
			if name := c.name(); seen[name] && name != "" {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path,
					Message:    quote(name) + " is in the list twice, and core reads only the first",
					Suggestion: "keep one condition of each type",
				})
			}
			seen[c.name()] = true
		}
	},
}
