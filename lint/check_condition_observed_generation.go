package lint

import "kstatus.dev/severity"

var conditionObservedGeneration = &Check{
	ID: "L-16", Name: "condition-observed-generation", Severity: severity.Warning,
	Doc: `each condition has an observedGeneration

Several controllers write conditions of one object, each at its own time. Only the
generation in the condition tells which of them speak of the present spec. kubectl
wait compares it, and takes that of the status where a condition has none.

Repair: observedGeneration: {type: integer, format: int64, minimum: 0} among the
fields of a condition; where Go types make the definition, metav1.Condition has it.
The controller has to set it to the generation that it has read.`,
	Version: func(p *Pass, v Version) {
		item, ok := v.condition()
		if !ok || item.Property("observedGeneration").Exists() {
			return
		}
		p.Report(Finding{
			Path:       item.Path,
			Message:    "nothing tells of which generation a condition speaks",
			Suggestion: "observedGeneration: {type: integer, format: int64, minimum: 0}",
			Fix:        &Fix{Edits: item.fieldEdits("observedGeneration", conditionField("observedGeneration")), Unsafe: item.holdsAnything(), Note: "the controller has to write it"},
		})
	},
}
