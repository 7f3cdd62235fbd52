package lint

import (
	"slices"
	"strings"

	"kstatus.dev/severity"
)

var conditionShape = &Check{
	ID: "L-15", Name: "condition-shape", Severity: severity.Error,
	Doc: `a condition has the fields of metav1.Condition, of their types, and none is null

Readers of foreign kinds decode conditions as metav1.Condition or by the names of
its fields. A condition without a type or a status, or with one that is null, tells
nothing: to cli-utils an object with such a Ready counts as done. Where a field is of
another type, cli-utils takes the whole object for one that it cannot judge, and
clients in Go fail to decode it.

Repair: type, status and message as texts, type and status required, nothing
nullable; where Go types make the definition, metav1.Condition itself. Objects that
are stored otherwise can no longer be written then, which has to be agreed to.
Whether reason, status and lastTransitionTime say what they should, other checks
tell.`,
	Version: func(p *Pass, v Version) {
		list, ok := v.conditions()
		if !ok {
			return
		}
		item := list.Items()
		if _, named := v.condition(); !named || item.Type() != "object" {
			p.Report(Finding{
				Path:       list.Path,
				Message:    "the schema does not say which fields a condition has",
				Suggestion: "items: metav1.Condition",
				Fix:        &Fix{Edits: []Edit{{OpAdd, item.Path, conditionSchema()}}, Unsafe: true, Note: stored},
			})
			return
		}
		wrong, edits := misshapen(item)
		if len(wrong) == 0 {
			return
		}
		p.Report(Finding{
			Path:       item.Path,
			Message:    "a condition differs from metav1.Condition: " + strings.Join(wrong, ", "),
			Suggestion: "the fields of metav1.Condition",
			Fix:        &Fix{Edits: edits, Unsafe: true, Note: stored},
		})
	},
}

// misshapen returns what is wrong with the fields of a condition, and what mends it.
func misshapen(item Schema) (wrong []string, edits []Edit) {
	for _, name := range conditionFields {
		field, whole := item.Property(name), conditionField(name)
		must := slices.Contains([]string{"type", "status", "message"}, name)
		switch {
		case !field.Exists() && must:
			wrong = append(wrong, "no "+name)
			edits = append(edits, Edit{OpAdd, field.Path, whole})
		case field.Exists() && field.Type() != whole["type"]:
			wrong = append(wrong, name+" is "+or(field.Type(), "of no type"))
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
