package main

import (
	"time"

	"kstatus.dev/status"
)

// A tally counts verdicts.
type tally struct {
	objects   int
	counts    map[status.Status]int
	unjudged  int // of them: those that are no object, or whose fields are malformed
	forbidden int // of them: those that may not be read
	unread    int // what could not be read as an object at all
}

func (t *tally) add(v verdict) {
	if t.counts == nil {
		t.counts = map[status.Status]int{}
	}
	t.objects++
	t.counts[v.Status]++
	switch {
	case v.Reason == "Forbidden":
		t.forbidden++
	case v.Error != "":
		t.unjudged++
	}
	if v.unjudged {
		t.unread++
	}
}

// code returns what a wait for Current that may not last would exit with.
func (t *tally) code() exitCode {
	code := exitOK
	if t.counts[status.FailedStatus] > 0 {
		code = worse(code, exitFailed)
	}
	if t.forbidden > 0 {
		code = worse(code, exitForbidden)
	}
	if t.unjudged > 0 {
		code = worse(code, exitUncertain)
	}
	if t.objects == 0 || t.counts[status.NotFoundStatus] > 0 {
		code = worse(code, exitMissing)
	}
	if t.counts[status.CurrentStatus] < t.objects {
		code = worse(code, exitTimeout)
	}
	return code
}

// result returns the closing line.
func (t *tally) result(now time.Time, code exitCode) resultLine {
	counts := t.counts
	if counts == nil {
		counts = map[status.Status]int{}
	}
	return resultLine{
		V: linesVersion, Type: "result", Time: rfc3339(now),
		Outcome: t.code().outcome(), ExitCode: code, Objects: t.objects, Counts: counts,
	}
}
