package waitview

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/duration"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
)

// A Brief is the part of a request that views show: the objects, their goals and timeouts.
type Brief struct {
	Request  output.Summary
	Profile  string
	Goals    []observe.Goal                      // of all objects
	Any      bool                                // one of the goals is sufficient
	Scoped   []string                            // SEL:GOAL, of some objects
	OwnGoals func(observe.Target) []observe.Goal // the goals of an object with other goals; nil: no object has others
	Timeout  *time.Duration                      // of all objects; zero reads them once, nil never ends
	Timeouts []ScopedTimeout                     // of some objects
}

// A ScopedTimeout is the timeout of the objects that a SEL matches.
type ScopedTimeout struct {
	Sel     string
	Timeout time.Duration
}

// goalsOf returns the goals of an object.
func (b Brief) goalsOf(t observe.Target) []observe.Goal {
	if b.OwnGoals != nil {
		if own := b.OwnGoals(t); own != nil {
			return own
		}
	}
	return b.Goals
}

// GoalNames returns the goals of all objects, as on the command line.
func (b Brief) GoalNames() []string { return GoalNames(b.Goals) }

// GoalNames returns the names of goals.
func GoalNames(goals []observe.Goal) (names []string) {
	for _, g := range goals {
		names = append(names, g.Name)
	}
	return names
}

// onlyCurrent reports whether Current is the only goal.
func onlyCurrent(goals []observe.Goal) bool {
	return !slices.ContainsFunc(goals, func(g observe.Goal) bool { return g.Name != goal.Current().Name })
}

// onlyDeleted reports whether deletion is the only goal.
func onlyDeleted(goals []observe.Goal) bool {
	return len(goals) == 1 && goals[0].Name == goal.Deleted().Name
}

// once reports whether the objects are read once.
func (b Brief) once() bool { return b.Timeout != nil && *b.Timeout == 0 }

// limit returns the timeout of the whole wait, or zero without one.
func (b Brief) limit() time.Duration {
	if b.Timeout == nil {
		return 0
	}
	limit := *b.Timeout
	for _, t := range b.Timeouts {
		limit = max(limit, t.Timeout)
	}
	return limit
}

// goalText returns the goals as text.
func (b Brief) goalText() string {
	and := " and "
	if b.Any {
		and = " or "
	}
	return strings.Join(append([]string{strings.Join(b.GoalNames(), and)}, b.Scoped...), ", ")
}

// timeText returns the timeouts as text.
func (b Brief) timeText() string {
	switch {
	case b.Timeout == nil:
		return "no timeout"
	case *b.Timeout == 0:
		return "looking once"
	}
	text := "timeout " + duration.Text(*b.Timeout)
	for _, t := range b.Timeouts {
		text += ", " + t.Sel + " " + duration.Text(t.Timeout)
	}
	return text
}

// StartLine returns the first line of the stream.
func (b Brief) StartLine(at time.Time) output.Start {
	line := output.Start{
		V: output.Version, Type: "start", Time: output.FormatTime(at), Profile: b.Profile, Contexts: b.Request.Clusters,
		Goal: slices.Concat(b.GoalNames(), b.Scoped), Any: b.Any,
	}
	if b.Timeout != nil {
		line.Timeout = b.Timeout.String()
	}
	if b.Request.Objects >= 0 {
		line.Objects = new(b.Request.Objects)
	}
	for _, t := range b.Timeouts {
		if line.Timeouts == nil {
			line.Timeouts = map[string]string{}
		}
		line.Timeouts[t.Sel] = t.Timeout.String()
	}
	return line
}
