package lint

import "kstatus.dev/author/severity"

var legacyVersion = &Check{
	ID: "L-44", Name: "legacy-version", Severity: severity.Warning,
	Doc: `an old version that is still served keeps the observedGeneration

Without a conversion webhook, the API server drops fields that the requested version
does not have. A client that reads an object in an old version and writes it back
removes observedGeneration. Readers then cannot tell an old status from a new one, and
the creation race is open again.

Fix: add the field to the old version, or stop serving that version. The fix copies
it from the version that has it.`,
	Version: func(p *Pass, v Version) {
		if !v.lacksObservedGeneration() {
			return
		}
		if model, is := v.CRD.family().other(v.CRD.family().generation, v.Name); is {
			s, og := v.Status(), model.Status().Property("observedGeneration")
			p.Report(Finding{
				Path:       s.Path.With("properties"),
				Message:    "a write in this version removes the observedGeneration, which version " + model.Name + " has",
				Suggestion: "observedGeneration as in " + model.Name,
				Fix:        &Fix{Edits: s.fieldEdits("observedGeneration", withoutDefault(og)), Unsafe: s.allowsAnything(), Risk: unknownFieldRisk},
			})
		}
	},
}
