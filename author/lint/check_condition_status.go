package lint

import (
	"slices"

	"kstatus.dev/author/severity"
)

var conditionStatus = &Check{
	ID: "L-18", Name: "condition-status", Severity: severity.Warning,
	Doc: `the status of a condition is True, False or Unknown

The conventions of the Kubernetes API define these three values. cli-utils and Cluster
API ignore a condition with any other. If a controller writes "true" by mistake, its
objects are Current for cli-utils, whatever their Ready reports.

Fix: enum: ["True", "False", "Unknown"], or metav1.ConditionStatus in Go types.
Stored objects with another value can no longer be written then, so the fix is unsafe.`,
	Version: func(p *Pass, v Version) {
		item, ok := v.condition()
		field := item.Property("status")
		if !ok || field.Type() != "string" {
			return
		}
		list, has := field.Node["enum"].([]any)
		missing := slices.ContainsFunc(conditionStatuses(), func(t any) bool { return !slices.Contains(texts(list), t.(string)) })
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
			Fix:        &Fix{Edits: []Edit{{OpAdd, field.Path.With("enum"), conditionStatuses()}}, Unsafe: true, Risk: storedObjectsRisk, Note: storedObjectsNote},
		})
	},
}
