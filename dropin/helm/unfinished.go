package helm

import (
	"fmt"
	"strings"

	"kstatus.dev/observe"
)

// An Unfinished is the error of a wait that failed. errors.Is matches the error of the context,
// such as context.DeadlineExceeded.
type Unfinished struct {
	Outcome observe.Outcome  // how the wait ended
	Unmet   []observe.Update // the last status of each object that is not ready, sorted
	Unread  []observe.Target // the objects whose status was never read
	Total   int              // the number of objects
	Cause   error            // why the wait ended, if it was not the state of an object
}

func unfinished(outcome observe.Outcome, board *observe.Board, cause error, targets []observe.Target) *Unfinished {
	e := &Unfinished{Outcome: outcome, Unmet: board.Unmet(), Total: len(targets), Cause: cause}
	read := map[observe.Target]bool{}
	for _, u := range board.Updates() {
		read[u.Target] = true
	}
	for _, t := range targets {
		if !read[t] {
			e.Unread = append(e.Unread, t)
		}
	}
	return e
}

// Error returns a line about the end of the wait. A line with the status and the cause follows for
// each object that is not ready.
func (e *Unfinished) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "wait %s", outcomes[e.Outcome])
	if e.Cause != nil {
		fmt.Fprintf(&text, ": %v", e.Cause)
	}
	if n := len(e.Unmet) + len(e.Unread); n > 0 {
		fmt.Fprintf(&text, "; %d of %d objects are not ready:", n, e.Total)
	}
	for _, u := range e.Unmet {
		fmt.Fprintf(&text, "\n%s is %s", u.Target, u.Result.Status)
		if u.Result.Reason != "" {
			fmt.Fprintf(&text, " (%s)", u.Result.Reason)
		}
		if m := u.Message(); m != "" {
			fmt.Fprintf(&text, ": %s", m)
		}
		if u.Unmet != "" {
			fmt.Fprintf(&text, "; %s", u.Unmet)
		}
	}
	for _, t := range e.Unread {
		fmt.Fprintf(&text, "\n%s has not been read", t)
	}
	return text.String()
}

// outcomes are the outcomes as the verb of a sentence.
var outcomes = map[observe.Outcome]string{
	observe.OutcomeFailure:     "failed",
	observe.OutcomeForbidden:   "failed, because a permission is missing",
	observe.OutcomeMissing:     "failed, because an object does not exist",
	observe.OutcomeTimeout:     "timed out",
	observe.OutcomeInterrupted: "was interrupted",
	observe.OutcomeUnknown:     "ended with an error",
}

// Unwrap returns Cause.
func (e *Unfinished) Unwrap() error { return e.Cause }
