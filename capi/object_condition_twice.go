package capi

import "kstatus.dev/lint"

var conditionTwice = &check{
	ID: "C-CO-8", Name: "condition-twice", Severity: lint.Warning,
	Doc: `no condition stands there twice

The first counts, for core and for other readers; the other is never seen.`,
	Roles: reporting,
	Object: func(p *pass, o providerObject) {
		seen := map[string]bool{}
		for _, c := range conditionsOf(o.raw) {
			if name := c.name(); seen[name] && name != "" {
				p.ReportOn(o.index, c.path, quote(name)+" stands there twice; the first counts", "keep one condition of each type", nil)
			}
			seen[c.name()] = true
		}
	},
}
