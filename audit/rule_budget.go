package audit

import (
	"time"

	safetext "kstatus.dev/internal/text"
	"kstatus.dev/severity"
)

var budgetExceeded = &Rule{
	ID: "W-51", Name: "budget", Severity: severity.Error,
	Doc: `An object costs no more than its budget

How long a controller takes for its first word and for its work, how often it writes
until it is done and how often while nothing happens, are told as metrics; a budget
for them makes a change that costs more fail in continuous integration. There is
none unless one is given, such as writes-per-idle-hour=2. A measure is
time-to-first-status, time-to-ready, writes-per-convergence (from the coming of a
generation until it is done) or writes-per-idle-hour (less than an hour counts as
one). Only what was seen from its beginning is held to the first three.`,
	OnVersion: func(p *Pass) {
		if len(p.Options.Budgets) > 0 {
			judgeBudgets(p)
		}
	},
	OnTimer: judgeBudgets,
}

// judgeBudgets reports what is exceeded, each once in an object's life or, of
// writes, for each that is too many.
func judgeBudgets(p *Pass) {
	g := &p.history.gauge
	next := time.Duration(0)
	for _, m := range measures {
		most, limited := p.Options.Budgets[m]
		if !limited {
			continue
		}
		switch m {
		case MeasureTimeToFirstStatus:
			next = soonest(next, judgeTime(p, m, g.first, g.spoke))
		case MeasureTimeToReady:
			next = soonest(next, judgeTime(p, m, g.ready, g.was))
		case MeasureWritesPerConvergence:
			if n := float64(g.writes); n > most && p.Old != nil && p.keeps() && g.counting(p.Now) {
				p.Report(string(m), "%s at generation %d, at most %g are allowed", safetext.Count(g.writes, "write"), p.New.Generation, most)
			}
		case MeasureWritesPerIdleHour:
			if rate := g.idleRate(p.Now); rate > most && p.Old != nil && p.keeps() && !g.idleSince.IsZero() {
				p.Report(string(m), "%s while it was idle for %s, at most %g an hour are allowed", safetext.Count(g.idleWrites, "write"), g.idleTime(p.Now), most)
			}
		}
	}
	if p.StopTimer(); next > 0 {
		p.SetTimer(next)
	}
}

// judgeTime holds one time to its budget, and returns after how long to look
// again; zero for never.
func judgeTime(p *Pass, m Measure, took time.Duration, known bool) time.Duration {
	g, most := &p.history.gauge, seconds(p.Options.Budgets[m])
	told := State[map[Measure]bool](p)
	if g.created.IsZero() || (*told)[m] {
		return 0
	}
	so := p.Now.Sub(g.created)
	switch {
	case known && took > most:
		p.Report(string(m), "took %s, at most %s is allowed", took, most)
	case known:
	case so < most:
		return most - so
	case so == most: // in time is what comes with it
		return time.Nanosecond
	case !p.auditor.speaks(p.New):
		return 0
	default:
		p.Report(string(m), "not after %s, at most %s is allowed", most, most)
	}
	if *told == nil {
		*told = map[Measure]bool{}
	}
	(*told)[m] = true
	return 0
}

// speaks reports whether a status can be expected: the object has one, or another
// of its kind has been given one.
func (a *Auditor) speaks(v *Version) bool {
	of := a.gauges[kindOf{v.ID.Group, v.ID.Kind}]
	return says(v) || of != nil && of.first.n > 0
}

// counting reports whether the last write counted towards a convergence.
func (g *gauge) counting(now time.Time) bool { return g.open || g.idleSince.Equal(now) }

func soonest(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
