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
	"kstatus.dev/observe"
)

// A Loop is the wait itself: every change goes to the board and is shown,
// until the board says that it is over.
type Loop struct {
	Plan    *goals.Plan
	Targets []observe.Target
	Show    View
	Clock   *EventClock
	Now     func() time.Time
	Notes   io.Writer
	Explain func(*observe.Board) *explainer.Explained // nil: not to be explained, or not by us
	board   observe.Board
}

func (f *Loop) Run(ctx context.Context, watcher observe.Watcher) error {
	outcome := observe.Pending
	for u, err := range watcher.Updates(ctx, f.Targets...) {
		f.Clock.Set(f.Now())
		if err != nil {
			return errors.Join(err, Finish(f.Show, &f.board, Result{Code: exit.Uncertain, Cut: true, Err: err}))
		}
		f.board.Add(u)
		if err := f.Show.Update(NewEvent(u), &f.board); err != nil {
			return err
		}
		if outcome = f.board.Outcome(f.Plan.Policy); outcome != observe.Pending {
			break
		}
	}
	f.Clock.Set(f.Now())
	switch {
	case len(f.Targets) == 0: // files without any object, or with none that has the labels
		fmt.Fprintln(f.Notes, "No resources found.")
		outcome = goals.OutcomeOfNothing(f.Plan)
	case outcome == observe.Pending:
		outcome = f.board.End(f.Plan.Policy, context.Cause(ctx))
	}
	end := Result{Code: CodeFor(outcome, context.Cause(ctx))}
	end.Cut = f.Plan.Policy.Once || outcome == observe.Timeout || ctx.Err() != nil
	if err := f.end(outcome, end); err != nil {
		return err
	}
	return exit.With(end.Code)
}

// end shows where everything stands, then reads why, and shows that. One who
// interrupts a wait does not wait for that.
func (f *Loop) end(outcome observe.Outcome, end Result) error {
	if err := f.Show.End(&f.board, end); err != nil {
		return err
	}
	if outcome != observe.Success && outcome != observe.Interrupted {
		if why := f.Explain(&f.board); why != nil {
			if err := f.Show.Why(why); err != nil {
				return err
			}
		}
	}
	return f.Show.Result(&f.board, end)
}

// CodeFor returns the exit code for an outcome.
func CodeFor(o observe.Outcome, cause error) exit.Code {
	switch o {
	case observe.Success:
		return exit.OK
	case observe.Failure:
		return exit.Failed
	case observe.Timeout:
		return exit.Timeout
	case observe.Absent:
		return exit.Missing
	case observe.Forbidden:
		return exit.Forbidden
	case observe.Interrupted:
		if s, ok := errors.AsType[*cli.SignalError](cause); ok {
			return s.Code
		}
		return exit.Interrupted
	}
	return exit.Uncertain
}
