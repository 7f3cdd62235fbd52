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
	OnVersion: func(p *Pass) {
		added := addedTypes(p)
		m := State[visits](p)
		known := func(t string) bool { return slices.Contains(m.seen, t) }
		if p.New.StatusWrite && p.SeenFromCreation() && len(added) > 0 || inVisit(m, p) {
			m.visit(p, slices.DeleteFunc(added, known))
		}
		for _, c := range p.New.Conditions {
			if !known(c.Type) && len(m.seen) < mostWriterCounts {
				m.seen = append(m.seen, c.Type)
			}
		}
	},
	OnTimer: func(p *Pass) {
		d := p.Declaration()
		if d == nil || !p.New.Deleting.IsZero() {
			return
		}
		for _, c := range d.Conditions {
			if _, there := p.New.Condition(c.Type); !there && !c.Optional && (c.Owner == "" || c.Owner == p.New.Manager) {
				p.Report(conditionPath(c.Type, ""), "is declared, and was not written at the first visit of %s", who(p.New.Manager))
			}
		}
	},
}

// visit takes a write of conditions: part of the first visit of its manager, or
// one that adds what the first should have written.
func (m *visits) visit(p *Pass, added []string) {
	i := slices.IndexFunc(m.all, func(v visit) bool { return v.manager == p.New.Manager })
	switch {
	case i < 0 && slices.ContainsFunc(added, func(t string) bool { return t != "Paused" }):
		m.all = append(m.all, visit{p.New.Manager, p.Now})
		if p.Declaration() != nil {
			p.SetTimer(p.Options.ReconcileWindow)
		}
	case i < 0 || p.Declaration() != nil:
	case p.Now.Sub(m.all[i].last) <= p.Options.ReconcileWindow:
		m.all[i].last = p.Now
	default:
		for _, t := range added {
			if !comesAndGoes(p, t) && t != "Paused" && p.New.Deleting.IsZero() {
				p.Report(conditionPath(t, ""), "was added %s after the first visit of %s", p.Now.Sub(m.all[i].last), who(p.New.Manager))
			}
		}
	}
}

// inVisit reports whether the write is one more of its manager's first visit.
func inVisit(m *visits, p *Pass) bool {
	return slices.ContainsFunc(m.all, func(v visit) bool {
		return v.manager == p.New.Manager && p.Now.Sub(v.last) <= p.Options.ReconcileWindow
	})
}

// addedTypes returns the types of the conditions that were not there before.
func addedTypes(p *Pass) (types []string) {
	for _, c := range p.New.Conditions {
		if p.Old != nil {
			if _, there := p.Old.Condition(c.Type); there {
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
func comesAndGoes(p *Pass, conditionType string) bool {
	if d := p.Declaration().Condition(conditionType); d != nil {
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
	OnChange: func(p *Pass) {
		if p.New.Gone || len(p.New.Conditions) == 0 {
			return
		}
		for _, c := range p.Old.Conditions {
			if _, there := p.New.Condition(c.Type); there || c.Type == "" || comesAndGoes(p, c.Type) {
				continue
			}
			keeper := p.StatusWriter(c.Type)
			if p.New.Manager == keeper || keeper == "" && p.BySameWriter() || p.New.Manager == "" && !p.New.managed {
				p.Report(c.Path(""), "was %s (%s), and is gone", c.Status, c.Reason)
			}
		}
	},
}
