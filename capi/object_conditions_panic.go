package capi

import "kstatus.dev/lint"

var conditionsPanic = &check{
	ID: "C-CO-3/object", Name: "conditions-panic", Severity: lint.Error,
	Doc: `no field of a condition is null or of another type

Core's conversion asserts the types without looking. On null, a number or a boolean
where it wants text, or an observedGeneration that is no whole number, it panics, and
every reconcile of the Cluster or Machine fails.`,
	Roles: reporting,
	Object: func(p *pass, o providerObject) {
		for _, c := range conditionsOf(o.raw) {
			if field, found := c.panics(); field != "" {
				p.ReportOn(o.index, c.path.With(field), field+" of a condition is "+article(found)+": core panics", "write conditions as metav1.Condition", nil)
			}
		}
	},
}
