package lint

import "kstatus.dev/author/severity"

var conditionObservedGeneration = &Check{
	ID: "L-16", Name: "condition-observed-generation", Severity: severity.Warning,
	Doc: `each condition has an observedGeneration

Several controllers may write conditions of one object at different times. Only the
generation in a condition shows whether it is for the current spec. kubectl wait
compares it, or that of the status if the condition has none.

Fix: observedGeneration: {type: integer, format: int64, minimum: 0} among the fields
of a condition, or metav1.Condition in Go types. The controller has to set it to the
generation that it has read.`,
	Version: func(p *Pass, v Version) {
		item, ok := v.condition()
		if !ok || item.Property("observedGeneration").Exists() {
			return
		}
		p.Report(Finding{
			Path:       item.Path,
			Message:    "a condition has no observedGeneration",
			Suggestion: "observedGeneration: {type: integer, format: int64, minimum: 0}",
			Fix:        &Fix{Edits: item.fieldEdits("observedGeneration", conditionField("observedGeneration")), Unsafe: item.allowsAnything(), Risk: unknownFieldRisk, Note: "the controller has to write observedGeneration in each condition"},
		})
	},
}
