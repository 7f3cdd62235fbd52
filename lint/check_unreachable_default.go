package lint

import "kstatus.dev/severity"

var unreachableDefault = &Check{
	ID: "L-07", Name: "unreachable-default", Severity: severity.Warning,
	InProfile: map[Profile]severity.Level{ProfileKstatus: severity.Error},
	Doc: `the default of observedGeneration is reached

The API server fills in the default of a field only where its parent is there. A
new object has no status, so that a default of observedGeneration alone changes
nothing: the race is as open as without it.

Repair: a default of {} for the status itself; where Go types make the definition,
//+kubebuilder:default={} on the status field of the root type. Fields that the
status requires are in the way, since {} does not have them: those have to become
optional first, which has to be agreed to.`,
	Version: func(p *Pass, v Version) {
		if !v.unreachable() {
			return
		}
		s := v.Status()
		edits := []Edit{{OpAdd, s.Path.With("default"), s.smallestDefault(false)}}
		fix := &Fix{Edits: edits, Note: writesIt}
		if !p.closesRace(v, edits) {
			fix = &Fix{Edits: v.observedEdits(true), Unsafe: true, Note: "clients may count on fields that are required now; " + writesIt}
			if !p.closesRace(v, fix.Edits) {
				fix = nil
			}
		}
		p.Report(Finding{
			Path:       s.Property("observedGeneration").Path.With("default"),
			Message:    "the default is never reached: a new object has no status that it could be filled into",
			Suggestion: "status: {default: {}}",
			Fix:        p.raceFixForAll(v, fix),
		})
	},
}

// unreachable reports whether the default of observedGeneration says that nobody
// has looked, and no new object has it.
func (v Version) unreachable() bool {
	d, ok := number(v.Status().Property("observedGeneration").Node["default"])
	return ok && d <= 0 && v.observedOf(nil) == nil && raceOpen(v)
}
