package lint

import "kstatus.dev/author/severity"

var partialStatus = &Check{
	ID: "L-08", Name: "partial-status", Severity: severity.Info,
	Doc: `the default of observedGeneration also applies to a partial status

If only the status as a whole has the default {observedGeneration: -1}, the first write
without the field removes it. Examples are a controller that writes its first condition,
and a client that writes an object back with an old type. After that the object counts
as done until Ready is written.

Fix: the same default on the field too, or //+kubebuilder:default=-1 on the field in
Go types.`,
	Version: func(p *Pass, v Version) {
		og := v.Status().Property("observedGeneration")
		seen := v.observedOf(nil)
		if n, ok := number(seen); !ok || n > 0 || !og.Exists() || v.observedOf(map[string]any{}) != nil {
			return
		}
		var fix *Fix
		if og.Refusal(seen) == "" {
			fix = &Fix{Edits: []Edit{{OpAdd, og.Path.With("default"), seen}}, Note: storedDefaultNote}
		}
		p.Report(Finding{
			Path:       og.Path,
			Message:    "the first write without observedGeneration removes the default",
			Suggestion: "observedGeneration: {default: -1}",
			Fix:        fix,
		})
	},
}
