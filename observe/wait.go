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
	MissingWait   MissingPolicy = ""       // they may come; for one who looks once, the wait fails
	MissingFail   MissingPolicy = "fail"   // the wait fails
	MissingIgnore MissingPolicy = "ignore" // they count as met
)

// An Outcome is how a wait ended. Where several apply, the first of Failure,
// Forbidden, Unsure, Absent and Timeout is told: a failure is certain whatever
// else could not be seen, and waiting longer helps only if nothing else is in
// the way.
type Outcome string

// The outcomes.
const (
	OutcomePending     Outcome = ""            // it has not ended
	OutcomeSuccess     Outcome = "ok"          // every target meets the goals
	OutcomeFailure     Outcome = "failed"      // at least one target will not meet them without help
	OutcomeForbidden   Outcome = "forbidden"   // at least one target may not be looked at
	OutcomeMissing     Outcome = "missing"     // at least one target does not exist, and is not waited for
	OutcomeTimeout     Outcome = "timeout"     // time was over, that of one target or of the wait, and nothing had failed
	OutcomeInterrupted Outcome = "interrupted" // the caller gave up
	OutcomeUnknown     Outcome = "error"       // it could not be told
)

// ErrTimeout is the cause with which a context ends whose wait is to end in
// [OutcomeTimeout]; context.DeadlineExceeded is taken for it as well.
var ErrTimeout = errors.New("timeout")

// Outcome says whether a wait for what is on the board has ended, and how.
// That is never before every target has been heard of.
func (b *Board) Outcome(p Policy) Outcome {
	if !b.synced {
		return OutcomePending
	}
	late, missing, open := b.remaining(p)
	switch n := b.counts.standings; {
	case p.KeepGoing && open > 0 && !p.Once:
		return OutcomePending
	case n[ProgressFailed] > 0:
		return OutcomeFailure
	case n[ProgressUnreadable] > 0:
		return b.unreadable()
	case p.Once && b.counts.unknown > 0:
		return OutcomeUnknown
	case missing > 0 && (p.Missing == MissingFail || p.Once && p.Missing == MissingWait):
		return OutcomeMissing
	case late > 0, open > 0 && p.Once:
		return OutcomeTimeout
	case open == 0:
		return OutcomeSuccess
	}
	return OutcomePending
}

// End is the outcome of a wait that is ended by its context, whose cause is
// given, while Outcome is still Pending.
func (b *Board) End(p Policy, cause error) Outcome {
	_, missing, _ := b.remaining(p)
	timedOut := errors.Is(cause, ErrTimeout) || errors.Is(cause, context.DeadlineExceeded)
	switch n := b.counts.standings; {
	case !timedOut:
		return OutcomeInterrupted
	case n[ProgressFailed] > 0:
		return OutcomeFailure
	case n[ProgressUnreadable] > 0:
		return b.unreadable()
	case p.Missing == MissingFail && missing > 0:
		return OutcomeMissing
	}
	return OutcomeTimeout
}

// remaining counts the targets whose timeout is over, that are missing, and that
// are still to be waited for. If the policy does not wait for missing targets,
// they do not count as late.
func (b *Board) remaining(p Policy) (late, missing, open int) {
	n := b.counts.standings
	late, missing, open = n[ProgressTimedOut], n[ProgressMissing], n[ProgressPending]+n[ProgressFailing]
	if p.Missing == MissingWait {
		return late, missing, open + missing
	}
	return late - b.counts.lateAbsent, missing + b.counts.lateAbsent, open
}

// unreadable is the outcome if a target is Barred: Forbidden for lack of a
// permission, or Unsure if the request makes no sense.
func (b *Board) unreadable() Outcome {
	if b.counts.forbidden > 0 {
		return OutcomeForbidden
	}
	return OutcomeUnknown
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
	if p.Once && w.Requirements.Grace == nil {
		w.Requirements.Grace = NoGrace()
	}
	b := new(Board)
	for u, err := range w.Updates(ctx, targets...) {
		if err != nil {
			return Ending{OutcomeUnknown, b}, fmt.Errorf("wait: %w", err)
		}
		b.Add(u)
		if end := b.Outcome(p); end != OutcomePending {
			return Ending{end, b}, nil
		}
	}
	if len(targets) == 0 {
		if w.Requirements.awaitsAbsence() || p.Missing == MissingIgnore {
			return Ending{OutcomeSuccess, b}, nil
		}
		return Ending{OutcomeMissing, b}, nil
	}
	return Ending{b.End(p, context.Cause(ctx)), b}, nil
}
