package audit

import (
	"fmt"
	"time"

	"kstatus.dev/author/severity"
)

// A generationSince is a generation of an object, and the time when it was first
// seen.
type generationSince struct {
	number int64
	since  time.Time
}

var staleSummary = &Rule{
	ID: "W-04", Name: "stale-summary", Severity: severity.Error,
	Doc: `A status writer does not report Ready or Available True for an old spec

Between a change of the spec and the controller's next write, the status is True for
the old spec; that is unavoidable. More than Limits.GracePeriod after the change, a
write of the status must not repeat True with the old observedGeneration. Readers of
the condition alone take it for the new spec. Also, the observedGeneration of the
status and of the condition must not differ for longer than that. For a new
generation, first write the summary as Unknown, or evaluate it. Paused objects do not
count: for a change during a pause, the time begins at its end.`,
	OnVersion: func(p *Pass) {
		known := State[generationSince](p)
		if known.number != p.New.Generation {
			*known = generationSince{p.New.Generation, p.Now}
		}
		claims := staleSummaryText(p.New) != "" && p.PausedBy() == ""
		answers := p.Old != nil && p.New.StatusWrite && p.BySameWriter()
		p.AfterHolding(claims && isPartlyStale(p.New) && (answers || p.isHolding()), p.Options.GracePeriod)
		if !claims || !answers || isPartlyStale(p.New) {
			return
		}
		since, event := known.since, fmt.Sprintf("generation %d appeared", p.New.Generation)
		if end := p.PauseChanged(); end.After(since) {
			since, event = end, "the pause ended"
		}
		if p.Now.Sub(since) > p.Options.GracePeriod {
			c, _ := p.New.Summary()
			p.Report(c.Path("status"), "%s, %s after %s", staleSummaryText(p.New), p.Now.Sub(since), event)
		}
	},
	OnTimer: func(p *Pass) {
		if claim := staleSummaryText(p.New); claim != "" {
			c, _ := p.New.Summary()
			p.Report(c.Path("status"), "%s, for %s", claim, p.Options.GracePeriod)
		}
	},
}

// staleSummaryText describes how the summary is True for an old spec. It is empty
// if it is not.
func staleSummaryText(v *Version) string {
	c, ok := v.Summary()
	switch {
	case !ok || c.Status != "True" || v.HasObserved && v.Observed < 0:
	case v.HasObserved && v.Observed < v.Generation:
		return fmt.Sprintf("%s is True while status.observedGeneration is %d and the generation is %d", c.Type, v.Observed, v.Generation)
	case c.HasObserved && c.Observed < v.Generation:
		return fmt.Sprintf("%s is True with observedGeneration %d at generation %d", c.Type, c.Observed, v.Generation)
	}
	return ""
}

// isPartlyStale reports whether only one of the two observed generations is the
// present one.
func isPartlyStale(v *Version) bool {
	c, _ := v.Summary()
	return v.HasObserved && c.HasObserved && (v.Observed == v.Generation) != (c.Observed == v.Generation)
}
