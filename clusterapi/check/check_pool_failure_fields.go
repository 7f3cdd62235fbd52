package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var poolFailureFields = &check{
	ID: "C-MP-4", Name: "pool-failure-fields", Severity: severity.Error,
	Doc: `a pool of machines has neither failureReason nor failureMessage (L-30)

Core up to v1.14 panics when a pool sets one of them, because a condition in its code
is inverted (https://github.com/kubernetes-sigs/cluster-api/pull/14234). Then no
reconcile of the MachinePool succeeds. The same holds for the bootstrap config of a
pool.`,
	Roles: []roles.Role{roles.InfraMachinePool},
	Kind: func(p *pass, k kind) {
		for _, name := range []string{"failureReason", "failureMessage"} {
			if s := k.field("status." + name); s.Exists() {
				p.report(k, s.Path, "core panics on status."+name+" of a pool", "report it in a condition with a documented reason", nil)
			}
		}
	},
}
