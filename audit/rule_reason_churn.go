package audit

import (
	"slices"
	"time"

	"kstatus.dev/severity"
)

var reasonChurn = &Rule{
	ID: "W-30", Name: "reason-churn", Severity: severity.Warning,
	Doc: `The reason of a condition does not go back and forth while its status stays

Reasons are for programs: alerts and waits key on them. Two that take turns
mostly come from two code paths that each say only what they stumbled over. Decide
which obstacle is told first, and keep to it while it is there. Reasons that go
forward, as steps of progress do, are let pass: only a return to one that was
there before at the same status and generation counts, Limits.MinRepeats times within
Limits.FlapWindow.`,
	OnChange: func(p *Pass) {
		for _, c := range p.New.Conditions {
			was, there := p.Old.Condition(c.Type)
			switch {
			case !there:
			case was.Status != c.Status || p.Old.Generation != p.New.Generation:
				if m := remembered[map[string]*reasons](p); m != nil {
					delete(*m, c.Type)
				}
			case was.Reason != c.Reason:
				turnReason(p, was, c)
			}
		}
	},
}

// reasons are those that a condition had at one status, and when it returned to one.
type reasons struct {
	had     []string
	returns []time.Time
}

// mostReasons bounds what is kept of a controller that invents ever new reasons.
const mostReasons = 8

func turnReason(p *Pass, was, is Condition) {
	m := State[map[string]*reasons](p)
	if *m == nil {
		*m = map[string]*reasons{}
	}
	r := (*m)[is.Type]
	if r == nil {
		if len(*m) >= mostWriterCounts {
			return
		}
		r = &reasons{}
		(*m)[is.Type] = r
	}
	if !slices.Contains(r.had, was.Reason) && len(r.had) < mostReasons {
		r.had = append(r.had, was.Reason)
	}
	if !slices.Contains(r.had, is.Reason) {
		return
	}
	r.returns = slices.DeleteFunc(r.returns, func(t time.Time) bool { return p.Now.Sub(t) > p.Options.FlapWindow })
	if r.returns = append(r.returns, p.Now); len(r.returns) >= p.Options.MinRepeats {
		p.Report(is.Path("reason"), "went from %s back to %s, the %dth return to an earlier reason at status %s within %s",
			was.Reason, is.Reason, len(r.returns), is.Status, p.Options.FlapWindow)
		r.returns = slices.Delete(r.returns, 0, len(r.returns)-p.Options.MinRepeats)
	}
}
