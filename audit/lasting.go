package audit

import "time"

// AfterHolding has the rule's OnTimer called once a state has held for d without a
// break. Call it for each version, with whether the state holds now.
func (l *Pass) AfterHolding(holds bool, d time.Duration) {
	holding := remembered[bool](l)
	if holding == nil {
		if !holds {
			return
		}
		holding = State[bool](l)
	}
	switch {
	case holds && !*holding:
		l.SetTimer(d)
	case !holds && *holding:
		l.StopTimer()
	}
	*holding = holds
}

// holding reports whether the state of [Pass.AfterHolding] held at its last call.
func (l *Pass) holding() bool {
	held := remembered[bool](l)
	return held != nil && *held
}

// remembered returns what the rule remembers of the object; nil if that is nothing.
func remembered[T any](l *Pass) *T {
	for _, m := range l.history.memory {
		if known, same := m.of.(*T); same && m.rule == l.rule {
			return known
		}
	}
	return nil
}
