package output

import (
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/internal/directive"
	"kstatus.dev/status"
)

// A Tally counts verdicts.
type Tally struct {
	Objects   int
	Counts    map[status.Status]int
	unjudged  int // documents that are not objects, and objects with malformed fields.
	forbidden int // objects that may not be read.
	failing   int // objects with a recoverable failure.
	Unread    int // documents that could not be read as objects.
	notes     Notes
	noteTexts []string
}

// ObjectRule is the Rule of a verdict whose rule is in an annotation of the object itself.
const ObjectRule = "object rule"

// Notes collects warnings about kstatus annotations, once per kind. Some are about annotations
// without an effect.
type Notes map[string]bool

// Of returns the warnings about an object that it has not yet returned for the kind.
func (n Notes) Of(kind status.Kind, warnings []string) (fresh []string) {
	for _, w := range warnings {
		key := kind.String() + " " + w
		if directive.IsNote(w) && !n[key] {
			n[key] = true
			fresh = append(fresh, w)
		}
	}
	return fresh
}

// Notes returns the notes about annotations, one line per kind.
func (t *Tally) Notes() []string { return t.noteTexts }

// Add counts a verdict.
func (t *Tally) Add(v Verdict) {
	if t.Counts == nil {
		t.Counts = map[status.Status]int{}
	}
	t.Objects++
	t.Counts[status.Status(StatusWord(v.Status, v.IsFailing(), false))]++
	if t.notes == nil {
		t.notes = Notes{}
	}
	for _, w := range t.notes.Of(v.ID.Kind, v.Warnings) {
		t.noteTexts = append(t.noteTexts, v.ID.String()+": "+w)
	}
	if v.IsFailing() {
		t.failing++
	}
	switch {
	case v.Reason == status.ReasonForbidden:
		t.forbidden++
	case v.Error != "":
		t.unjudged++
	}
	if v.Unjudged {
		t.Unread++
	}
}

// AddCurrent counts n objects that are Current without further details.
func (t *Tally) AddCurrent(n int) {
	if n > 0 {
		if t.Counts == nil {
			t.Counts = map[status.Status]int{}
		}
		t.Objects += n
		t.Counts[status.CurrentStatus] += n
	}
}

// Code returns the exit code that a wait with a timeout of zero would have. Failing objects
// count as failed.
func (t *Tally) Code() exit.Code {
	code := exit.OK
	if t.Counts[status.FailedStatus]+t.failing > 0 {
		code = exit.Worse(code, exit.Failed)
	}
	if t.forbidden > 0 {
		code = exit.Worse(code, exit.Forbidden)
	}
	if t.unjudged > 0 {
		code = exit.Worse(code, exit.Uncertain)
	}
	if t.Objects == 0 || t.Counts[status.NotFoundStatus] > 0 {
		code = exit.Worse(code, exit.Missing)
	}
	if t.Counts[status.CurrentStatus] < t.Objects {
		code = exit.Worse(code, exit.Timeout)
	}
	return code
}

// UnreadableCode returns the exit code for named objects that cannot be read or do not exist. It
// returns [exit.OK] if all were read.
func (t *Tally) UnreadableCode() exit.Code {
	code := exit.OK
	if t.forbidden > 0 {
		code = exit.Worse(code, exit.Forbidden)
	}
	if t.unjudged > 0 {
		code = exit.Worse(code, exit.Uncertain)
	}
	if t.Counts[status.NotFoundStatus] > 0 {
		code = exit.Worse(code, exit.Missing)
	}
	return code
}

// outcome returns the word for the outcome of a snapshot, which does not wait.
func (t *Tally) outcome() string {
	if code := t.Code(); code != exit.Timeout {
		return code.Outcome()
	}
	return exit.Pending
}

// Result returns the last line.
func (t *Tally) Result(now time.Time, code exit.Code) Result {
	counts := t.Counts
	if counts == nil {
		counts = map[status.Status]int{}
	}
	return Result{
		V: Version, Type: "result", Time: FormatTime(now),
		Outcome: t.outcome(), ExitCode: code, Objects: t.Objects, Counts: counts,
	}
}
