package audit

import (
	"slices"
	"time"

	"kstatus.dev/severity"
)

// A visit is the first time that a manager wrote conditions.
type visit struct {
	manager string
	last    time.Time // of its writes
}

type visits struct {
	all  []visit
	seen []string // types
}

var lateCondition = &Rule{
	ID: "W-17", Name: "late-condition", Severity: severity.Warning, Learns: true,
	Doc: `A controller writes all its conditions at its first visit

A condition that is not there yet is no different from one that this kind does not
have, so nobody can wait for it. Write all that you will ever report with the
first status, as Unknown where you do not know yet. What is declared is asked for
at once; else a condition that its writer adds later shows that it was missing.
Reconciling, Stalled, Deleting and Paused may come and go, and so may what is
declared as optional.`,
	OnVersion: func(l *Pass) {
		added := addedTypes(l)
		m := State[visits](l)
		known := func(t string) bool { return slices.Contains(m.seen, t) }
		if l.New.StatusWrite && l.SeenFromCreation() && len(added) > 0 || inVisit(m, l) {
			m.visit(l, slices.DeleteFunc(added, known))
		}
		for _, c := range l.New.Conditions {
			if !known(c.Type) && len(m.seen) < mostWriterCounts {
				m.seen = append(m.seen, c.Type)
			}
		}
	},
	OnTimer: func(l *Pass) {
		d := l.Declaration()
		if d == nil || !l.New.Deleting.IsZero() {
			return
		}
		for _, c := range d.Conditions {
			if _, there := l.New.Condition(c.Type); !there && !c.Optional && (c.Owner == "" || c.Owner == l.New.Manager) {
				l.Report(conditionPath(c.Type, ""), "is declared, and was not written at the first visit of %s", who(l.New.Manager))
			}
		}
	},
}

// visit takes a write of conditions: part of the first visit of its manager, or
// one that adds what the first should have written.
func (m *visits) visit(l *Pass, added []string) {
	i := slices.IndexFunc(m.all, func(v visit) bool { return v.manager == l.New.Manager })
	switch {
	case i < 0 && slices.ContainsFunc(added, func(t string) bool { return t != "Paused" }):
		m.all = append(m.all, visit{l.New.Manager, l.Now})
		if l.Declaration() != nil {
			l.SetTimer(l.Options.ReconcileWindow)
		}
	case i < 0 || l.Declaration() != nil:
	case l.Now.Sub(m.all[i].last) <= l.Options.ReconcileWindow:
		m.all[i].last = l.Now
	default:
		for _, t := range added {
			if !comesAndGoes(l, t) && t != "Paused" && l.New.Deleting.IsZero() {
				l.Report(conditionPath(t, ""), "was added %s after the first visit of %s", l.Now.Sub(m.all[i].last), who(l.New.Manager))
			}
		}
	}
}

// inVisit reports whether the write is one more of its manager's first visit.
func inVisit(m *visits, l *Pass) bool {
	return slices.ContainsFunc(m.all, func(v visit) bool {
		return v.manager == l.New.Manager && l.Now.Sub(v.last) <= l.Options.ReconcileWindow
	})
}

// addedTypes returns the types of the conditions that were not there before.
func addedTypes(l *Pass) (types []string) {
	for _, c := range l.New.Conditions {
		if l.Old != nil {
			if _, there := l.Old.Condition(c.Type); there {
				continue
			}
		}
		if c.Type != "" {
			types = append(types, c.Type)
		}
	}
	return types
}

// comesAndGoes reports whether a condition may be absent where it has nothing to say.
func comesAndGoes(l *Pass, conditionType string) bool {
	if d := l.Declaration().Condition(conditionType); d != nil {
		return d.Optional
	}
	return conditionType == "Reconciling" || conditionType == "Stalled" || conditionType == "Deleting"
}

func who(manager string) string {
	if manager == "" {
		return "its controller"
	}
	return manager
}

var conditionVanished = &Rule{
	ID: "W-18", Name: "condition-vanished", Severity: severity.Warning,
	Doc: `A condition that was once written stays

Who waits for it cannot tell "not true" from "this kind has none", and many tools
take a missing condition for a good one. Write it as Unknown or False instead of
taking it away. Reconciling, Stalled and Deleting may go, and so may what is
declared as optional; so may what another controller keeps, which is a case for
lost-update. That all conditions go is status-wiped.`,
	OnChange: func(l *Pass) {
		if l.New.Gone || len(l.New.Conditions) == 0 {
			return
		}
		for _, c := range l.Old.Conditions {
			if _, there := l.New.Condition(c.Type); there || c.Type == "" || comesAndGoes(l, c.Type) {
				continue
			}
			keeper := l.StatusWriter(c.Type)
			if l.New.Manager == keeper || keeper == "" && l.BySameWriter() || l.New.Manager == "" && !l.New.managed {
				l.Report(c.Path(""), "was %s (%s), and is gone", c.Status, c.Reason)
			}
		}
	},
}
