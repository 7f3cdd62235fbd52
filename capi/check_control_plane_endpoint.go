package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var controlPlaneEndpoint = &check{
	ID: "C-IC-3", Name: "control-plane-endpoint", Severity: severity.Error,
	Doc: `spec.controlPlaneEndpoint has a host and a port, and is optional (C-CP-8)

Who supplies the endpoint is open: the user, the control plane or the
infrastructure. Where the kind has the field, core reads host and port from it once
the object is initialized. An endpoint that is required, or whose host or port is
required under v1beta2, has to be invented before it is known.`,
	Roles: []Role{RoleInfraCluster, RoleControlPlane},
	Kind: func(p *pass, k kind) {
		s := k.field("spec.controlPlaneEndpoint")
		if !s.Exists() {
			return
		}
		p.need(k, "spec.controlPlaneEndpoint.host", "core reads the endpoint from host and port", map[string]any{"type": "string"})
		p.need(k, "spec.controlPlaneEndpoint.port", "core reads the endpoint from host and port", map[string]any{"type": "integer", "format": "int32"})
		if at, yes := requires(k.field("spec"), "controlPlaneEndpoint"); yes {
			p.report(k, at, "spec.controlPlaneEndpoint is required, before anybody knows it", "make it optional",
				&lint.Fix{Edits: []lint.Edit{{Op: lint.OpRemove, Path: at}}, Unsafe: true})
		}
	},
}
