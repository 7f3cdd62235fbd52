package capi

import (
	"strconv"
	"strings"

	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var initializationSticky = &check{
	ID: "L-34", Name: "initialization-sticky", Severity: severity.Info,
	Doc: `the schema keeps status.initialization from being taken back (C-IC-2)

Once true it stays true: core remembers it, but whoever reads the object, and a
management cluster that it is moved to, would see it fall back. A rule of
validation on the status says so to every writer. It lets a status pass that has
no conditions either, since that is one that was wiped to be built anew. A controller
that does take it back is refused the whole write then, which is why the fix has to
be agreed to: kstatus audit tells whether it does (initialization-undone).`,
	Roles: reporting, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		path := initializedField(k.role, ContractV1Beta2)
		s := k.field("status")
		if !k.field(path).Exists() || !k.field("status.conditions").Exists() {
			return
		}
		at, rules := s.Path.With("x-kubernetes-validations"), list(s.Node, "x-kubernetes-validations")
		for _, where := range []lint.Schema{s, k.field("status.initialization"), k.field(path), k.version.Schema} {
			for _, item := range list(where.Node, "x-kubernetes-validations") {
				rule, _ := item.(map[string]any)
				if strings.Contains(text(rule, "rule"), "oldSelf") {
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
		fix.Unsafe, fix.Note = true, "a controller that takes it back is refused then"
		p.report(k, s.Path, "nothing keeps a writer from taking back "+path, "x-kubernetes-validations: [{rule: "+strconv.Quote(text(rule, "rule"))+"}]", fix)
	},
}
