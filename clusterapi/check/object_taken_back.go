package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var takenBack = &check{
	ID: "C-IC-2", Name: "taken-back", Severity: severity.Error,
	Doc: `an object stays initialized (C-IM-3, C-CP-1)

The Cluster or Machine remembers that the object was initialized, but the object
reports that it is not. Core continues. A management cluster that both are moved to
waits again, and users see a contradiction.`,
	Roles: []roles.Role{roles.InfraCluster, roles.InfraMachine, roles.ControlPlane},
	Object: func(p *pass, o providerObject) {
		flag := "infrastructureProvisioned"
		if o.role == roles.ControlPlane {
			flag = "controlPlaneInitialized"
		}
		old := decoded.Bool(o.raw, "status", "ready") || decoded.Bool(o.raw, "status", "initialized")
		if user, ok := p.graph.user(o); ok && !o.deleting() && !o.initialized() && !old && decoded.Bool(user, "status", "initialization", flag) {
			path := initializedField(o.role, o.contract)
			p.reportObject(o, path, path+" is not true, and "+decoded.Text(user, "kind")+" "+quote(decoded.Text(user, "metadata", "name"))+" recorded it as true", "once true, keep it true")
		}
	},
}
