package lint

import "kstatus.dev/severity"

var legacyVersion = &Check{
	ID: "L-44", Name: "legacy-version", Severity: severity.Warning,
	Doc: `an early version that is still served keeps the observedGeneration

Without a webhook that converts, the API server drops what the version of a request
does not name. A client that reads an object in an old version and writes it back
takes the observedGeneration away with it, and with it what closes the race and tells
an old status from a new one.

Repair: the field in the old version too, or no more serving it. The fix copies it
from the version that has it.`,
	Version: func(p *Pass, v Version) {
		if !v.legacyWithout() {
			return
		}
		if model, is := v.CRD.family().other(v.CRD.family().generation, v.Name); is {
			s, og := v.Status(), model.Status().Property("observedGeneration")
			p.Report(Finding{
				Path:       s.Path.With("properties"),
				Message:    "a write in this version drops the observedGeneration that " + model.Name + " has",
				Suggestion: "observedGeneration as in " + model.Name,
				Fix:        &Fix{Edits: s.fieldEdits("observedGeneration", copied(og)), Unsafe: s.holdsAnything()},
			})
		}
	},
}
