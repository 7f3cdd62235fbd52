package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var withoutSummary = &check{
	ID: "C-CP-2/object", Name: "without-summary", Severity: severity.Warning,
	Doc: `an object with a status has the condition that core mirrors

It is Available of a control plane, and Ready of clusters, machines and bootstrap
configs. Without it core falls back to the initialization field, which stays true
whatever happens later.`,
	Roles: []roles.Role{roles.InfraCluster, roles.InfraMachine, roles.BootstrapConfig, roles.ControlPlane},
	Object: func(p *pass, o providerObject) {
		if _, ok := o.summary(); !ok && o.statusWritten() {
			name, mirror := summaryOf(o.role)
			if v, there := decoded.Map(o.raw, "status")["conditions"]; there {
				if _, isList := v.([]any); !isList {
					return // see hidden-conditions
				}
			}
			p.reportObject(o, "status.conditions", "condition "+name+", which core mirrors as "+mirror+", is missing", "report "+name+" from the first reconcile on")
		}
	},
}
