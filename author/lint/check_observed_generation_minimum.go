package lint

import "kstatus.dev/author/severity"

var observedGenerationMinimum = &Check{
	ID: "L-05", Name: "observed-generation-minimum",
	Severity: severity.Warning, InProfile: map[Profile]severity.Level{ProfileKstatus: severity.Error},
	Doc: `the observedGeneration may be -1

A default of -1 marks a new object as not observed, see creation-race. A minimum of 0
or 1 prevents it, because the API server rejects a definition with an invalid default.
The minimum has no other use: no controller writes a generation below 1.

Fix: minimum: -1, or //+kubebuilder:validation:Minimum=-1 in Go types. Clients that
were generated from the old schema may check the old minimum, so the fix is unsafe. If
that is not possible, a condition Ready with the default Unknown covers the time before
the first write. The severity of this check is then info.`,
	Version: func(p *Pass, v Version) {
		og := v.Status().Property("observedGeneration")
		by := blocksDefault(og)
		if by == "" {
			return
		}
		var fix *Fix
		if edits := allowMinusOne(og); edits != nil {
			fix = &Fix{Edits: edits, Unsafe: true, Risk: "clients of the old schema may reject -1", Note: "clients that were generated from the old schema may reject -1"}
		}
		f := Finding{
			Path:       og.Path.With(by),
			Message:    "observedGeneration cannot be -1, the default that marks an object as not observed",
			Suggestion: "minimum: -1",
			Fix:        fix,
		}
		if d, ok := number(og.Node["default"]); !raceOpen(v) && !(ok && d < 0) {
			f.Severity = severity.Info
		}
		p.Report(f)
	},
}
