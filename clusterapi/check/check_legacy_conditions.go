package check

import "kstatus.dev/author/severity"

var legacyConditions = &check{
	ID: "C-CO-7", Name: "legacy-conditions", Severity: severity.Warning,
	Doc: `conditions are metav1.Condition, without severity

Core still reads the conditions of Cluster API's own v1beta1 type, until support for
v1beta1 ends. They have no observedGeneration, and may lack a reason.`,
	General: "L-20",
	Roles:   rolesWithStatus,
	Kind: func(p *pass, k kind) {
		if s := k.field("status.conditions[].severity"); s.Exists() {
			p.report(k, s.Path, "the conditions have a severity: they are conditions of v1beta1", "use metav1.Condition", nil)
		}
	},
}
