package check

import (
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var fieldTypes = &check{
	ID: "C-RES-5", Name: "field-types", Severity: severity.Error,
	Doc: `fields of the contract have the types of the contract (L-38)

Core tolerates a missing field. A field of another type, or null, is an error in each
reconcile of the Cluster or Machine. Core does not treat it as "not ready".`,
	Kind: func(p *pass, k kind) {
		for _, f := range fieldsOf(k.role, k.contract) {
			if strings.HasPrefix(f.Path, "status.failureDomains") {
				continue // see failure-domains
			}
			s := k.field(f.Path)
			switch have := s.Type(); {
			case !s.Exists():
			case have != f.Type:
				p.report(k, s.Path.With("type"), f.Path+" is "+article(have)+"; core wants "+article(f.Type), "type: "+f.Type, retype(s, f.Type))
			case s.Node["nullable"] == true:
				p.report(k, s.Path.With("nullable"), f.Path+" may be null; core wants "+article(f.Type), "remove nullable",
					&lint.Fix{Edits: []lint.Edit{{Op: lint.OpRemove, Path: s.Path.With("nullable")}}, Unsafe: true, Risk: "stored objects may have null"})
			}
		}
	},
}

// article returns the type with its article.
func article(t string) string {
	switch {
	case t == "":
		return "of no type"
	case t == "null":
		return t
	case strings.ContainsRune("aio", rune(t[0])):
		return "an " + t
	default:
		return "a " + t
	}
}

// retype returns the fix that sets the type of a scalar. It returns nil for
// lists and objects, whose schema has more than a type.
func retype(s lint.Schema, to string) *lint.Fix {
	if to == "array" || to == "object" || decoded.Map(s.Node, "properties") != nil || decoded.Map(s.Node, "items") != nil {
		return nil
	}
	fix := &lint.Fix{Unsafe: true, Risk: "stored objects may have the old type", Note: "stored objects may hold a value of the old type"}
	for _, odd := range []string{"format", "x-kubernetes-int-or-string", "anyOf", "enum", "default", "pattern", "x-kubernetes-preserve-unknown-fields"} {
		if _, there := s.Node[odd]; there {
			fix.Edits = append(fix.Edits, lint.Edit{Op: lint.OpRemove, Path: s.Path.With(odd)})
		}
	}
	fix.Edits = append(fix.Edits, lint.Edit{Op: lint.OpAdd, Path: s.Path.With("type"), Value: to})
	return fix
}
