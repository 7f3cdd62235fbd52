package capi

import "kstatus.dev/lint"

var initializationMin = &check{
	ID: "L-33", Name: "initialization-min-properties", Severity: lint.Hint,
	Doc: `status.initialization has at least one field if it is there

The contract gives it minProperties 1. An empty object says nothing, and comes and
goes between writers that marshal it differently.`,
	Roles: reporting, Contract: V1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("status.initialization")
		if n, ok := whole(s.Node["minProperties"]); !s.There() || ok && n > 0 {
			return
		}
		p.report(k, s.Path, "status.initialization may be empty", "minProperties: 1", add(s.Path.With("minProperties"), int64(1)))
	},
}
