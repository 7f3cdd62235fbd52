package lint

import (
	"strings"

	"kstatus.dev/author/severity"
)

var conditionReason = &Check{
	ID: "L-17", Name: "condition-reason", Severity: severity.Warning,
	Doc: `a condition has a reason, which is one word

Programs and alerts match the reason; the message is for users. metav1.Condition
requires a CamelCase reason. If the schema permits conditions without a reason, some
writers omit it, and a client that copies such a condition to a stricter kind fails.

Fix: reason among the required fields, with minLength 1 and the pattern of
metav1.Condition. Stored objects without it can no longer be written then, so the fix
is unsafe.`,
	Version: func(p *Pass, v Version) {
		item, ok := v.condition()
		field, whole := item.Property("reason"), conditionField("reason")
		if !ok || field.Exists() && (field.Type() != "string" || field.Node["nullable"] == true) {
			return // condition-shape reports it
		}
		var wrong []string
		edits := item.requireEdits("reason")
		if edits != nil {
			wrong = append(wrong, "may be missing")
		}
		switch {
		case !field.Exists():
			wrong = []string{"is not in the schema"}
			edits = append(edits, item.fieldEdits("reason", whole)...)
		default:
			if field.Refusal("") == "" {
				wrong = append(wrong, "may be empty")
				edits = append(edits, Edit{OpAdd, field.Path.With("minLength"), whole["minLength"]})
			}
			if field.Refusal("no word!") == "" {
				wrong = append(wrong, "may be any text")
				edits = append(edits, Edit{OpAdd, field.Path.With("pattern"), whole["pattern"]})
			}
		}
		if len(edits) == 0 {
			return
		}
		p.Report(Finding{
			Path:       field.Path,
			Message:    "the reason of a condition " + strings.Join(wrong, ", "),
			Suggestion: "required, minLength: 1, pattern: " + reasonPattern,
			Fix:        &Fix{Edits: edits, Unsafe: true, Risk: storedObjectsRisk, Note: storedObjectsNote},
		})
	},
}
