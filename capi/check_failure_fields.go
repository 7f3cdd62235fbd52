package capi

import "kstatus.dev/severity"

var failureFields = &check{
	ID: "L-30", Name: "failure-fields", Severity: severity.Warning,
	Doc: `there is no failureReason and no failureMessage (C-ALL-13)

The contract v1beta2 has no terminal failures any more. Core copies the fields into
status.deprecated.v1beta1 of the Cluster or Machine, acts on nothing of it, and
never clears it. Say failures by conditions.`,
	Roles: []Role{RoleInfraCluster, RoleInfraMachine, RoleBootstrapConfig, RoleControlPlane},
	Kind: func(p *pass, k kind) {
		for _, name := range []string{"failureReason", "failureMessage"} {
			if s := k.field("status." + name); s.Exists() {
				p.report(k, s.Path, "status."+name+" has no effect any more, and is never cleared by core", "say it by a condition with a documented reason", nil)
			}
		}
	},
}
