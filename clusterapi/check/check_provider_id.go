package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var providerID = &check{
	ID: "C-IM-1", Name: "provider-id", Severity: severity.Error,
	Doc: `the kind has spec.providerID (L-38)

Core finds the Node of a Machine by it. A Machine is not provisioned before the
infrastructure has set it.`,
	Roles: []roles.Role{roles.InfraMachine},
	Kind: func(p *pass, k kind) {
		p.need(k, "spec.providerID", "without it a Machine is never provisioned",
			map[string]any{"type": "string", "minLength": int64(1), "maxLength": int64(512)})
	},
}
