package lint

import (
	"strings"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var conditionTransitionTime = &Check{
	ID: "L-19", Name: "condition-transition-time", Severity: severity.Warning,
	Doc: `a condition has the time of its last change of status

Timeouts are computed from lastTransitionTime: by MachineHealthChecks and
minReadySeconds of Cluster API, by alerts, and by users. If the field is missing or has
another text, these computations fail or begin in the year 1.

Fix: lastTransitionTime: {type: string, format: date-time}, required. Stored objects
without it can no longer be written then, so the fix is unsafe.`,
	Version: func(p *Pass, v Version) {
		item, ok := v.condition()
		field := item.Property("lastTransitionTime")
		if !ok || field.Exists() && (field.Type() != "string" || field.Node["nullable"] == true) {
			return // condition-shape reports it
		}
		var wrong []string
		edits := item.requireEdits("lastTransitionTime")
		if edits != nil {
			wrong = append(wrong, "may be missing")
		}
		switch {
		case !field.Exists():
			wrong = []string{"is not in the schema"}
			edits = append(edits, item.fieldEdits("lastTransitionTime", conditionField("lastTransitionTime"))...)
		case decoded.Text(field.Node, "format") != "date-time":
			wrong = append(wrong, "may be any text")
			edits = append(edits, Edit{OpAdd, field.Path.With("format"), "date-time"})
		}
		if len(edits) == 0 {
			return
		}
		p.Report(Finding{
			Path:       field.Path,
			Message:    "lastTransitionTime " + strings.Join(wrong, ", "),
			Suggestion: "required, format: date-time",
			Fix:        &Fix{Edits: edits, Unsafe: true, Risk: storedObjectsRisk, Note: storedObjectsNote},
		})
	},
}
