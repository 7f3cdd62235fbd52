package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

var controlPlaneEndpoint = &check{
	ID: "C-IC-3", Name: "control-plane-endpoint", Severity: severity.Error,
	Doc: `spec.controlPlaneEndpoint has a host and a port, and is optional (C-CP-8)

The endpoint comes from the user, the control plane or the infrastructure. If the
kind has the field, core reads host and port from it once the object is initialized.
If the endpoint is required, or under v1beta2 its host or port, clients have to
invent a value before the endpoint exists.`,
	Roles: []roles.Role{roles.InfraCluster, roles.ControlPlane},
	Kind: func(p *pass, k kind) {
		s := k.field("spec.controlPlaneEndpoint")
		if !s.Exists() {
			return
		}
		p.need(k, "spec.controlPlaneEndpoint.host", "core reads the endpoint from host and port", map[string]any{"type": "string"})
		p.need(k, "spec.controlPlaneEndpoint.port", "core reads the endpoint from host and port", map[string]any{"type": "integer", "format": "int32"})
		if at, yes := requires(k.field("spec"), "controlPlaneEndpoint"); yes {
			p.report(k, at, "spec.controlPlaneEndpoint is required, but its value is not known at creation", "make it optional",
				&lint.Fix{Edits: []lint.Edit{{Op: lint.OpRemove, Path: at}}, Unsafe: true, Risk: "clients may expect this field"})
		}
	},
}
