package waitview

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/observe"
)

// A Loop runs a wait: it adds every update to the board and shows it, until the board has an
// outcome.
type Loop struct {
	Plan    *goals.Plan
	Targets []observe.Target
	Show    View
	Clock   *EventClock
	Now     func() time.Time
	Notes   io.Writer
	Explain func(*observe.Board) *explainer.Explanation // returns nil without an explanation.
	Caveats func(*observe.Board) []observe.Update       // returns the updates with a caveat, after success; may be nil.
	Seen    func(observe.Update)                        // is called with each update; may be nil.
	Beat    func(*observe.Board)                        // is called with each heartbeat of the watcher; may be nil.
	Every   time.Duration                               // the interval of ticks for views; zero for no ticks.
	board   observe.Board
	beat    time.Time // the time of the last tick

	Sets        Sets  // follows sets of objects; or nil
	Unread      error // why the wait cannot succeed whatever the objects do; may be nil
	ShowSecrets bool  // show secrets
}

// Sets follows sets of objects that change during a wait.
type Sets interface {
	// MarkSeen records an update that the wait has seen. It removes the evidence of a set, whose
	// fields exist in no object.
	MarkSeen(u *observe.Update)
	// Outcome returns the outcome of the wait so far. It may read the sets once more.
	Outcome(ctx context.Context, b *observe.Board, p observe.Policy) observe.Outcome
}

// outcome returns the outcome of the wait so far.
func (f *Loop) outcome(ctx context.Context) observe.Outcome {
	if f.Sets == nil {
		return f.board.Outcome(f.Plan.Policy)
	}
	return f.Sets.Outcome(ctx, &f.board, f.Plan.Policy)
}

// Run waits and shows the end. It returns an error with the exit code, nil for success.
func (f *Loop) Run(ctx context.Context, watcher observe.Watcher) error {
	outcome, timedOut, down := observe.OutcomePending, false, error(nil)
	f.beat = f.Now()
	for u, err := range watcher.Updates(ctx, f.Targets...) {
		f.Clock.Set(f.Now())
		if err != nil {
			return errors.Join(err, Finish(f.Show, &f.board, Result{Code: exit.Uncertain, Cut: true, Err: err}))
		}
		tick := Event{Update: u}.Tick()
		if tick && f.Beat != nil {
			f.Beat(&f.board)
		}
		if tick && !f.beats() {
			if err := f.flush(); err != nil {
				return err
			}
			continue
		}
		if !f.ShowSecrets {
			u = output.RedactUpdate(u)
		}
		if f.Sets != nil {
			f.Sets.MarkSeen(&u)
		}
		if f.Seen != nil {
			f.Seen(u)
		}
		f.board.Add(u)
		if err := f.Show.Update(NewEvent(u), &f.board); err != nil {
			// The other views are completed. An error of the failed view is already known.
			_ = Finish(f.Show, &f.board, Result{Code: exit.Uncertain, Cut: true, Err: err})
			return err
		}
		if outcome = f.outcome(ctx); outcome != observe.OutcomePending {
			break
		}
	}
	f.Clock.Set(f.Now())
	switch {
	case len(f.Targets) == 0: // files without an object, or without one that matches the labels
		fmt.Fprintln(f.Notes, "No resources found.")
		outcome = goals.OutcomeWithoutObjects(f.Plan)
	case outcome == observe.OutcomePending:
		outcome = f.board.End(f.Plan.Policy, context.Cause(ctx))
		if timedOut = outcome != observe.OutcomeInterrupted; !timedOut && !isInterrupt(context.Cause(ctx)) {
			outcome, down = observe.OutcomeUnknown, context.Cause(ctx)
		}
	}
	end := Result{Code: ExitCode(outcome, context.Cause(ctx)), TimedOut: timedOut, Err: down}
	if f.Unread != nil && outcome != observe.OutcomeInterrupted {
		end.Code, end.Err = exit.Worse(end.Code, exit.Uncertain), errors.Join(end.Err, f.Unread)
	}
	if end.Code == exit.OK && f.Caveats != nil {
		for _, u := range f.Caveats(&f.board) {
			f.board.Add(u)
			if err := f.Show.Update(NewEvent(u), &f.board); err != nil {
				return err
			}
		}
	}
	end.Cut = f.Plan.Policy.Once || outcome == observe.OutcomeTimeout || ctx.Err() != nil
	if err := f.end(outcome, end); err != nil {
		return err
	}
	if end.Err != nil {
		return &exit.Error{Code: end.Code, Err: end.Err}
	}
	return exit.With(end.Code)
}

// isInterrupt reports whether a user or a program has ended a wait, and no error.
func isInterrupt(cause error) bool {
	_, isSignal := errors.AsType[*cli.SignalError](cause)
	return cause == nil || isSignal || errors.Is(cause, context.Canceled)
}

// Heartbeat returns the interval of a watcher's heartbeats for a log that prints what it waits
// for at the given interval. It is shorter, since held lines become due.
func Heartbeat(every time.Duration) time.Duration {
	const most = 500 * time.Millisecond
	if every > 0 {
		return min(most, every)
	}
	return most
}

// beats reports whether a tick for the views is due.
func (f *Loop) beats() bool {
	since := f.Now().Sub(f.beat)
	if f.Every == 0 || since < f.Every-Heartbeat(f.Every)/2 {
		return false
	}
	f.beat = f.beat.Add(since.Round(f.Every))
	return true
}

// flush makes the views print held lines.
func (f *Loop) flush() error {
	if v, ok := f.Show.(Flusher); ok {
		return v.Flush()
	}
	return nil
}

// end shows the last verdicts, then explains them. An interrupted wait is not explained.
func (f *Loop) end(outcome observe.Outcome, end Result) error {
	if err := f.Show.End(&f.board, end); err != nil {
		return err
	}
	if outcome != observe.OutcomeSuccess && outcome != observe.OutcomeInterrupted {
		if why := f.Explain(&f.board); why != nil {
			if err := f.Show.Explain(why); err != nil {
				return err
			}
		}
	}
	return f.Show.Result(&f.board, end)
}

// ExitCode returns the exit code for an outcome.
func ExitCode(o observe.Outcome, cause error) exit.Code {
	switch o {
	case observe.OutcomeSuccess:
		return exit.OK
	case observe.OutcomeFailure:
		return exit.Failed
	case observe.OutcomeTimeout:
		return exit.Timeout
	case observe.OutcomeMissing:
		return exit.Missing
	case observe.OutcomeForbidden:
		return exit.Forbidden
	case observe.OutcomeInterrupted:
		if s, ok := errors.AsType[*cli.SignalError](cause); ok {
			return s.Code
		}
		return exit.Interrupted
	}
	return exit.Uncertain
}
