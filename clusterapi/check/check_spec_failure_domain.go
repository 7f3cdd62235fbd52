package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var specFailureDomain = &check{
	ID: "L-41", Name: "spec-failure-domain", Severity: severity.Warning,
	Doc: `a machine under v1beta2 has no spec.failureDomain (C-IM-5)

The field belongs to v1beta1. Core still reads it under both contracts, and
overwrites spec.failureDomain of the Machine with it. Report the place of the machine
in status.failureDomain.`,
	Roles: []roles.Role{roles.InfraMachine}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		if s := k.field("spec.failureDomain"); s.Exists() {
			p.report(k, s.Path, "spec.failureDomain overwrites the one of the Machine", "report status.failureDomain instead", nil)
		}
	},
}
