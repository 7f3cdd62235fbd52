package capi

import "kstatus.dev/lint"

var withoutSummary = &check{
	ID: "C-CP-2/object", Name: "without-summary", Severity: lint.Warning,
	Doc: `an object with a status has the condition that core mirrors

That is Available of a control plane, and Ready of clusters, machines and bootstrap
configs. Without it core falls back to the flag of initialization, which stays true
whatever happens later.`,
	Roles: []Role{InfraCluster, InfraMachine, BootstrapConfig, ControlPlane},
	Object: func(p *pass, t thing) {
		if _, ok := t.summary(); !ok && t.written() {
			name, mirror := Summary(t.role)
			if v, there := at(t.raw, "status", "conditions"); there {
				if _, isList := v.([]any); !isList {
					return // hidden-conditions
				}
			}
			p.found(t, "status.conditions", "there is no condition "+name+" for core to mirror as "+mirror, "report "+name+" from the first visit on")
		}
	},
}
