package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var statusFailureDomain = &check{
	ID: "C-IM-5", Name: "status-failure-domain", Severity: severity.Info,
	Doc: `a machine can report its failure domain

status.failureDomain is optional. The Machine shows it, so that users see where their
machines run.`,
	Roles: []roles.Role{roles.InfraMachine}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		if k.version.Name != "" && k.lacks("status.failureDomain") {
			p.report(k, k.existingPath("status.failureDomain"), "the machine cannot report its failure domain", "add status.failureDomain", nil)
		}
	},
}
