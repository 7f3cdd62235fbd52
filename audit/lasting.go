package audit

import "time"

// AfterHolding calls the rule's OnTimer once a state has held for d without
// interruption. Call it for each version, and pass whether the state holds now.
func (p *Pass) AfterHolding(holds bool, d time.Duration) {
	holding := remembered[bool](p)
	if holding == nil {
		if !holds {
			return
		}
		holding = State[bool](p)
	}
	switch {
	case holds && !*holding:
		p.SetTimer(d)
	case !holds && *holding:
		p.StopTimer()
	}
	*holding = holds
}

// holding reports whether the state held at the last call of
// [Pass.AfterHolding].
func (p *Pass) holding() bool {
	held := remembered[bool](p)
	return held != nil && *held
}

// remembered returns the rule's state of type T for the object; nil if it has
// none.
func remembered[T any](p *Pass) *T {
	for _, m := range p.history.memory {
		if known, same := m.of.(*T); same && m.rule == p.rule {
			return known
		}
	}
	return nil
}
