package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/integer"
)

var initializationMin = &check{
	ID: "L-33", Name: "initialization-min-properties", Severity: severity.Info,
	Doc: `status.initialization, if present, has at least one field

The contract gives it minProperties 1. An empty object has no meaning, and it appears
and disappears between writers that marshal it differently. With minProperties, every
status with {} is rejected, so the fix needs review. In Go, mark the field omitzero.`,
	Roles: rolesWithStatus, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("status.initialization")
		if n, ok := integer.Of(s.Node["minProperties"]); !s.Exists() || ok && n > 0 {
			return
		}
		p.report(k, s.Path, "status.initialization may be empty", "minProperties: 1",
			&lint.Fix{Edits: []lint.Edit{{Op: lint.OpAdd, Path: s.Path.With("minProperties"), Value: int64(1)}}, Unsafe: true, Risk: "a controller that writes {} is rejected", Note: "a controller that writes {} is then rejected"})
	},
}
