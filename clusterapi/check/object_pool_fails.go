package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var poolFails = &check{
	ID: "C-MP-4/object", Name: "pool-fails", Severity: severity.Error,
	Doc: `neither a pool nor its bootstrap config sets failureReason or failureMessage

Core up to v1.14 panics on them, on every reconcile of the MachinePool
(https://github.com/kubernetes-sigs/cluster-api/pull/14234).`,
	Roles: []roles.Role{roles.InfraMachinePool, roles.BootstrapConfig},
	Object: func(p *pass, o providerObject) {
		if user, _ := p.graph.user(o); o.role == roles.BootstrapConfig && decoded.Text(user, "kind") != "MachinePool" {
			return
		}
		p.reportFailure(o, "core panics on it")
	},
}
