package audit

import (
	"slices"
	"time"

	"kstatus.dev/author/severity"
)

var reasonChurn = &Rule{
	ID: "W-30", Name: "reason-churn", Severity: severity.Warning,
	Doc: `The reason of a condition does not alternate while its status stays

Alerts and waits match reasons. Two alternating reasons usually come from two code
paths that each report only their own problem. Decide which problem has priority, and
report it until it is solved. Reasons that advance, like the steps of a process, are
allowed. A violation is a return to an earlier reason at the same status and
generation, Limits.MinRepeats times within Limits.FlapWindow.`,
	OnChange: func(p *Pass) {
		for _, c := range p.New.Conditions {
			was, ok := p.Old.Condition(c.Type)
			switch {
			case !ok:
			case was.Status != c.Status || p.Old.Generation != p.New.Generation:
				if m := existingState[map[string]*reasons](p); m != nil {
					delete(*m, c.Type)
				}
			case was.Reason != c.Reason:
				countReason(p, was, c)
			}
		}
	},
}

// reasons holds the reasons of a condition at one status, and the times of its
// returns to one of them.
type reasons struct {
	seen    []string
	returns []time.Time
}

// maxReasons bounds the number of reasons that are kept.
const maxReasons = 8

func countReason(p *Pass, was, is Condition) {
	m := State[map[string]*reasons](p)
	if *m == nil {
		*m = map[string]*reasons{}
	}
	r := (*m)[is.Type]
	if r == nil {
		if len(*m) >= maxWriterCounts {
			return
		}
		r = &reasons{}
		(*m)[is.Type] = r
	}
	if !slices.Contains(r.seen, was.Reason) && len(r.seen) < maxReasons {
		r.seen = append(r.seen, was.Reason)
	}
	if !slices.Contains(r.seen, is.Reason) {
		return
	}
	r.returns = slices.DeleteFunc(r.returns, func(t time.Time) bool { return p.Now.Sub(t) > p.Options.FlapWindow })
	if r.returns = append(r.returns, p.Now); len(r.returns) >= p.Options.MinRepeats {
		p.Report(is.Path("reason"), "went from %s back to %s, the %dth return to an earlier reason at status %s within %s",
			was.Reason, is.Reason, len(r.returns), is.Status, p.Options.FlapWindow)
		r.returns = slices.Delete(r.returns, 0, len(r.returns)-p.Options.MinRepeats)
	}
}
