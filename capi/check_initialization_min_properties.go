package capi

import (
	"kstatus.dev/internal/integer"
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var initializationMin = &check{
	ID: "L-33", Name: "initialization-min-properties", Severity: severity.Info,
	Doc: `status.initialization has at least one field if it is there

The contract gives it minProperties 1. An empty object says nothing, and comes and
goes between writers that marshal it differently. A controller that writes {} would
be refused each write of its status then, which is why the fix has to be agreed to:
in Go the field has to be left out while it is empty, with omitzero.`,
	Roles: reporting, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("status.initialization")
		if n, ok := integer.Of(s.Node["minProperties"]); !s.Exists() || ok && n > 0 {
			return
		}
		p.report(k, s.Path, "status.initialization may be empty", "minProperties: 1",
			&lint.Fix{Edits: []lint.Edit{{Op: lint.OpAdd, Path: s.Path.With("minProperties"), Value: int64(1)}}, Unsafe: true, Note: "a controller that writes {} is refused then"})
	},
}
