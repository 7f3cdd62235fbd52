package lint

import "kstatus.dev/severity"

var observedGenerationMinimum = &Check{
	ID: "L-05", Name: "observed-generation-minimum",
	Severity: severity.Warning, InProfile: map[Profile]severity.Level{ProfileKstatus: severity.Error},
	Doc: `the observedGeneration may be -1

A default of -1 is what says of a new object that no controller has looked at it,
see creation-race. A minimum of 0 or 1 forbids it: the API server refuses a
definition whose default breaks its own schema. No generation is ever below 1, so
that the minimum guards against nothing that a controller would write.

Repair: minimum: -1; where Go types make the definition,
//+kubebuilder:validation:Minimum=-1. Clients that were generated from the old
schema may check the old minimum, which is why the fix has to be agreed to. Where
that cannot be, a condition Ready that is Unknown by default closes the race for
the time before the first write; then this is only information.`,
	Version: func(p *Pass, v Version) {
		og := v.Status().Property("observedGeneration")
		by := blocksDefault(og)
		if by == "" {
			return
		}
		var fix *Fix
		if edits := relaxed(og); edits != nil {
			fix = &Fix{Edits: edits, Unsafe: true, Note: "clients that were generated from the old schema may refuse -1"}
		}
		f := Finding{
			Path:       og.Path.With(by),
			Message:    "observedGeneration cannot be -1, which a default needs to say that nobody has looked yet",
			Suggestion: "minimum: -1",
			Fix:        fix,
		}
		if d, ok := number(og.Node["default"]); !raceOpen(v) && !(ok && d < 0) {
			f.Severity = severity.Info
		}
		p.Report(f)
	},
}
