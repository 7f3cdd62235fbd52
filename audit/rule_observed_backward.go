package audit

import "kstatus.dev/severity"

var observedBackward = &Rule{
	ID: "W-01", Name: "observed-backward", Severity: severity.Error,
	Doc: `status.observedGeneration never decreases

A reader that has seen generation 3 observed takes the status for the spec of
generation 3. If the field goes back, the statement of an older pass has
overwritten a newer one: write the generation that was read together with the
object, never one that a cache delivered later, and commit with its
resourceVersion. The -1 that a schema fills in is no statement, and what
somebody else does to the status is not the fault of its controller.`,
	OnChange: func(l *Pass) {
		if l.BySameWriter() && l.Old.HasObserved && l.New.HasObserved && l.New.Observed < l.Old.Observed && l.New.Observed >= 0 {
			l.Report(".status.observedGeneration", "went from %d to %d at generation %d", l.Old.Observed, l.New.Observed, l.New.Generation)
		}
	},
}
