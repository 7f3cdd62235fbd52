package wait

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kstatus.dev/observe"
)

// An Unfinished is the error of a wait that ended before all objects reached their goals.
// errors.Is matches the error of ctx and its cause.
type Unfinished struct {
	Outcome observe.Outcome // how the wait ended; never Success
	Board   *observe.Board  // the last status of each object, without those that were never reported
	Cause   error           // the cause, if it was not the state of an object
}

var errNothing = errors.New("there is nothing to wait for")

// maxNamed is the largest number of objects in the text of an Unfinished.
const maxNamed = 5

// Error names the outcome, the cause, and the objects that have not reached their
// goal, the worst first.
func (e *Unfinished) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "wait: %s", e.Outcome)
	if e.Cause != nil {
		fmt.Fprintf(&text, ": %v", e.Cause)
	}
	unmet := e.Board.Unmet()
	if len(unmet) == 0 {
		return text.String()
	}
	fmt.Fprintf(&text, "; not ready: ")
	for i, u := range unmet[:min(maxNamed, len(unmet))] {
		if i > 0 {
			text.WriteString("; ")
		}
		fmt.Fprintf(&text, "%s %s: %s", u.Target, u.Result.Status, u.Message())
	}
	if more := len(unmet) - maxNamed; more > 0 {
		fmt.Fprintf(&text, "; and %d more", more)
	}
	return text.String()
}

// Unwrap returns Cause.
func (e *Unfinished) Unwrap() error { return e.Cause }

// causeOf returns why ctx has ended, as an error that matches both ctx.Err and context.Cause.
func causeOf(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}
