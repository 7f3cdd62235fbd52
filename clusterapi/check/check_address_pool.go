package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var poolConditions = &check{
	ID: "C-IP-1", Name: "address-pool", Severity: severity.Warning,
	Doc: `the status of a pool of IP addresses is a subresource

A pool should also have a condition Ready in status.conditions: see role-conditions.
Claims refer to pools by group, kind and name.`,
	Roles: []roles.Role{roles.IPPool},
	Kind: func(p *pass, k kind) {
		if k.version.Name != "" && k.version.Status().Exists() && !k.version.StatusSubresource() {
			p.report(k, k.version.Path, "the status of the pool is not a subresource", "subresources: {status: {}}", nil)
		}
	},
}
