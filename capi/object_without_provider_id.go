package capi

import "kstatus.dev/severity"

var withoutProviderID = &check{
	ID: "C-IM-1/object", Name: "without-provider-id", Severity: severity.Error,
	Doc: `a machine that is provisioned has a provider ID

Core looks for it every five seconds and does not take the Machine for provisioned,
while InfrastructureReady may already be True.`,
	Roles: []Role{RoleInfraMachine},
	Object: func(p *pass, o providerObject) {
		if o.initialized() && !o.deleting() && text(o.raw, "spec", "providerID") == "" {
			p.reportObject(o, "spec.providerID", "provisioned, and spec.providerID is empty", "set it before provisioned")
		}
	},
}
