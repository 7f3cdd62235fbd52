package audit

import "time"

// AfterHolding has the rule's OnTimer called once a state has held for d without a
// break. Call it for each version, with whether the state holds now.
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

// holding reports whether the state of [Pass.AfterHolding] held at its last call.
func (p *Pass) holding() bool {
	held := remembered[bool](p)
	return held != nil && *held
}

// remembered returns what the rule remembers of the object; nil if that is nothing.
func remembered[T any](p *Pass) *T {
	for _, m := range p.history.memory {
		if known, same := m.of.(*T); same && m.rule == p.rule {
			return known
		}
	}
	return nil
}
