package lint

import (
	"strings"

	"kstatus.dev/author/severity"
)

var legacyColumn = &Check{
	ID: "L-23", Name: "legacy-column", Severity: severity.Warning,
	Doc: `no column shows a field that conditions replace

A column of .status.ready, .status.phase or .status.failureReason shows a word without
its generation, reason and time, which conditions have, and scripts begin to parse it.
Cluster API removed these fields from its contract, and the conventions of the
Kubernetes API call phases deprecated.

Fix: a column for the summary condition instead. For .status.ready the check has a
fix if that condition is known, see condition-column. A column of a failure can be
removed, which users of kubectl get notice.`,
	Version: func(p *Pass, v Version) {
		if _, ok := v.conditions(); !ok {
			return
		}
		for _, c := range v.columns() {
			field := strings.TrimPrefix(c.field, "$")
			at := v.Path.With("additionalPrinterColumns", c.index)
			name, known := p.summary(v)
			switch field {
			case ".status.ready":
				var fix *Fix
				if known {
					fix = &Fix{Edits: []Edit{{OpAdd, at.With("jsonPath"), conditionPath(name)}, {OpAdd, at.With("type"), "string"}},
						Unsafe: true, Risk: "users of kubectl get see other values", Note: "users of kubectl get see True and False where they saw true and false"}
				}
				p.Report(Finding{
					Path:       at,
					Message:    "the column " + orElse(c.name, "without a name") + " shows .status.ready, and not the condition",
					Suggestion: "jsonPath: " + conditionAdvice(name, known),
					Fix:        fix,
				})
			case ".status.failureReason", ".status.failureMessage":
				p.Report(Finding{
					Path:       at,
					Message:    "the column " + orElse(c.name, "without a name") + " shows " + field + ", and not the condition",
					Suggestion: "a column for " + conditionPath(name),
					Fix:        &Fix{Edits: []Edit{{OpRemove, at, nil}}, Unsafe: true, Risk: "users of kubectl get may need the column", Note: "users of kubectl get no longer see the column"},
				})
			case ".status.phase":
				p.Report(Finding{
					Path:       at,
					Message:    "the column " + orElse(c.name, "without a name") + " shows a phase, and not the condition",
					Suggestion: "a column for " + conditionAdvice(name, known),
				})
			}
		}
	},
}
