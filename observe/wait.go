package observe

import (
	"context"
	"errors"
	"fmt"
)

// A Policy says when a wait ends other than by success.
type Policy struct {
	Missing   MissingPolicy // what to do about targets that do not exist
	KeepGoing bool          // do not stop at a failure, but when nothing is left to wait for
	Once      bool          // look once and answer; do not wait
}

// A MissingPolicy says what to do about targets that do not exist.
type MissingPolicy string

// The policies. They do not matter where the goal is that objects are gone.
const (
	WaitForMissing MissingPolicy = ""       // they may come; for one who looks once, the wait fails
	FailIfMissing  MissingPolicy = "fail"   // the wait fails
	IgnoreMissing  MissingPolicy = "ignore" // they count as met
)

// An Outcome is how a wait ended. Where several apply, the first of Failure,
// Forbidden, Unsure, Absent and Timeout is told: a failure is certain whatever
// else could not be seen, and waiting longer helps only if nothing else is in
// the way.
type Outcome string

// The outcomes.
const (
	Pending     Outcome = ""            // it has not ended
	Success     Outcome = "ok"          // every target meets the goals
	Failure     Outcome = "failed"      // at least one target will not meet them without help
	Forbidden   Outcome = "forbidden"   // at least one target may not be looked at
	Absent      Outcome = "missing"     // at least one target does not exist, and is not waited for
	Timeout     Outcome = "timeout"     // time was over, that of one target or of the wait, and nothing had failed
	Interrupted Outcome = "interrupted" // the caller gave up
	Unsure      Outcome = "error"       // it could not be told
)

// ErrTimeout is the cause with which a context ends whose wait is to end in
// [Timeout]; context.DeadlineExceeded is taken for it as well.
var ErrTimeout = errors.New("timeout")

// Outcome says whether a wait for what is on the board has ended, and how.
// That is never before every target has been heard of.
func (b *Board) Outcome(p Policy) Outcome {
	if !b.synced {
		return Pending
	}
	late, missing, open := b.remaining(p)
	switch n := b.counts.standings; {
	case p.KeepGoing && open > 0 && !p.Once:
		return Pending
	case n[Failed] > 0:
		return Failure
	case n[Barred] > 0:
		return b.unreadable()
	case p.Once && b.counts.unknown > 0:
		return Unsure
	case missing > 0 && (p.Missing == FailIfMissing || p.Once && p.Missing == WaitForMissing):
		return Absent
	case late > 0, open > 0 && p.Once:
		return Timeout
	case open == 0:
		return Success
	}
	return Pending
}

// End is the outcome of a wait that is ended by its context, whose cause is
// given, while Outcome is still Pending.
func (b *Board) End(p Policy, cause error) Outcome {
	_, missing, _ := b.remaining(p)
	timedOut := errors.Is(cause, ErrTimeout) || errors.Is(cause, context.DeadlineExceeded)
	switch n := b.counts.standings; {
	case !timedOut:
		return Interrupted
	case n[Failed] > 0:
		return Failure
	case n[Barred] > 0:
		return b.unreadable()
	case p.Missing == FailIfMissing && missing > 0:
		return Absent
	}
	return Timeout
}

// remaining counts the targets whose timeout is over, that are missing, and that
// are still to be waited for. If the policy does not wait for missing targets,
// they do not count as late.
func (b *Board) remaining(p Policy) (late, missing, open int) {
	n := b.counts.standings
	late, missing, open = n[Late], n[Missing], n[Open]+n[Failing]
	if p.Missing == WaitForMissing {
		return late, missing, open + missing
	}
	return late - b.counts.lateAbsent, missing + b.counts.lateAbsent, open
}

// unreadable is the outcome if a target is Barred: Forbidden for lack of a
// permission, or Unsure if the request makes no sense.
func (b *Board) unreadable() Outcome {
	if b.counts.forbidden > 0 {
		return Forbidden
	}
	return Unsure
}

// An Ending is how a wait ended, and where every target stood then.
type Ending struct {
	Outcome Outcome
	Board   *Board
}

// Wait follows the targets until all meet the goals, on one snapshot; until it
// is certain that one will not, unless the policy is to keep going; or until
// ctx ends. An error is returned only where there is no answer: the source
// failed.
func (w Watcher) Wait(ctx context.Context, p Policy, targets ...Target) (Ending, error) {
	if p.Once && w.Terms.Grace == nil {
		w.Terms.Grace = NoGrace()
	}
	b := new(Board)
	for u, err := range w.Updates(ctx, targets...) {
		if err != nil {
			return Ending{Unsure, b}, fmt.Errorf("wait: %w", err)
		}
		b.Add(u)
		if end := b.Outcome(p); end != Pending {
			return Ending{end, b}, nil
		}
	}
	if len(targets) == 0 {
		if w.Terms.awaitsAbsence() || p.Missing == IgnoreMissing {
			return Ending{Success, b}, nil
		}
		return Ending{Absent, b}, nil
	}
	return Ending{b.End(p, context.Cause(ctx)), b}, nil
}
