package main

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/report"
)

// A brief is what views show of a request: the objects, their goals and timeouts.
type brief struct {
	request  summary
	profile  string
	goals    []observe.Goal                      // of all objects
	any      bool                                // one of them is enough
	scoped   []string                            // SEL:GOAL, of some objects
	ownGoals func(observe.Target) []observe.Goal // the goals of an object that has other ones; nil: of none
	timeout  *time.Duration                      // of all objects; zero looks once, nil goes on until it is interrupted
	timeouts []scopedTimeout                     // of some objects
}

// A scopedTimeout is the timeout of the objects that a SEL matches.
type scopedTimeout struct {
	sel     string
	timeout time.Duration
}

// goalsOf returns the goals of an object.
func (b brief) goalsOf(t observe.Target) []observe.Goal {
	if b.ownGoals != nil {
		if own := b.ownGoals(t); own != nil {
			return own
		}
	}
	return b.goals
}

// goalNames returns the goals of all objects as the command line spells them.
func (b brief) goalNames() []string { return namesOfGoals(b.goals) }

func namesOfGoals(goals []observe.Goal) (names []string) {
	for _, g := range goals {
		names = append(names, g.Name)
	}
	return names
}

// onlyCurrent reports whether no goal is another than to be Current.
func onlyCurrent(goals []observe.Goal) bool {
	return !slices.ContainsFunc(goals, func(g observe.Goal) bool { return g.Kind != observe.GoalCurrent })
}

// once reports whether the objects are looked at once.
func (b brief) once() bool { return b.timeout != nil && *b.timeout == 0 }

// limit returns how long the whole may take; zero: without end.
func (b brief) limit() time.Duration {
	if b.timeout == nil {
		return 0
	}
	limit := *b.timeout
	for _, t := range b.timeouts {
		limit = max(limit, t.timeout)
	}
	return limit
}

// goalText names the goals for people.
func (b brief) goalText() string {
	and := " and "
	if b.any {
		and = " or "
	}
	return strings.Join(append([]string{strings.Join(b.goalNames(), and)}, b.scoped...), ", ")
}

// timeText names the timeouts for people.
func (b brief) timeText() string {
	switch {
	case b.timeout == nil:
		return "no timeout"
	case *b.timeout == 0:
		return "looking once"
	}
	text := "timeout " + report.Lasting(*b.timeout)
	for _, t := range b.timeouts {
		text += ", " + t.sel + " " + report.Lasting(t.timeout)
	}
	return text
}

// startLine returns the line that opens the stream.
func (b brief) startLine(at time.Time) startLine {
	line := startLine{
		V: linesVersion, Type: "start", Time: rfc3339(at), Profile: b.profile, Contexts: b.request.clusters,
		Goal: slices.Concat(b.goalNames(), b.scoped), Any: b.any,
	}
	if b.timeout != nil {
		line.Timeout = b.timeout.String()
	}
	if b.request.objects >= 0 {
		line.Objects = new(b.request.objects)
	}
	for _, t := range b.timeouts {
		if line.Timeouts == nil {
			line.Timeouts = map[string]string{}
		}
		line.Timeouts[t.sel] = t.timeout.String()
	}
	return line
}
