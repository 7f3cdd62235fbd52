package lint

import "kstatus.dev/severity"

var partialStatus = &Check{
	ID: "L-08", Name: "partial-status", Severity: severity.Info,
	Doc: `the default of observedGeneration also holds for a part of a status

Where only the status as a whole has the default {observedGeneration: -1}, the
first write that leaves the field out ends it: a controller that writes its first
condition, or a client that puts back what it has read into an old type. From then
on the object counts as done until Ready is written.

Repair: the same default on the field itself, besides that of the status; where Go
types make the definition, //+kubebuilder:default=-1 on the field.`,
	Version: func(p *Pass, v Version) {
		og := v.Status().Property("observedGeneration")
		seen := v.observedOf(nil)
		if n, ok := number(seen); !ok || n > 0 || !og.Exists() || v.observedOf(map[string]any{}) != nil {
			return
		}
		var fix *Fix
		if og.Refusal(seen) == "" {
			fix = &Fix{Edits: []Edit{{OpAdd, og.Path.With("default"), seen}}, Note: writesIt}
		}
		p.Report(Finding{
			Path:       og.Path,
			Message:    "a first write without observedGeneration takes the default away",
			Suggestion: "observedGeneration: {default: -1}",
			Fix:        fix,
		})
	},
}
