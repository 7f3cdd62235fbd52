package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var dataSecretName = &check{
	ID: "C-BC-1", Name: "data-secret-name", Severity: severity.Error,
	Doc: `a bootstrap config has status.dataSecretName (L-38)

Core copies it to the Machine once, and the infrastructure reads the Secret of that
name. A move of objects drops their status, so derive the name from other names.`,
	Roles: []roles.Role{roles.BootstrapConfig},
	Kind: func(p *pass, k kind) {
		p.need(k, "status.dataSecretName", "core passes the bootstrap data to the infrastructure by it",
			map[string]any{"type": "string", "minLength": int64(1), "maxLength": int64(253)})
	},
}
