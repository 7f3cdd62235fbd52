package check

import "kstatus.dev/author/severity"

var observedGeneration = &check{
	ID: "C-ALL-12", Name: "role-observed-generation", Severity: severity.Warning,
	Doc: `the status has an observedGeneration (L-03)

No page of the contract requires it, but core's own kinds have it. Without it a
reader cannot tell whether a status describes the present spec. Core mirrors the
Ready condition of the previous spec as if it were current.`,
	General: "L-03",
	Roles:   rolesWithStatus,
	Kind: func(p *pass, k kind) {
		if k.version.Name == "" || !k.lacks("status.observedGeneration") {
			return
		}
		fix := k.addField("status.observedGeneration", map[string]any{"type": "integer", "format": "int64"})
		if fix != nil {
			fix.Note = "the controller has to write status.observedGeneration"
		}
		p.report(k, k.existingPath("status.observedGeneration"), "the status has no observedGeneration", "observedGeneration: {type: integer, format: int64}", fix)
	},
}
