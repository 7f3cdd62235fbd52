package audit

import "kstatus.dev/severity"

var conditionObserved = &Rule{
	ID: "W-03", Name: "condition-observed", Severity: severity.Error,
	Doc: `A condition's observedGeneration is never ahead of metadata.generation, and goes back only with another status

The number says from which spec the statement was computed. One ahead of the
object was not read from it; one that goes back while the status stays the same
repeats an old statement over a newer one. Write the generation that was read
together with the object, and commit with its resourceVersion.`,
	OnVersion: func(l *Pass) {
		for _, c := range l.New.Conditions {
			if !c.HasObserved || !fresh(l, c) {
				continue
			}
			if l.New.Generation > 0 && c.Observed > l.New.Generation {
				l.Report(c.Path("observedGeneration"), "is %d at generation %d", c.Observed, l.New.Generation)
			}
			if l.Old == nil {
				continue
			}
			if was, there := l.Old.Condition(c.Type); there && was.HasObserved && c.Observed < was.Observed && c.Status == was.Status {
				l.Report(c.Path("observedGeneration"), "went from %d to %d at generation %d", was.Observed, c.Observed, l.New.Generation)
			}
		}
	},
}

// fresh reports whether a condition is new or was changed.
func fresh(l *Pass, c Condition) bool {
	if l.Old == nil {
		return true
	}
	was, there := l.Old.Condition(c.Type)
	return !there || !equal(was.Raw, c.Raw)
}
