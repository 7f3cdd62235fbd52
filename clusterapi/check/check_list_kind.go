package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var listKind = &check{
	ID: "C-ALL-2", Name: "list-kind", Severity: severity.Error,
	Doc: `the list kind is the kind with the suffix List

Core, its topology and clusterctl list objects without looking up the list kind.`,
	Kind: func(p *pass, k kind) {
		at := lint.Path{"spec", "names", "listKind"}
		if have := decoded.Text(k.Raw, "spec", "names", "listKind"); have != "" && have != k.Kind+"List" {
			p.Report(lint.Finding{
				Path:       at,
				Message:    "the list kind is " + quote(have),
				Suggestion: "listKind: " + k.Kind + "List",
				Fix:        &lint.Fix{Edits: []lint.Edit{{Op: lint.OpReplace, Path: at, Value: k.Kind + "List"}}, Unsafe: true, Risk: "clients may use the old name of the list"},
			})
		}
	},
}
