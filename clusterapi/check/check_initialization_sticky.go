package check

import (
	"strconv"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var initializationSticky = &check{
	ID: "L-34", Name: "initialization-sticky", Severity: severity.Info,
	Doc: `the schema forbids to take status.initialization back (C-IC-2)

Once true, a field of it stays true. Core remembers it. Other readers, and a
management cluster that the object is moved to, would see it change back. A
validation rule on the status rejects that. The rule allows a status without
conditions, which was cleared to be rebuilt. If the controller does take the field
back, the rule rejects its whole write, so the fix needs review. kstatus audit
reports whether it happens (initialization-undone).`,
	Roles: rolesWithStatus, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		path := initializedField(k.role, ContractV1Beta2)
		s := k.field("status")
		if !k.field(path).Exists() || !k.field("status.conditions").Exists() {
			return
		}
		at, rules := s.Path.With("x-kubernetes-validations"), decoded.List(s.Node, "x-kubernetes-validations")
		for _, where := range []lint.Schema{s, k.field("status.initialization"), k.field(path), k.version.Schema} {
			for _, rule := range decoded.Maps(where.Node, "x-kubernetes-validations") {
				if strings.Contains(decoded.Text(rule, "rule"), "oldSelf") {
					return
				}
			}
		}
		name := strings.TrimPrefix(path, "status.initialization.")
		was := func(v string) string {
			return "has(" + v + ".initialization) && has(" + v + ".initialization." + name + ") && " + v + ".initialization." + name
		}
		rule := map[string]any{"rule": "!(" + was("oldSelf") + ") || (" + was("self") + ") || !has(self.conditions)",
			"message": "initialization." + name + " stays true once it is"}
		fix := add(at, []any{rule})
		if rules != nil {
			fix = add(at.With("-"), rule)
		}
		fix.Unsafe, fix.Risk, fix.Note = true, "a controller that takes it back is rejected", "a controller that takes it back is then rejected"
		p.report(k, s.Path, "no validation rule stops a writer that takes back "+path, "x-kubernetes-validations: [{rule: "+strconv.Quote(decoded.Text(rule, "rule"))+"}]", fix)
	},
}
