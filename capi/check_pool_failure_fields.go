package capi

import "kstatus.dev/lint"

var poolFailureFields = &check{
	ID: "C-MP-4", Name: "pool-failure-fields", Severity: lint.Error,
	Doc: `a pool of machines has no failureReason and no failureMessage (L-30)

Core up to v1.14 dereferences a nil pointer when a pool that has never been
reported as failed sets one of them, so that no reconcile of the MachinePool gets
any further (https://github.com/kubernetes-sigs/cluster-api/pull/14234). The same
holds for the bootstrap config of a pool.`,
	Roles: []Role{InfraMachinePool},
	Kind: func(p *pass, k kind) {
		for _, name := range []string{"failureReason", "failureMessage"} {
			if s := k.field("status." + name); s.There() {
				p.report(k, s.Path, "core panics on status."+name+" of a pool", "say it by a condition with a documented reason", nil)
			}
		}
	},
}
