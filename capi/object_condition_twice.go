package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var conditionTwice = &check{
	ID: "C-CO-8", Name: "condition-twice", Severity: severity.Warning,
	Doc: `no condition stands there twice

The first counts, for core and for other readers; the other is never seen.`,
	Roles: reporting,
	Object: func(p *pass, o providerObject) {
		seen := map[string]bool{}
		for _, c := range conditionsOf(o.raw) {
			if name := c.name(); seen[name] && name != "" {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path,
					Message:    quote(name) + " stands there twice; the first counts",
					Suggestion: "keep one condition of each type",
				})
			}
			seen[c.name()] = true
		}
	},
}
