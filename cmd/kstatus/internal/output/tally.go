package output

import (
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/status"
)

// A Tally counts verdicts.
type Tally struct {
	Objects   int
	Counts    map[status.Status]int
	unjudged  int // of them: those that are no object, or whose fields are malformed
	forbidden int // of them: those that may not be read
	Unread    int // what could not be read as an object at all
}

// Add counts a verdict.
func (t *Tally) Add(v Verdict) {
	if t.Counts == nil {
		t.Counts = map[status.Status]int{}
	}
	t.Objects++
	t.Counts[v.Status]++
	switch {
	case v.Reason == "Forbidden":
		t.forbidden++
	case v.Error != "":
		t.unjudged++
	}
	if v.Unjudged {
		t.Unread++
	}
}

// Code returns the exit code of a wait with a timeout of zero for the same objects.
func (t *Tally) Code() exit.Code {
	code := exit.OK
	if t.Counts[status.FailedStatus] > 0 {
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

// Result returns the closing line.
func (t *Tally) Result(now time.Time, code exit.Code) Result {
	counts := t.Counts
	if counts == nil {
		counts = map[status.Status]int{}
	}
	return Result{
		V: Version, Type: "result", Time: FormatTime(now),
		Outcome: t.Code().Outcome(), ExitCode: code, Objects: t.Objects, Counts: counts,
	}
}
