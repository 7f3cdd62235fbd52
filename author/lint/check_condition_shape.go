package lint

import (
	"slices"
	"strings"

	"kstatus.dev/author/severity"
)

var conditionShape = &Check{
	ID: "L-15", Name: "condition-shape", Severity: severity.Error,
	Doc: `a condition has the fields of metav1.Condition with their types, and none is null

Generic readers decode conditions as metav1.Condition, or by the names of its fields. A
condition whose type or status is missing or null means nothing: for cli-utils an object
with such a Ready is Current. If a field has another type, cli-utils fails for the whole
object, and Go clients cannot decode it.

Fix: type, status and message of type string, type and status required, no field
nullable, or metav1.Condition in Go types. Stored objects with other values can no
longer be written then, so the fix is unsafe. Other checks cover the values of reason,
status and lastTransitionTime.`,
	Version: func(p *Pass, v Version) {
		list, ok := v.conditions()
		if !ok {
			return
		}
		item := list.Items()
		if _, named := v.condition(); !named || item.Type() != "object" {
			p.Report(Finding{
				Path:       list.Path,
				Message:    "the schema does not have the fields of a condition",
				Suggestion: "items: metav1.Condition",
				Fix:        &Fix{Edits: []Edit{{OpAdd, item.Path, conditionSchema()}}, Unsafe: true, Risk: storedObjectsRisk, Note: storedObjectsNote},
			})
			return
		}
		wrong, edits := wrongFields(item)
		if len(wrong) == 0 {
			return
		}
		p.Report(Finding{
			Path:       item.Path,
			Message:    "conditions differ from metav1.Condition: " + strings.Join(wrong, ", "),
			Suggestion: "the fields of metav1.Condition",
			Fix:        &Fix{Edits: edits, Unsafe: true, Risk: storedObjectsRisk, Note: storedObjectsNote},
		})
	},
}

// wrongFields returns the wrong fields of a condition, and the edits that fix them.
func wrongFields(item Schema) (wrong []string, edits []Edit) {
	for _, name := range conditionFields {
		field, whole := item.Property(name), conditionField(name)
		must := slices.Contains([]string{"type", "status", "message"}, name)
		switch {
		case !field.Exists() && must:
			wrong = append(wrong, "no "+name)
			edits = append(edits, Edit{OpAdd, field.Path, whole})
		case field.Exists() && field.Type() != whole["type"]:
			wrong = append(wrong, name+" is "+orElse(field.Type(), "without a type"))
			edits = append(edits, Edit{OpAdd, field.Path, whole})
		case field.Node["nullable"] == true:
			wrong = append(wrong, name+" may be null")
			edits = append(edits, Edit{OpRemove, field.Path.With("nullable"), nil})
		}
	}
	for _, name := range []string{"status", "type"} {
		if !item.requires(name) {
			wrong = append(wrong, name+" is not required")
		}
	}
	return wrong, append(edits, item.requireEdits("status", "type")...)
}
