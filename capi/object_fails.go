package capi

import "kstatus.dev/lint"

var fails = &check{
	ID: "L-30/object", Name: "fails", Severity: lint.Warning,
	Doc: `an object does not set failureReason or failureMessage (C-ALL-13)

Core copies them to status.deprecated.v1beta1 of the Cluster or Machine, where they
stay after the failure is over. Nothing acts on them any more.`,
	Roles: []Role{InfraCluster, InfraMachine, BootstrapConfig, ControlPlane},
	Object: func(p *pass, t thing) {
		if user, _ := p.sight.user(t); text(user, "kind") != "MachinePool" {
			p.fails(t, "core copies it and never clears it")
		}
	},
}

func (p *pass) fails(t thing, what string) {
	for _, name := range []string{"failureReason", "failureMessage"} {
		if text(t.raw, "status", name) != "" {
			p.found(t, "status."+name, "status."+name+" is set: "+what, "say it by a condition")
		}
	}
}
