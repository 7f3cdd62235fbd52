package audit

import (
	"time"

	"kstatus.dev/author/severity"
	safetext "kstatus.dev/internal/text"
)

var budgetExceeded = &Rule{
	ID: "W-51", Name: "budget", Severity: severity.Error,
	Doc: `An object costs no more than its budget

The audit measures how long a controller takes until its first status and until the
object is ready, and how often it writes. A budget for a measure makes a change that
costs more fail in continuous integration. No measure has a budget by default; an
example is writes-per-idle-hour=2. The measures are time-to-first-status,
time-to-ready, writes-per-convergence (from the start of a generation until it is
ready) and writes-per-idle-hour (less than an hour counts as one). The first three
apply only to what the audit has seen from its beginning.`,
	OnVersion: func(p *Pass) {
		if len(p.Options.Budgets) > 0 {
			checkBudgets(p)
		}
	},
	OnTimer: checkBudgets,
}

// checkBudgets reports exceeded budgets: a time once per object, writes once
// for each one above the limit.
func checkBudgets(p *Pass) {
	g := &p.history.gauge
	next := time.Duration(0)
	for _, m := range measures {
		most, limited := p.Options.Budgets[m]
		if !limited {
			continue
		}
		switch m {
		case MeasureTimeToFirstStatus:
			next = soonest(next, checkTime(p, m, g.first, g.hasFirst))
		case MeasureTimeToReady:
			next = soonest(next, checkTime(p, m, g.ready, g.hasReady))
		case MeasureWritesPerConvergence:
			if n := float64(g.writes); n > most && p.Old != nil && p.isByStatusWriter() && g.isConverging(p.Now) {
				p.Report(string(m), "%s at generation %d; the budget is %g", safetext.Count(g.writes, "write"), p.New.Generation, most)
			}
		case MeasureWritesPerIdleHour:
			if rate := g.idleRate(p.Now); rate > most && p.Old != nil && p.isByStatusWriter() && !g.idleSince.IsZero() {
				p.Report(string(m), "%s while idle for %s; the budget is %g an hour", safetext.Count(g.idleWrites, "write"), g.idleTime(p.Now), most)
			}
		}
	}
	if p.StopTimer(); next > 0 {
		p.SetTimer(next)
	}
}

// checkTime compares a time with its budget. It returns the delay until the
// next comparison, or zero.
func checkTime(p *Pass, m Measure, took time.Duration, known bool) time.Duration {
	g, most := &p.history.gauge, seconds(p.Options.Budgets[m])
	reported := State[map[Measure]bool](p)
	if g.created.IsZero() || (*reported)[m] {
		return 0
	}
	so := p.Now.Sub(g.created)
	switch {
	case known && took > most:
		p.Report(string(m), "took %s; the budget is %s", took, most)
	case known:
	case so < most:
		return most - so
	case so == most: // a write at the very limit is in time
		return time.Nanosecond
	case !p.auditor.expectsStatus(p.New):
		return 0
	default:
		p.Report(string(m), "not reached after %s; the budget is %s", most, most)
	}
	if *reported == nil {
		*reported = map[Measure]bool{}
	}
	(*reported)[m] = true
	return 0
}

// expectsStatus reports whether to expect a status: the object has one, or another
// object of its kind has been given one.
func (a *Auditor) expectsStatus(v *Version) bool {
	of := a.gauges[v.ID.Kind]
	return hasStatusReport(v) || of != nil && of.first.n > 0
}

// isConverging reports whether the last write counted for a convergence.
func (g *gauge) isConverging(now time.Time) bool { return g.converging || g.idleSince.Equal(now) }

func soonest(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
