package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

var namespaced = &check{
	ID: "C-ALL-1", Name: "namespaced", Severity: severity.Error,
	Doc: `the kind is namespaced (L-36)

A Cluster or Machine refers to objects by group, kind and name, in its own namespace.
Core cannot find objects that are cluster-scoped.`,
	Kind: func(p *pass, k kind) {
		if k.role != roles.IPPool && k.Scope != "Namespaced" {
			p.Report(lint.Finding{
				Path:       lint.Path{"spec", "scope"},
				Message:    "the scope is " + quote(k.Scope),
				Suggestion: "scope: Namespaced",
			})
		}
	},
}
