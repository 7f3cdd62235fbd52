package capi

import "kstatus.dev/severity"

var poolConditions = &check{
	ID: "C-IP-1", Name: "address-pool", Severity: severity.Warning,
	Doc: `a pool of IP addresses has its status as a subresource

Pools should have a condition Ready in status.conditions; role-conditions asks for
those. Claims refer to pools by group, kind and name.`,
	Roles: []Role{RoleIPPool},
	Kind: func(p *pass, k kind) {
		if k.version.Name != "" && k.version.Status().Exists() && !k.version.StatusSubresource() {
			p.report(k, k.version.Path, "the status of the pool is no subresource", "subresources: {status: {}}", nil)
		}
	},
}
