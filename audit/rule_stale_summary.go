package audit

import (
	"fmt"
	"time"

	"kstatus.dev/severity"
)

// A generation is one of an object, and since when it is known.
type generation struct {
	number int64
	since  time.Time
}

var staleSummary = &Rule{
	ID: "W-04", Name: "stale-summary", Severity: severity.Error,
	Doc: `Nobody who writes the status claims Ready or Available True for an old spec

Between a change of the spec and the controller's answer the status says True for
the old spec; that cannot be helped. But once the controller writes the status
again, more than Limits.GracePeriod after the change, it must not repeat the claim with
the old observedGeneration: readers that look at the condition alone take it for
the new spec. Nor may only one of the two numbers, that of the status and that of
the condition, stay behind for longer. Write the summary as Unknown, or evaluate
it, before anything else is written for a new generation. What is written of a
paused object is let pass.`,
	OnVersion: func(p *Pass) {
		known := State[generation](p)
		if known.number != p.New.Generation {
			*known = generation{p.New.Generation, p.Now}
		}
		claims := claimsOldSpec(p.New) != "" && p.PausedBy() == ""
		answers := p.Old != nil && p.New.StatusWrite && p.BySameWriter()
		p.AfterHolding(claims && halfOld(p.New) && (answers || p.holding()), p.Options.GracePeriod)
		if !claims || !answers || halfOld(p.New) {
			return
		}
		if p.Now.Sub(known.since) > p.Options.GracePeriod {
			c, _ := p.New.Summary()
			p.Report(c.Path("status"), "%s, %s after generation %d came", claimsOldSpec(p.New), p.Now.Sub(known.since), p.New.Generation)
		}
	},
	OnTimer: func(p *Pass) {
		if claim := claimsOldSpec(p.New); claim != "" {
			c, _ := p.New.Summary()
			p.Report(c.Path("status"), "%s, and stayed so for %s", claim, p.Options.GracePeriod)
		}
	},
}

// claimsOldSpec tells in which way the summary is True for an old spec; empty: it is not.
func claimsOldSpec(v *Version) string {
	c, there := v.Summary()
	switch {
	case !there || c.Status != "True" || v.HasObserved && v.Observed < 0:
	case v.HasObserved && v.Observed < v.Generation:
		return fmt.Sprintf("%s is True with the status observed at %d of generation %d", c.Type, v.Observed, v.Generation)
	case c.HasObserved && c.Observed < v.Generation:
		return fmt.Sprintf("%s is True with an observedGeneration of %d at generation %d", c.Type, c.Observed, v.Generation)
	}
	return ""
}

// halfOld reports whether one of the two numbers speaks for the present spec.
func halfOld(v *Version) bool {
	c, _ := v.Summary()
	return v.HasObserved && c.HasObserved && (v.Observed == v.Generation) != (c.Observed == v.Generation)
}
