package capi

import "kstatus.dev/lint"

var hasSeverity = &check{
	ID: "C-CO-7/object", Name: "has-severity", Severity: lint.Warning,
	Doc: `no condition under v1beta2 has a severity

Those that have are of v1beta1, and core reads them until support for it ends.`,
	Roles: reporting, Contract: ContractV1Beta2,
	Object: func(p *pass, o providerObject) {
		for _, c := range conditionsOf(o.raw) {
			if _, there := c.raw["severity"]; there {
				p.ReportOn(o.index, c.path.With("severity"), quote(c.name())+" has a severity", "use metav1.Condition", nil)
			}
		}
	},
}
