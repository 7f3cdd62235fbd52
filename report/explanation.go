package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The limits of an explanation.
const (
	maxLines = 100 // of a log
	maxLine  = 1024
)

// AddExplanation records why objects do not meet their goals.
func (r *Run) AddExplanation(e *explain.Explanation) {
	r.Causes, r.Gaps = []explain.Cause{}, []explain.Gap{}
	for _, c := range e.Causes {
		c.Text = cut(c.Text, maxMessage)
		c.Chain = slices.Clone(c.Chain)
		for i := range c.Chain {
			c.Chain[i].Text = cut(c.Chain[i].Text, maxMessage)
		}
		c.Evidence = slices.Clone(c.Evidence)
		for i := range c.Evidence {
			fact := &c.Evidence[i]
			fact.Value, fact.Lines = cut(fact.Value, maxMessage), shortenLines(fact.Lines)
		}
		c.Changed, c.Next = shortenLines(c.Changed), shortenLines(c.Next)
		r.Causes = append(r.Causes, c)
	}
	r.causesByObject = map[status.ID][]int{}
	for i, c := range r.Causes {
		for _, id := range c.First {
			r.causesByObject[id] = []int{i}
		}
	}
	for i, c := range r.Causes {
		for _, id := range c.Blocks {
			if !slices.Contains(r.causesByObject[id], i) {
				r.causesByObject[id] = append(r.causesByObject[id], i)
			}
		}
	}
	for _, g := range e.Gaps {
		r.Gaps = append(r.Gaps, explain.Gap{Subject: cut(g.Subject, maxLine), Reason: cut(g.Reason, maxLine)})
	}
}

// shortenLines returns the last lines, each of them shortened.
func shortenLines(lines []string) (all []string) {
	for _, line := range lines[max(0, len(lines)-maxLines):] {
		all = append(all, cut(line, maxLine))
	}
	return all
}

// explanationText returns why an object does not meet its goals, line by line. It returns the
// causes with their evidence, otherwise the fields that decided the verdict.
func (r *Run) explanationText(o *Object) string {
	part := explain.Explanation{Subjects: []explain.Subject{r.subjectOf(o)}}
	for i, c := range r.causesOf(o) {
		part.Subjects[0].Causes = append(part.Subjects[0].Causes, i)
		others := slices.DeleteFunc(slices.Clone(c.Blocks), func(id status.ID) bool { return id == o.ID })
		c.Blocks = append([]status.ID{o.ID}, others...)
		part.Causes = append(part.Causes, c)
	}
	if len(part.Causes) > 0 {
		part.Gaps = r.Gaps
		return lines(part.Text(r.Result.Time))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s\n", text.Safe(o.String()), o.word(), o.text())
	for _, e := range o.Evidence {
		value := "(none)"
		if e.Value != nil {
			value = text.Safe(fmt.Sprint(e.Value))
		}
		fmt.Fprintf(&b, "  %s = %s\n", text.Safe(e.Path), value)
	}
	return b.String()
}

// reasonText returns why an object does not meet its goals, in one line: its first cause and the text of
// its verdict.
func (r *Run) reasonText(o *Object) string {
	verdict := o.text()
	causes := r.causesOf(o)
	if len(causes) == 0 || !causes[0].Certain {
		return verdict
	}
	switch why := text.Safe(causes[0].Text); {
	case strings.Contains(verdict, why):
		return verdict
	case strings.Contains(why, verdict):
		return why
	default:
		return why + "; " + verdict
	}
}

// isUndecided reports whether the result of an object that does not meet its goals is unknown,
// since the wait ended early for another reason.
func (r *Run) isUndecided(o *Object) bool {
	timedOut := r.Result.TimedOut || r.Result.Outcome == "timeout"
	switch o.Progress {
	case observe.ProgressPending, observe.ProgressFailing:
		return !timedOut
	case observe.ProgressMissing:
		return !timedOut && r.Result.Outcome != "missing"
	}
	return false
}

// hasFailed reports whether an object counts as failed: it failed, or was failing at the
// timeout.
func (r *Run) hasFailed(o *Object) bool {
	return o.Progress == observe.ProgressFailed ||
		o.Progress == observe.ProgressFailing && r.Result.TimedOut && o.StaleSince.IsZero()
}

// subjectOf returns the verdict on an object in the form of an explanation.
func (r *Run) subjectOf(o *Object) explain.Subject {
	a := explain.Subject{ID: o.ID, Status: o.Status, Failing: o.word() == "Failing", Reason: o.Reason, Message: o.Message}
	for _, c := range slices.Backward(o.Changes) {
		if c.word() != o.word() {
			break
		}
		a.Since = c.Time
	}
	return a
}

// causesOf returns the causes that block an object.
func (r *Run) causesOf(o *Object) (all []explain.Cause) {
	for _, i := range r.causesByObject[o.ID] {
		all = append(all, r.Causes[i])
	}
	return all
}

// firstCause describes the first cause that blocks an object, empty if none is known.
func (r *Run) firstCause(o *Object) string {
	if all := r.causesOf(o); len(all) > 0 {
		return causeText(all[0])
	}
	return ""
}

// causeText describes a cause and how many objects have it: "60 Pods: secret shop/db not found".
func causeText(c explain.Cause) string {
	if c.Count > 1 && len(c.Objects) > 0 {
		return text.Safe(text.Count(c.Count, c.Objects[0].Kind.Kind) + ": " + c.Text)
	}
	return text.Safe(c.Text)
}

// factText describes one fact that supports a cause, without the lines of a log.
func factText(c explain.Cause, e explain.Evidence) string {
	fact := ""
	if len(c.Chain) == 0 || e.Object != c.Chain[len(c.Chain)-1].ID {
		fact = e.Object.String() + " "
	}
	switch {
	case e.From == explain.OriginLog:
		fact = e.Object.Name + "/" + e.Log
	case e.Path != "":
		fact += e.Path + " = " + e.Value
	default:
		fact += e.Value
	}
	return text.Safe(fact)
}

// linkText describes one step of a chain, with its container.
func linkText(l explain.Step) string {
	what := cmp.Or(l.Text, string(l.Status))
	if l.Container != "" && !strings.Contains(what, l.Container) {
		what = "container " + l.Container + ": " + what
	}
	return text.Safe(what)
}

// goal returns the goals of the wait.
func (r *Run) goal() string {
	if r.Start.Any {
		return strings.Join(r.Start.Goal, " or ")
	}
	return strings.Join(r.Start.Goal, ", ")
}

// timeout returns the timeout of the wait as the log prints it; empty if it has none.
func (r *Run) timeout() string {
	if d, err := time.ParseDuration(r.Start.Timeout); err == nil {
		return duration.Text(d)
	}
	return r.Start.Timeout
}

// contexts returns the contexts of the wait.
func (r *Run) contexts() string { return strings.Join(r.Start.Contexts, " and ") }

// String returns the source in the form file:line.
func (s Source) String() string {
	name := s.File
	if name == "-" {
		name = "standard input"
	}
	if s.Line == 0 {
		return name
	}
	return name + ":" + strconv.Itoa(s.Line)
}

// lines makes each line of a text safe.
func lines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(text.Safe(strings.TrimSuffix(line, "\n")))
		b.WriteByte('\n')
	}
	return b.String()
}
