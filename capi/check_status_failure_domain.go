package capi

import "kstatus.dev/severity"

var statusFailureDomain = &check{
	ID: "C-IM-5", Name: "status-failure-domain", Severity: severity.Info,
	Doc: `a machine can report its failure domain

status.failureDomain is optional. The Machine shows it, so that users see where their
machines run.`,
	Roles: []Role{RoleInfraMachine}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		if k.version.Name != "" && k.lacks("status.failureDomain") {
			p.report(k, k.existingPath("status.failureDomain"), "the machine cannot report its failure domain", "add status.failureDomain", nil)
		}
	},
}
