package capi

import "kstatus.dev/severity"

var poolFailureFields = &check{
	ID: "C-MP-4", Name: "pool-failure-fields", Severity: severity.Error,
	Doc: `a pool of machines has no failureReason and no failureMessage (L-30)

Core up to v1.14 panics when a pool sets one of them, since it looks the wrong way
round whether it has a place for it: no reconcile of the MachinePool gets any further
(https://github.com/kubernetes-sigs/cluster-api/pull/14234). The same holds for the
bootstrap config of a pool.`,
	Roles: []Role{RoleInfraMachinePool},
	Kind: func(p *pass, k kind) {
		for _, name := range []string{"failureReason", "failureMessage"} {
			if s := k.field("status." + name); s.Exists() {
				p.report(k, s.Path, "core panics on status."+name+" of a pool", "say it by a condition with a documented reason", nil)
			}
		}
	},
}
