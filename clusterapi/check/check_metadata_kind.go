package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var metadataKind = &check{
	ID: "C-PK-1/kind", Name: "metadata-kind", Severity: severity.Warning,
	Doc: `metadata.yaml has a kind

clusterctl v1.11 began to require the kind Metadata. Several providers lack it, so
later releases accept a missing kind again. The contract still requires it.`,
	Bundle: func(p *pass) {
		p.metadata(func(i int, o map[string]any, _ []releaseSeries) {
			if decoded.Text(o, "kind") == "" {
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
