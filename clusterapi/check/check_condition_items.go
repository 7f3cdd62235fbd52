package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var conditionItems = &check{
	ID: "C-CO-3", Name: "condition-items", Severity: severity.Error,
	Doc: `in the schema, type, status, reason and message of a condition are strings (L-15)

Core's conversion panics on a condition with null, a number or a boolean where it
expects a string. It also panics on an observedGeneration that is not an integer.
Every reconcile of the Cluster or Machine fails then. If a type or status is missing,
core rejects the whole list.`,
	General: "L-15",
	Roles:   rolesWithStatus,
	Kind: func(p *pass, k kind) {
		s := k.field("status.conditions")
		items := s.Items()
		if s.Type() != "array" {
			return
		}
		if decoded.Map(items.Node, "properties") == nil || items.Node["x-kubernetes-preserve-unknown-fields"] == true {
			p.report(k, s.Path.With("items"), "the schema of the items of status.conditions allows any value, and core panics on a value that is not a condition", "give them the schema of metav1.Condition", nil)
			return
		}
		for _, name := range []string{"type", "status", "reason", "message", "observedGeneration", "lastTransitionTime"} {
			want, f := "string", items.Property(name)
			if name == "observedGeneration" {
				want = "integer"
			}
			switch {
			case !f.Exists() && (name == "type" || name == "status"):
				p.report(k, items.Path, "a condition has no "+name+": core rejects the whole list", "add "+name+", a string", nil)
			case !f.Exists():
			case f.Type() != want:
				p.report(k, f.Path.With("type"), name+" of a condition is "+article(f.Type())+", on which core panics", "type: "+want, retype(f, want))
			case f.Node["nullable"] == true:
				p.report(k, f.Path.With("nullable"), name+" of a condition may be null, on which core panics", "remove nullable",
					&lint.Fix{Edits: []lint.Edit{{Op: lint.OpRemove, Path: f.Path.With("nullable")}}, Unsafe: true, Risk: "stored objects may have null"})
			}
		}
		for _, name := range []string{"type", "status"} {
			if _, yes := requires(items, name); !yes && items.Property(name).Exists() {
				p.report(k, items.Path, name+" of a condition is not required: core rejects a list that lacks it", "require "+name, nil)
			}
		}
	},
}
