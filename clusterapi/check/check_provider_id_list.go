package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var providerIDList = &check{
	ID: "C-MP-2", Name: "provider-id-list", Severity: severity.Error,
	Doc: `a pool of machines has spec.providerIDList and status.replicas (L-38)

Once the pool is provisioned, core copies both to the MachinePool and finds the Nodes
by the list.`,
	Roles: []roles.Role{roles.InfraMachinePool},
	Kind: func(p *pass, k kind) {
		p.need(k, "spec.providerIDList", "core finds the Nodes of the pool by it",
			map[string]any{"type": "array", "maxItems": int64(10000), "items": map[string]any{"type": "string", "minLength": int64(1), "maxLength": int64(512)}})
		p.need(k, "status.replicas", "core copies it to the MachinePool", map[string]any{"type": "integer", "format": "int32"})
	},
}
