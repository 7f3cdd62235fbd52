package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var failureFields = &check{
	ID: "L-30", Name: "failure-fields", Severity: severity.Warning,
	Doc: `the kind has neither failureReason nor failureMessage (C-ALL-13)

The contract v1beta2 has no terminal failures. Core copies the fields into
status.deprecated.v1beta1 of the Cluster or Machine, does not act on them, and never
clears them. Report failures in conditions.`,
	Roles: []roles.Role{roles.InfraCluster, roles.InfraMachine, roles.BootstrapConfig, roles.ControlPlane},
	Kind: func(p *pass, k kind) {
		for _, name := range []string{"failureReason", "failureMessage"} {
			if s := k.field("status." + name); s.Exists() {
				p.report(k, s.Path, "status."+name+" has no effect any more, and core never clears it", "report it in a condition with a documented reason", nil)
			}
		}
	},
}
