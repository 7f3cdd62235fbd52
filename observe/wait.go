package observe

import (
	"context"
	"errors"
	"fmt"

	"kstatus.dev/observe/grace"
)

// A Policy says when a wait ends without success. The zero Policy ends it at the
// first failure, and waits for targets that do not exist.
type Policy struct {
	Missing   MissingPolicy // what to do about targets that do not exist
	KeepGoing bool          // continue after a failure, until no target is pending
	Once      bool          // return the outcome of the first verdicts, without waiting
}

// A MissingPolicy says what to do about targets that do not exist.
type MissingPolicy string

// The values of MissingPolicy. They do not apply to the goal of deletion.
const (
	MissingWait   MissingPolicy = ""       // wait until they exist; with Policy.Once, the wait fails
	MissingFail   MissingPolicy = "fail"   // the wait fails, also if they are deleted meanwhile
	MissingIgnore MissingPolicy = "ignore" // they do not count
)

// An Outcome says how a wait ended. If several apply, the first one of failure,
// forbidden, unknown, missing and timeout counts: a failure is certain, whatever
// else cannot be read.
type Outcome string

// The values of Outcome.
const (
	OutcomePending     Outcome = ""            // it has not ended
	OutcomeSuccess     Outcome = "ok"          // every target meets the goals
	OutcomeFailure     Outcome = "failed"      // at least one target failed, or was failing at its timeout or that of the wait
	OutcomeForbidden   Outcome = "forbidden"   // the permission to read at least one target is missing
	OutcomeMissing     Outcome = "missing"     // at least one target does not exist, and the policy does not wait for it
	OutcomeTimeout     Outcome = "timeout"     // the timeout of a target or of the wait has passed, and no target had failed or was failing
	OutcomeInterrupted Outcome = "interrupted" // the context ended for another reason than a timeout
	OutcomeUnknown     Outcome = "error"       // the outcome is unknown, since the source failed or a cluster cannot be reached
)

// ErrTimeout is the cause of a context that makes a wait end with
// [OutcomeTimeout]. The cause context.DeadlineExceeded does the same.
var ErrTimeout = errors.New("timeout")

// Outcome returns the outcome of a wait for the targets on the board, or
// OutcomePending if it has not ended. No wait ends before the board is Synced.
func (b *Board) Outcome(p Policy) Outcome {
	if !b.synced {
		return OutcomePending
	}
	timedOut, missing, open := b.remaining(p)
	switch n := b.counts.progress; {
	case p.KeepGoing && open > 0 && !p.Once:
		return OutcomePending
	case n[ProgressFailed] > 0, p.Once && n[ProgressFailing] > b.counts.lostFailing:
		return OutcomeFailure
	case n[ProgressUnreadable] > 0:
		return b.unreadable()
	case p.Once && b.counts.unknown > 0:
		return OutcomeUnknown
	case missing > 0 && (p.Missing == MissingFail || p.Once && p.Missing == MissingWait):
		return OutcomeMissing
	case timedOut > 0 && b.counts.lost > 0:
		return OutcomeUnknown
	case timedOut > 0, open > 0 && p.Once:
		return OutcomeTimeout
	case open == 0:
		return OutcomeSuccess
	}
	return OutcomePending
}

// End returns the outcome of a wait that its context ended, while Outcome was OutcomePending.
// The cause is the context's. At a timeout, targets that are failing count as failed. If targets
// that do not meet their goals cannot be read then, the outcome is OutcomeUnknown.
func (b *Board) End(p Policy, cause error) Outcome {
	_, missing, _ := b.remaining(p)
	timedOut := errors.Is(cause, ErrTimeout) || errors.Is(cause, context.DeadlineExceeded)
	switch n := b.counts.progress; {
	case !timedOut:
		return OutcomeInterrupted
	case n[ProgressFailed] > 0, n[ProgressFailing] > b.counts.lostFailing:
		return OutcomeFailure
	case n[ProgressUnreadable] > 0:
		return b.unreadable()
	case b.counts.lost > 0:
		return OutcomeUnknown
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
	if p.Missing == MissingFail { // an object that was deleted does not get time to come back
		missing, open = missing+b.counts.deleted, open-b.counts.deleted
	}
	return timedOut - b.counts.timedOutMissing, missing + b.counts.timedOutMissing, open
}

// unreadable returns the outcome if a target cannot be read: OutcomeForbidden if a permission is
// missing, or OutcomeUnknown if the request is invalid.
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
