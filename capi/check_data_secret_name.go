package capi

import "kstatus.dev/severity"

var dataSecretName = &check{
	ID: "C-BC-1", Name: "data-secret-name", Severity: severity.Error,
	Doc: `a bootstrap config has status.dataSecretName (L-38)

Core copies it to the Machine once, and the infrastructure reads the Secret of that
name. Since a status is lost when objects are moved, the name has to follow from
other names.`,
	Roles: []Role{RoleBootstrapConfig},
	Kind: func(p *pass, k kind) {
		p.need(k, "status.dataSecretName", "core hands the bootstrap data on by it",
			map[string]any{"type": "string", "minLength": int64(1), "maxLength": int64(253)})
	},
}
