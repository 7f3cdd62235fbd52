package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var liveTypes = &check{
	ID: "C-RES-5/object", Name: "live-types", Severity: severity.Error,
	Doc: `the fields of an object have the types of the contract

A value of another type, or null, is an error in each reconcile of the Cluster or
Machine. A schema without types allows such objects.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		for _, f := range fieldsOf(o.role, o.contract) {
			p.reportTypes(o, f, o.raw, nil, steps(f.Path))
		}
	},
}

// reportTypes follows a path of the table through an object, and reports each value
// of another type.
func (p *pass) reportTypes(o providerObject, f field, v any, at lint.Path, rest []string) {
	if len(rest) == 0 {
		if have := typeOf(v); have != f.Type {
			p.ForObject(o.index).Report(lint.Finding{
				Path:       at,
				Message:    "the value is " + article(have) + "; core wants " + article(f.Type) + " at " + f.Path,
				Suggestion: "write " + article(f.Type),
			})
		}
		return
	}
	switch rest[0] {
	case "[]":
		items, _ := v.([]any) // the row of the list itself reports a value that is not a list
		for i, item := range items {
			p.reportTypes(o, f, item, at.With(i), rest[1:])
		}
	case "{}":
		values, _ := v.(map[string]any)
		for _, name := range sortedKeys(values) {
			p.reportTypes(o, f, values[name], at.With(name), rest[1:])
		}
	default:
		inner, _ := v.(map[string]any)
		if child, there := inner[rest[0]]; there {
			p.reportTypes(o, f, child, at.With(rest[0]), rest[1:])
		}
	}
}
