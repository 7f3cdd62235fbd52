package audit

import "kstatus.dev/author/severity"

var observedBackward = &Rule{
	ID: "W-01", Name: "observed-backward", Severity: severity.Error,
	Doc: `status.observedGeneration never decreases

A reader that has seen generation 3 observed assumes that the status describes
generation 3. If the number decreases, an older reconcile has overwritten a newer
one. Write the generation of the object that was read, not one that a cache delivers
later, and update with its resourceVersion. The default -1 of a schema does not
count, and neither do writes of managers other than the status writer.`,
	OnChange: func(p *Pass) {
		if p.BySameWriter() && p.Old.HasObserved && p.New.HasObserved && p.New.Observed < p.Old.Observed && p.New.Observed >= 0 {
			p.Report(".status.observedGeneration", "went from %d to %d at generation %d", p.Old.Observed, p.New.Observed, p.New.Generation)
		}
	},
}
