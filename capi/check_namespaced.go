package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var namespaced = &check{
	ID: "C-ALL-1", Name: "namespaced", Severity: severity.Error,
	Doc: `the kind is namespaced (L-36)

A Cluster and a Machine refer to objects by group, kind and name; the namespace is
their own. Core cannot find an object of a kind that has none.`,
	Kind: func(p *pass, k kind) {
		if k.role != RoleIPPool && k.Scope != "Namespaced" {
			p.Report(lint.Finding{
				Path:       lint.Path{"spec", "scope"},
				Message:    "the scope is " + quote(k.Scope),
				Suggestion: "scope: Namespaced",
			})
		}
	},
}
