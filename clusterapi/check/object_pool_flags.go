package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var poolFlags = &check{
	ID: "C-MP-1/object", Name: "pool-flags", Severity: severity.Error,
	Doc: `a provisioned pool sets status.ready too (D5)

Core up to v1.14 reads only status.ready of a pool. The MachinePool of a pool with
only status.initialization.provisioned is never provisioned.`,
	Roles: []roles.Role{roles.InfraMachinePool}, Contract: ContractV1Beta2,
	Object: func(p *pass, o providerObject) {
		if o.initialized() && !decoded.Bool(o.raw, "status", "ready") {
			p.reportObject(o, "status.ready", "the pool is provisioned, but status.ready, which core reads, is not true", "write both")
		}
	},
}
