package audit

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var writeWhilePaused = &Rule{
	ID: "W-20", Name: "write-while-paused", Severity: severity.Error,
	Doc: `A controller does not write to a paused object

An object is paused by spec.paused of its Cluster or by its annotation
cluster.x-k8s.io/paused. Usually it is being moved to another cluster, or repaired by
hand. A controller that continues interferes with that, and the move loses its
status. Allowed are the Paused condition, its observedGeneration, and the paths that
are declared as whilePaused. Check for the pause first in each reconcile. Work in
progress when the pause begins has Limits.GracePeriod to finish.`,
	OnChange: func(p *Pass) {
		by, since := p.PausedBy(), p.PauseChanged()
		if by == "" || p.New.Gone || p.StatusWriter("") == "" && !p.New.StatusWrite || !p.BySameWriter() || !since.IsZero() && p.Now.Sub(since) <= p.Options.GracePeriod {
			return
		}
		for _, c := range p.Changes() {
			if (strings.HasPrefix(c.Path, ".spec") || strings.HasPrefix(c.Path, ".status")) && !allowedWhilePaused(p, c.Path) {
				p.Report(c.Path, "was written by %s, though %s pauses the object%s", managerName(p.New.Manager), by, pauseText(p, since))
			}
		}
	},
}

func pauseText(p *Pass, since time.Time) string {
	if since.IsZero() {
		return ""
	}
	return " since " + rounded(p.Now.Sub(since)).String()
}

func allowedWhilePaused(p *Pass, path string) bool {
	d := p.Declaration()
	return path == ".status.observedGeneration" || strings.HasPrefix(path, conditionPath("Paused", "")) ||
		d != nil && slices.ContainsFunc(d.WhilePaused, func(pattern string) bool { return matchesPattern(pattern, path) })
}

var pauseUnanswered = &Rule{
	ID: "W-21", Name: "pause-unanswered", Severity: severity.Warning,
	Doc: `A controller acknowledges a pause

A user who pauses an object must know when its controller has stopped. The controller
sets the Paused condition to True within Limits.ResponseTime, with the generation at
which it saw the pause. For a kind that never had a Paused condition the finding has
severity info. An object with the annotation block-move reports that work is still in
progress, so the rule waits until the annotation is removed.`,
	OnPause: func(p *Pass) {
		p.StopTimer()
		if p.PausedBy() != "" {
			if *State[int64](p) = p.New.Generation; p.PauseChanged().IsZero() {
				*State[int64](p) = 0 // any generation may have been paused
			}
			p.SetTimer(p.Options.ResponseTime)
		}
	},
	OnTimer: func(p *Pass) {
		generation := *State[int64](p)
		c, ok := p.New.Condition("Paused")
		_, blocksMove := decoded.Map(p.New.Object, "metadata", "annotations")["clusterctl.cluster.x-k8s.io/block-move"]
		switch {
		case blocksMove:
			p.SetTimer(p.Options.ResponseTime)
		case !ok && p.StatusWriter("") == "": // the object has no known controller
		case !ok && p.Declaration().Condition("Paused") == nil:
			p.ReportInfo(conditionPath("Paused", "status"), "the condition is missing, though %s pauses the object since %s", p.PausedBy(), p.Options.ResponseTime)
		case c.Status != "True":
			p.Report(conditionPath("Paused", "status"), "is %q, though %s pauses the object since %s", c.Status, p.PausedBy(), p.Options.ResponseTime)
		case c.HasObserved && c.Observed < generation:
			p.Report(conditionPath("Paused", "observedGeneration"), "is %d, though %s pauses the object at generation %d", c.Observed, p.PausedBy(), generation)
		}
	},
}

var resumeUnanswered = &Rule{
	ID: "W-22", Name: "resume-unanswered", Severity: severity.Warning,
	Doc: `A controller resumes its work when a pause ends

A user who ends a pause expects the controller to resume. Within Limits.ResponseTime
it sets the Paused condition to False, and observes a spec that has changed. A
controller that does not watch the Cluster misses the end of a pause until another
event triggers it.`,
	OnPause: func(p *Pass) {
		p.StopTimer()
		if p.PausedBy() == "" {
			p.SetTimer(p.Options.ResponseTime)
		}
	},
	OnTimer: func(p *Pass) {
		if c, ok := p.New.Condition("Paused"); ok {
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
