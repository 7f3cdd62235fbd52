package audit

import "time"

// AfterHolding calls the rule's OnTimer once a state has held for d without
// interruption. Call it for each version, and pass whether the state holds now.
func (p *Pass) AfterHolding(holds bool, d time.Duration) {
	holding := existingState[bool](p)
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

// isHolding reports whether the state held at the last call of
// [Pass.AfterHolding].
func (p *Pass) isHolding() bool {
	held := existingState[bool](p)
	return held != nil && *held
}

// existingState returns the rule's state of type T for the object; nil if it has
// none.
func existingState[T any](p *Pass) *T {
	for _, m := range p.history.states {
		if state, same := m.value.(*T); same && m.rule == p.rule {
			return state
		}
	}
	return nil
}
