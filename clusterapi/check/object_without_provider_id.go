package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var withoutProviderID = &check{
	ID: "C-IM-1/object", Name: "without-provider-id", Severity: severity.Error,
	Doc: `a provisioned machine has a provider ID

Core checks for it every five seconds, and does not set the Machine to provisioned
without it. InfrastructureReady may already be True then.`,
	Roles: []roles.Role{roles.InfraMachine},
	Object: func(p *pass, o providerObject) {
		if o.initialized() && !o.deleting() && decoded.Text(o.raw, "spec", "providerID") == "" {
			p.reportObject(o, "spec.providerID", "the machine is provisioned, but spec.providerID is empty", "set it before you report provisioned")
		}
	},
}
