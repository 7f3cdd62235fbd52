package audit

import "kstatus.dev/author/severity"

var conditionObserved = &Rule{
	ID: "W-03", Name: "condition-observed", Severity: severity.Error,
	Doc: `A condition's observedGeneration is never ahead of metadata.generation, and decreases only with another status

The number says which spec the condition describes. A number ahead of the object's
cannot come from the object. If it decreases while the status stays the same, an
older result overwrites a newer one. Write the generation of the object that was
read, and update with its resourceVersion.`,
	OnVersion: func(p *Pass) {
		for _, c := range p.New.Conditions {
			if !c.HasObserved || !isNewOrChanged(p, c) {
				continue
			}
			if p.New.Generation > 0 && c.Observed > p.New.Generation {
				p.Report(c.Path("observedGeneration"), "is %d at generation %d", c.Observed, p.New.Generation)
			}
			if p.Old == nil {
				continue
			}
			if was, ok := p.Old.Condition(c.Type); ok && was.HasObserved && c.Observed < was.Observed && c.Status == was.Status {
				p.Report(c.Path("observedGeneration"), "went from %d to %d at generation %d", was.Observed, c.Observed, p.New.Generation)
			}
		}
	},
}

// isNewOrChanged reports whether a condition is new or changed.
func isNewOrChanged(p *Pass, c Condition) bool {
	if p.Old == nil {
		return true
	}
	was, ok := p.Old.Condition(c.Type)
	return !ok || !equal(was.raw, c.raw)
}
