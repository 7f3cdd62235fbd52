package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var poolReady = &check{
	ID: "C-MP-1", Name: "pool-ready", Severity: severity.Error,
	Doc: `a pool of machines has both status.ready and status.initialization.provisioned

The contract v1beta2 requires status.initialization.provisioned. Core up to v1.14
reads only status.ready of a pool, whatever the label, and copies it to the
MachinePool each time (https://github.com/kubernetes-sigs/cluster-api/pull/14030).
Until core reads the field of the contract, a pool needs both.`,
	Roles: []roles.Role{roles.InfraMachinePool}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		p.need(k, "status.ready", "core reads it from pools under both contracts", map[string]any{"type": "boolean"})
	},
}
