package audit

import "time"

// While sees to it that the rule's Woken is called once a state that holds now
// has held for d without a break. It is called once for each time that the state
// lasts so long.
func (l *Look) While(holds bool, d time.Duration) {
	waiting := remembered[bool](l)
	if waiting == nil {
		if !holds {
			return
		}
		waiting = Memory[bool](l)
	}
	switch {
	case holds && !*waiting:
		l.Wake(d)
	case !holds && *waiting:
		l.Sleep()
	}
	*waiting = holds
}

// waiting reports whether the state of [Look.While] held when it was last asked.
func (l *Look) waiting() bool {
	held := remembered[bool](l)
	return held != nil && *held
}

// remembered returns what the rule remembers of the object; nil if that is nothing.
func remembered[T any](l *Look) *T {
	for _, m := range l.history.memory {
		if known, same := m.of.(*T); same && m.rule == l.rule {
			return known
		}
	}
	return nil
}
