package audit

import (
	"cmp"
	"slices"
	"time"
)

// alarms are the times at which rules want to look again.
type alarms struct {
	at map[alarm]time.Time
}

type alarm struct {
	id   ID
	rule *Rule
}

func (a *Auditor) wake(l *Look, at time.Time) {
	k := alarm{l.New.ID, l.rule}
	if at.IsZero() {
		delete(a.alarms.at, k)
		return
	}
	if a.alarms.at == nil {
		a.alarms.at = map[alarm]time.Time{}
	}
	a.alarms.at[k] = at
}

func (s *alarms) forget(id ID) {
	for k := range s.at {
		if k.id == id {
			delete(s.at, k)
		}
	}
}

// pass lets time pass until t, and wakes the rules whose time came, in the order
// of their times. A time before the last one counts as the last one.
func (a *Auditor) pass(t time.Time) {
	for {
		due := a.alarms.due(t)
		if len(due) == 0 {
			break
		}
		for _, d := range due {
			at, still := a.alarms.at[d]
			if !still || at.After(t) {
				continue
			}
			delete(a.alarms.at, d)
			h := a.objects[d.id]
			if h == nil || h.last == nil || d.rule.Woken == nil {
				continue
			}
			a.now = later(a.now, at)
			d.rule.Woken(&Look{New: h.last, Now: a.now, Options: &a.options, rule: d.rule, history: h, auditor: a})
		}
	}
	a.now = later(a.now, t)
}

func (s *alarms) due(t time.Time) []alarm {
	var due []alarm
	for k, at := range s.at {
		if !at.After(t) {
			due = append(due, k)
		}
	}
	slices.SortFunc(due, func(x, y alarm) int {
		return cmp.Or(s.at[x].Compare(s.at[y]), x.id.Compare(y.id), cmp.Compare(x.rule.ID, y.rule.ID))
	})
	return due
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
