package capi

import "kstatus.dev/severity"

var statusFailureDomain = &check{
	ID: "C-IM-5", Name: "status-failure-domain", Severity: severity.Info,
	Doc: `a machine can say in which failure domain it is

status.failureDomain is optional. Where it is reported, the Machine shows it, and
users see where their machines went.`,
	Roles: []Role{RoleInfraMachine}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		if k.version.Name != "" && k.lacks("status.failureDomain") {
			p.report(k, k.near("status.failureDomain"), "the machine cannot report its failure domain", "add status.failureDomain", nil)
		}
	},
}
