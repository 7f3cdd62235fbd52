package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var providerIDDiffers = &check{
	ID: "C-IM-2", Name: "provider-id-differs", Severity: severity.Error,
	Doc: `the provider ID of a machine does not change

Core copies it to the Machine on every reconcile, and finds the Node by it. If it
changes, core loses the Node, and a MachineHealthCheck may replace the Machine.`,
	Roles: []roles.Role{roles.InfraMachine},
	Object: func(p *pass, o providerObject) {
		machine, ok := p.graph.user(o)
		mine, its := decoded.Text(o.raw, "spec", "providerID"), decoded.Text(machine, "spec", "providerID")
		if ok && mine != "" && its != "" && mine != its {
			p.reportObject(o, "spec.providerID", "the provider ID is "+quote(mine)+", the provider ID of the Machine is "+quote(its), "do not change it once it is published")
		}
	},
}
