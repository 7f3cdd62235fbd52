package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kstatus.dev/observe"
)

// A loop is the wait itself: every change goes to the board and is shown,
// until the board says that it is over.
type loop struct {
	plan    *plan
	targets []observe.Target
	show    view
	clock   *eventClock
	now     func() time.Time
	notes   io.Writer
	explain func(*observe.Board) *explained // nil: not to be explained, or not by us
	board   observe.Board
}

func (f *loop) run(ctx context.Context, watcher observe.Watcher) error {
	outcome := observe.Pending
	for u, err := range watcher.Updates(ctx, f.targets...) {
		f.clock.set(f.now())
		if err != nil {
			return errors.Join(err, finish(f.show, &f.board, result{code: exitUncertain, cut: true, err: err}))
		}
		f.board.Add(u)
		if err := f.show.update(newEvent(u), &f.board); err != nil {
			return err
		}
		if outcome = f.board.Outcome(f.plan.policy); outcome != observe.Pending {
			break
		}
	}
	f.clock.set(f.now())
	switch {
	case len(f.targets) == 0: // files without any object, or with none that has the labels
		fmt.Fprintln(f.notes, "No resources found.")
		outcome = nothing(f.plan)
	case outcome == observe.Pending:
		outcome = f.board.End(f.plan.policy, context.Cause(ctx))
	}
	end := result{code: codeFor(outcome, context.Cause(ctx))}
	end.cut = f.plan.policy.Once || outcome == observe.Timeout || ctx.Err() != nil
	if err := f.end(outcome, end); err != nil {
		return err
	}
	return exitWith(end.code)
}

// end shows where everything stands, then reads why, and shows that. One who
// interrupts a wait does not wait for that.
func (f *loop) end(outcome observe.Outcome, end result) error {
	if err := f.show.end(&f.board, end); err != nil {
		return err
	}
	if outcome != observe.Success && outcome != observe.Interrupted {
		if why := f.explain(&f.board); why != nil {
			if err := f.show.why(why); err != nil {
				return err
			}
		}
	}
	return f.show.result(&f.board, end)
}

// nothing is the outcome where nothing was asked for, which is as it should be
// only if objects are to be gone, or may be missing.
func nothing(p *plan) observe.Outcome {
	for _, g := range p.terms.Goals {
		if g.Absence {
			return observe.Success
		}
	}
	if p.policy.Missing == observe.IgnoreMissing {
		return observe.Success
	}
	return observe.Absent
}

// codeFor returns the exit code for an outcome.
func codeFor(o observe.Outcome, cause error) exitCode {
	switch o {
	case observe.Success:
		return exitOK
	case observe.Failure:
		return exitFailed
	case observe.Timeout:
		return exitTimeout
	case observe.Absent:
		return exitMissing
	case observe.Forbidden:
		return exitForbidden
	case observe.Interrupted:
		if s, ok := errors.AsType[*signalError](cause); ok {
			return s.code
		}
		return exitInterrupted
	}
	return exitUncertain
}
