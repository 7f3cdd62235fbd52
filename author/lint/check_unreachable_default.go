package lint

import "kstatus.dev/author/severity"

var unreachableDefault = &Check{
	ID: "L-07", Name: "unreachable-default", Severity: severity.Warning,
	InProfile: map[Profile]severity.Level{ProfileKstatus: severity.Error},
	Doc: `the default of observedGeneration takes effect

The API server applies the default of a field only if its parent exists. A new object
has no status, so a default of observedGeneration alone changes nothing: the creation
race stays open.

Fix: a default of {} for the status itself, or //+kubebuilder:default={} on the
status field of the root type. Required fields of the status make {} invalid. They have
to become optional first, so the fix is unsafe in that case.`,
	Version: func(p *Pass, v Version) {
		if !v.unreachable() {
			return
		}
		s := v.Status()
		edits := []Edit{{OpAdd, s.Path.With("default"), s.smallestDefault(false)}}
		fix := &Fix{Edits: edits, Note: storedDefaultNote}
		if !p.closesRace(v, edits) {
			fix = &Fix{Edits: v.observedEdits(true), Unsafe: true, Risk: "clients may expect fields that are required now", Note: "clients may expect fields that are required now; " + storedDefaultNote}
			if !p.closesRace(v, fix.Edits) {
				fix = nil
			}
		}
		p.Report(Finding{
			Path:       s.Property("observedGeneration").Path.With("default"),
			Message:    "the default has no effect: a new object has no status to which it could apply",
			Suggestion: "status: {default: {}}",
			Fix:        p.raceFixForAll(v, fix),
		})
	},
}

// unreachable reports whether the default of observedGeneration marks objects as not observed,
// but no new object has it.
func (v Version) unreachable() bool {
	d, ok := number(v.Status().Property("observedGeneration").Node["default"])
	return ok && d <= 0 && v.observedOf(nil) == nil && raceOpen(v)
}
