package check

import "kstatus.dev/author/severity"

var shadowedConditions = &check{
	ID: "C-CO-1/shadow", Name: "shadowed-conditions", Severity: severity.Warning,
	Doc: `under v1beta2 the kind has no status.v1beta2.conditions

Core looks there first, whatever the label. If that list exists, even empty, core
does not read status.conditions. The field is for providers that still follow
v1beta1.`,
	Roles: rolesWithStatus, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		if s := k.field("status.v1beta2.conditions"); s.Exists() && k.field("status.conditions").Exists() {
			p.report(k, s.Path, "status.v1beta2.conditions hides status.conditions from core", "remove it, or move it to status.deprecated", nil)
		}
	},
}
