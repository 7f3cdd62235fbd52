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
	OnChange: func(p *Pass) {
		if p.BySameWriter() && p.Old.HasObserved && p.New.HasObserved && p.New.Observed < p.Old.Observed && p.New.Observed >= 0 {
			p.Report(".status.observedGeneration", "went from %d to %d at generation %d", p.Old.Observed, p.New.Observed, p.New.Generation)
		}
	},
}
