package audit

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/severity"
)

var writeWhilePaused = &Rule{
	ID: "W-20", Name: "write-while-paused", Severity: severity.Error,
	Doc: `A controller leaves a paused object alone

An object is paused by spec.paused of its Cluster or by its annotation
cluster.x-k8s.io/paused, mostly since it is being moved to another cluster or
repaired by hand; a controller that goes on works against that, and writes a
status that the move then loses. Only the Paused condition may be written, and the
observedGeneration that goes with it, and what is declared to go on. Look for the
pause before anything else.
What was under way when the pause came has Limits.GracePeriod to end.`,
	OnChange: func(p *Pass) {
		by, since := p.PausedBy(), p.PauseChanged()
		if by == "" || p.New.Gone || p.StatusWriter("") == "" && !p.New.StatusWrite || !p.BySameWriter() || !since.IsZero() && p.Now.Sub(since) <= p.Options.GracePeriod {
			return
		}
		for _, c := range p.Changes() {
			if (strings.HasPrefix(c.Path, ".spec") || strings.HasPrefix(c.Path, ".status")) && !allowedWhilePaused(p, c.Path) {
				p.Report(c.Path, "was written by %s, though %s asks for a pause%s", who(p.New.Manager), by, forHow(p, since))
			}
		}
	},
}

func forHow(p *Pass, since time.Time) string {
	if since.IsZero() {
		return ""
	}
	return " since " + rounded(p.Now.Sub(since)).String()
}

func allowedWhilePaused(p *Pass, path string) bool {
	d := p.Declaration()
	return path == ".status.observedGeneration" || strings.HasPrefix(path, conditionPath("Paused", "")) ||
		d != nil && slices.ContainsFunc(d.WhilePaused, func(pattern string) bool { return fits(pattern, path) })
}

var pauseUnanswered = &Rule{
	ID: "W-21", Name: "pause-unanswered", Severity: severity.Warning,
	Doc: `A controller says that it has seen a pause

Who pauses an object must know when its controller has let go of it. The Paused
condition says so: True, with the generation at which the pause was seen, within
Limits.ResponseTime. Of a kind that never had a Paused condition it is told as
information.`,
	OnPause: func(p *Pass) {
		p.StopTimer()
		if p.PausedBy() != "" {
			if *State[int64](p) = p.New.Generation; p.PauseChanged().IsZero() {
				*State[int64](p) = 0 // it may have been paused at any
			}
			p.SetTimer(p.Options.ResponseTime)
		}
	},
	OnTimer: func(p *Pass) {
		generation := *State[int64](p)
		c, there := p.New.Condition("Paused")
		switch {
		case !there && p.StatusWriter("") == "": // no controller was seen
		case !there && p.Declaration().Condition("Paused") == nil:
			p.ReportInfo(conditionPath("Paused", "status"), "there is no such condition, though %s asks for a pause since %s", p.PausedBy(), p.Options.ResponseTime)
		case c.Status != "True":
			p.Report(conditionPath("Paused", "status"), "is %q, though %s asks for a pause since %s", c.Status, p.PausedBy(), p.Options.ResponseTime)
		case c.HasObserved && c.Observed < generation:
			p.Report(conditionPath("Paused", "observedGeneration"), "is %d, though %s asks for a pause of generation %d", c.Observed, p.PausedBy(), generation)
		}
	},
}

var resumeUnanswered = &Rule{
	ID: "W-22", Name: "resume-unanswered", Severity: severity.Warning,
	Doc: `A controller goes back to work when a pause ends

Whoever ended the pause waits for the object to be looked after again. Within
Limits.ResponseTime the Paused condition is False, and a spec that changed meanwhile is
observed. A controller that does not watch the Cluster misses the end of a pause
until something else wakes it.`,
	OnPause: func(p *Pass) {
		p.StopTimer()
		if p.PausedBy() == "" {
			p.SetTimer(p.Options.ResponseTime)
		}
	},
	OnTimer: func(p *Pass) {
		if c, there := p.New.Condition("Paused"); there {
			if c.Status == "True" {
				p.Report(c.Path("status"), "is still True, %s after the pause ended", p.Options.ResponseTime)
			}
			return
		}
		if p.New.HasObserved && p.New.Observed < p.New.Generation && !p.New.Time.After(p.PauseChanged()) {
			p.Report(".status.observedGeneration", "is %d of generation %d, and nothing was written for %s after the pause ended", p.New.Observed, p.New.Generation, p.Options.ResponseTime)
		}
	},
}
