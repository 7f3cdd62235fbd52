package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var metadataKind = &check{
	ID: "C-PK-1/kind", Name: "metadata-kind", Severity: severity.Warning,
	Doc: `metadata.yaml says its kind

clusterctl v1.11 began to demand the kind Metadata. Since several providers had left
it out, later releases accept none again; the contract still asks for it.`,
	Bundle: func(p *pass) {
		p.metadata(func(i int, o map[string]any, _ []releaseSeries) {
			if text(o, "kind") == "" {
				p.ForObject(i).Report(lint.Finding{
					Path:       lint.Path{"kind"},
					Message:    "metadata.yaml has no kind",
					Suggestion: "kind: Metadata",
					Fix:        add(lint.Path{"kind"}, "Metadata"),
				})
			}
		})
	},
}
