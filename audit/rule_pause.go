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
	OnChange: func(l *Pass) {
		by, since := l.PausedBy(), l.PauseChanged()
		if by == "" || l.New.Gone || l.StatusWriter("") == "" && !l.New.StatusWrite || !l.BySameWriter() || !since.IsZero() && l.Now.Sub(since) <= l.Options.GracePeriod {
			return
		}
		for _, c := range l.Changes() {
			if (strings.HasPrefix(c.Path, ".spec") || strings.HasPrefix(c.Path, ".status")) && !allowedWhilePaused(l, c.Path) {
				l.Report(c.Path, "was written by %s, though %s asks for a pause%s", who(l.New.Manager), by, forHow(l, since))
			}
		}
	},
}

func forHow(l *Pass, since time.Time) string {
	if since.IsZero() {
		return ""
	}
	return " since " + rounded(l.Now.Sub(since)).String()
}

func allowedWhilePaused(l *Pass, path string) bool {
	d := l.Declaration()
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
	OnPause: func(l *Pass) {
		l.StopTimer()
		if l.PausedBy() != "" {
			if *State[int64](l) = l.New.Generation; l.PauseChanged().IsZero() {
				*State[int64](l) = 0 // it may have been paused at any
			}
			l.SetTimer(l.Options.ResponseTime)
		}
	},
	OnTimer: func(l *Pass) {
		generation := *State[int64](l)
		c, there := l.New.Condition("Paused")
		switch {
		case !there && l.StatusWriter("") == "": // no controller was seen
		case !there && l.Declaration().Condition("Paused") == nil:
			l.ReportInfo(conditionPath("Paused", "status"), "there is no such condition, though %s asks for a pause since %s", l.PausedBy(), l.Options.ResponseTime)
		case c.Status != "True":
			l.Report(conditionPath("Paused", "status"), "is %q, though %s asks for a pause since %s", c.Status, l.PausedBy(), l.Options.ResponseTime)
		case c.HasObserved && c.Observed < generation:
			l.Report(conditionPath("Paused", "observedGeneration"), "is %d, though %s asks for a pause of generation %d", c.Observed, l.PausedBy(), generation)
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
	OnPause: func(l *Pass) {
		l.StopTimer()
		if l.PausedBy() == "" {
			l.SetTimer(l.Options.ResponseTime)
		}
	},
	OnTimer: func(l *Pass) {
		if c, there := l.New.Condition("Paused"); there {
			if c.Status == "True" {
				l.Report(c.Path("status"), "is still True, %s after the pause ended", l.Options.ResponseTime)
			}
			return
		}
		if l.New.HasObserved && l.New.Observed < l.New.Generation && !l.New.Time.After(l.PauseChanged()) {
			l.Report(".status.observedGeneration", "is %d of generation %d, and nothing was written for %s after the pause ended", l.New.Observed, l.New.Generation, l.Options.ResponseTime)
		}
	},
}
