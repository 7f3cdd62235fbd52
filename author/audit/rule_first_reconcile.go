package audit

import (
	"slices"
	"time"

	"kstatus.dev/author/severity"
)

// A firstReconcile is the first series of writes of conditions by a manager.
type firstReconcile struct {
	manager string
	last    time.Time // the time of its last write
}

type firstReconciles struct {
	all  []firstReconcile
	seen []string // the types that were seen
}

var lateCondition = &Rule{
	ID: "W-17", Name: "late-condition", Severity: severity.Warning, Learns: true,
	Doc: `A controller writes all its conditions in its first reconcile

A client cannot wait for a condition that is missing: it may be late, or the kind may
not have it. Write all conditions in the first status, with Unknown where the result
is open. The rule requires declared conditions in the first reconcile. Without a
declaration, a condition that its writer adds later was missing. Reconciling,
Stalled, Deleting, Paused and conditions that are declared optional may come and go.`,
	OnVersion: func(p *Pass) {
		added := addedTypes(p)
		m := State[firstReconciles](p)
		known := func(t string) bool { return slices.Contains(m.seen, t) }
		if p.New.StatusWrite && p.SeenFromCreation() && len(added) > 0 || isInFirstReconcile(m, p) {
			m.handleWrite(p, slices.DeleteFunc(added, known))
		}
		for _, c := range p.New.Conditions {
			if !known(c.Type) && len(m.seen) < maxWriterCounts {
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
			if _, ok := p.New.Condition(c.Type); !ok && !c.Optional && (c.Owner == "" || c.Owner == p.New.Manager) {
				p.Report(conditionPath(c.Type, ""), "is declared, but %s did not write it in its first reconcile", managerName(p.New.Manager))
			}
		}
	},
}

// handleWrite handles a write of conditions: a part of the first reconcile of its
// manager, or a later write that adds conditions.
func (m *firstReconciles) handleWrite(p *Pass, added []string) {
	i := slices.IndexFunc(m.all, func(v firstReconcile) bool { return v.manager == p.New.Manager })
	switch {
	case i < 0 && slices.ContainsFunc(added, func(t string) bool { return t != "Paused" }):
		m.all = append(m.all, firstReconcile{p.New.Manager, p.Now})
		if p.Declaration() != nil {
			p.SetTimer(p.Options.ReconcileWindow)
		}
	case i < 0 || p.Declaration() != nil:
	case p.Now.Sub(m.all[i].last) <= p.Options.ReconcileWindow:
		m.all[i].last = p.Now
	default:
		for _, t := range added {
			if !isOptionalCondition(p, t) && t != "Paused" && p.New.Deleting.IsZero() {
				p.Report(conditionPath(t, ""), "was added %s after the first reconcile of %s", p.Now.Sub(m.all[i].last), managerName(p.New.Manager))
			}
		}
	}
}

// isInFirstReconcile reports whether the write belongs to its manager's first reconcile.
func isInFirstReconcile(m *firstReconciles, p *Pass) bool {
	return slices.ContainsFunc(m.all, func(v firstReconcile) bool {
		return v.manager == p.New.Manager && p.Now.Sub(v.last) <= p.Options.ReconcileWindow
	})
}

// addedTypes returns the types of the added conditions.
func addedTypes(p *Pass) (types []string) {
	for _, c := range p.New.Conditions {
		if p.Old != nil {
			if _, ok := p.Old.Condition(c.Type); ok {
				continue
			}
		}
		if c.Type != "" {
			types = append(types, c.Type)
		}
	}
	return types
}

// isOptionalCondition reports whether a condition may be missing.
func isOptionalCondition(p *Pass, conditionType string) bool {
	if d := p.Declaration().Condition(conditionType); d != nil {
		return d.Optional
	}
	return conditionType == "Reconciling" || conditionType == "Stalled" || conditionType == "Deleting"
}

func managerName(manager string) string {
	if manager == "" {
		return "its controller"
	}
	return manager
}

var conditionVanished = &Rule{
	ID: "W-18", Name: "condition-vanished", Severity: severity.Warning,
	Doc: `A condition does not disappear

A client cannot tell "not true" from "this kind has no such condition", and many
tools read a missing condition as a good one. Write Unknown or False instead of
removing the condition. Reconciling, Stalled, Deleting and conditions that are
declared optional may disappear. A condition of another controller is a case for
lost-update, and the removal of all conditions one for status-wiped.`,
	OnChange: func(p *Pass) {
		if p.New.Gone || len(p.New.Conditions) == 0 {
			return
		}
		for _, c := range p.Old.Conditions {
			if _, ok := p.New.Condition(c.Type); ok || c.Type == "" || isOptionalCondition(p, c.Type) {
				continue
			}
			statusWriter := p.StatusWriter(c.Type)
			if p.New.Manager == statusWriter || statusWriter == "" && p.BySameWriter() || p.New.Manager == "" && !p.New.managed {
				p.Report(c.Path(""), "was %s (%s), and was removed", c.Status, c.Reason)
			}
		}
	},
}
