package observe

import (
	"context"
	"errors"
	"fmt"

	"kstatus.dev/observe/grace"
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
	timedOut, missing, open := b.remaining(p)
	switch n := b.counts.progress; {
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
	case timedOut > 0, open > 0 && p.Once:
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
	switch n := b.counts.progress; {
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

// remaining counts the targets that have timed out, that are missing, and that
// the wait still waits for. If the policy does not wait for missing targets, they
// do not count as timed out.
func (b *Board) remaining(p Policy) (timedOut, missing, open int) {
	n := b.counts.progress
	timedOut, missing, open = n[ProgressTimedOut], n[ProgressMissing], n[ProgressPending]+n[ProgressFailing]
	if p.Missing == MissingWait {
		return timedOut, missing, open + missing
	}
	return timedOut - b.counts.timedOutMissing, missing + b.counts.timedOutMissing, open
}

// unreadable returns the outcome if a target cannot be read: OutcomeForbidden for
// lack of a permission, or OutcomeUnknown if the request is not valid.
func (b *Board) unreadable() Outcome {
	if b.counts.forbidden > 0 {
		return OutcomeForbidden
	}
	return OutcomeUnknown
}

// Wait watches the targets and returns the outcome and the latest update of each.
// It returns when all targets meet their goals at the same time, when it is
// certain that one does not, or when ctx ends. With Policy.KeepGoing, a failure
// does not end it.
//
// A context that ends with [ErrTimeout] or a deadline makes the outcome
// OutcomeTimeout, other causes make it OutcomeInterrupted. The error is not nil
// only if the source failed; the outcome is OutcomeUnknown then. The Board is
// never nil.
func (w Watcher) Wait(ctx context.Context, p Policy, targets ...Target) (Outcome, *Board, error) {
	if p.Once && w.Requirements.Grace == nil {
		w.Requirements.Grace = grace.None()
	}
	b := new(Board)
	for u, err := range w.Updates(ctx, targets...) {
		if err != nil {
			return OutcomeUnknown, b, fmt.Errorf("wait: %w", err)
		}
		b.Add(u)
		if outcome := b.Outcome(p); outcome != OutcomePending {
			return outcome, b, nil
		}
	}
	if len(targets) == 0 {
		if w.Requirements.awaitsAbsence() || p.Missing == MissingIgnore {
			return OutcomeSuccess, b, nil
		}
		return OutcomeMissing, b, nil
	}
	return b.End(p, context.Cause(ctx)), b, nil
}
