package lint

import (
	"slices"

	"kstatus.dev/severity"
)

var conditionStatus = &Check{
	ID: "L-18", Name: "condition-status", Severity: severity.Warning,
	Doc: `the status of a condition is True, False or Unknown

To cli-utils and Cluster API any other word is no statement at all: a controller that
writes "true" by mistake has objects that count as done whatever their Ready says,
since a condition Ready that is neither of the three words is passed over. The
conventions of the Kubernetes API know these three.

Repair: enum: ["True", "False", "Unknown"]; where Go types make the definition,
metav1.ConditionStatus. Objects that are stored with another word can no longer be
written then, which has to be agreed to.`,
	Version: func(p *Pass, v Version) {
		item, ok := v.condition()
		field := item.Property("status")
		if !ok || field.Type() != "string" {
			return
		}
		list, has := field.Node["enum"].([]any)
		missing := slices.ContainsFunc(truths(), func(t any) bool { return !slices.Contains(texts(list), t.(string)) })
		if len(list) == 3 && !missing {
			return
		}
		message := "the status of a condition may be any word"
		if has {
			message = "the status of a condition may be other words than True, False and Unknown"
			if missing {
				message = "the status of a condition cannot be each of True, False and Unknown"
			}
		}
		p.Report(Finding{
			Path:       field.Path,
			Message:    message,
			Suggestion: `enum: ["True", "False", "Unknown"]`,
			Fix:        &Fix{Edits: []Edit{{OpAdd, field.Path.With("enum"), truths()}}, Unsafe: true, Note: stored},
		})
	},
}
