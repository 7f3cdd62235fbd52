package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var fails = &check{
	ID: "L-30/object", Name: "fails", Severity: severity.Warning,
	Doc: `an object does not set failureReason or failureMessage (C-ALL-13)

Core copies them to status.deprecated.v1beta1 of the Cluster or Machine, where they
remain after the failure is over. Core no longer acts on them.`,
	Roles: []roles.Role{roles.InfraCluster, roles.InfraMachine, roles.BootstrapConfig, roles.ControlPlane},
	Object: func(p *pass, o providerObject) {
		if user, _ := p.graph.user(o); decoded.Text(user, "kind") != "MachinePool" {
			p.reportFailure(o, "core copies it and never clears it")
		}
	},
}

func (p *pass) reportFailure(o providerObject, what string) {
	for _, name := range []string{"failureReason", "failureMessage"} {
		if decoded.Text(o.raw, "status", name) != "" {
			p.reportObject(o, "status."+name, "status."+name+" is set: "+what, "report it in a condition")
		}
	}
}
