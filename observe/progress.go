package observe

import (
	"fmt"
	"slices"
	"time"

	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// recoveryLimit is how long after the deletion of a failing part a replacement that fails too
// continues the same failure.
const recoveryLimit = offset(30 * time.Second)

// updateVerdict computes the latest verdict from the observations of the target and of its parts,
// and from the time.
func (tr *tracker) updateVerdict(st *targetState, now offset) {
	st.timer.next = 0
	u, goalsMet := *st.verdicts.own, st.life.goalsMet
	u.StaleSince, u.FailsAt = tr.time(st.clocks.staleSince), time.Time{}
	switch at := st.clocks.firstSeen.add(st.requested.firstStatus); {
	case st.verdicts.fallback == nil || st.clocks.staleSince != 0:
	case now < at:
		st.timer.checkAt(at)
	default:
		goalsMet = tr.expireFirstStatus(st, &u, goalsMet, now)
	}
	if st.clocks.staleSince == 0 {
		st.timer.checkAt(st.timer.objectAt)
	}
	changesAt := tr.mergeParts(st, &u, now)
	if st.expireStale(&u, now) {
		goalsMet = false
	}
	tr.setProgress(st, &u, goalsMet, changesAt, now)
	if u.Removed = st.isDeselected(&u); u.Removed {
		u.Progress, u.FailsAt = ProgressIgnored, time.Time{}
	}
	decided, former := u.Since, st.verdicts.latest
	switch u.Since = former.Since; {
	case !former.Since.IsZero() && u.Result.Status == former.Result.Status:
	case former.Since.IsZero() && !decided.IsZero() && decided.Before(tr.time(now)):
		u.Since = decided
	default:
		u.Since = tr.time(now)
	}
	if x, y := &u.Result, &st.verdicts.own.Result; u.Parts == nil && x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message &&
		u.Unmet == st.verdicts.own.Unmet && slices.Equal(x.Warnings, y.Warnings) {
		st.verdicts.own = &u
	}
	st.verdicts.latest = &u
}

// expireStale drops the verdict on a target that could not be read for too long.
func (st *targetState) expireStale(u *Update, now offset) bool {
	if st.clocks.staleSince == 0 {
		return false
	}
	if over := st.clocks.staleSince + staleLimit; now < over {
		st.timer.checkAt(over)
		return false
	}
	u.Result = status.Result{Status: status.UnknownStatus, Reason: "Transport", Message: u.Err.Error(), Confidence: status.ConfidenceExplicit}
	u.Parts = nil
	return true
}

// setProgress sets the progress of an update. goalsMet says whether the object
// meets the goals now, changesAt when its verdict changes by itself.
func (tr *tracker) setProgress(st *targetState, u *Update, goalsMet bool, changesAt, now offset) {
	met := st.goalsHold(u, goalsMet, now)
	failing := st.isFailing(u, met, now)
	switch reason := u.Result.Reason; {
	case st.requested.ignore:
		u.Progress, u.Unmet = ProgressIgnored, ""
		return
	case met:
		u.Progress, u.Unmet = ProgressReached, ""
		return
	case st.requested.requirements.Optional && isNeverSeen(reason):
		u.Progress, u.Unmet = ProgressIgnored, ""
		return
	case reason == status.ReasonForbidden, reason == status.ReasonBadScope, reason == status.ReasonBadName:
		u.Progress = ProgressUnreadable
		return
	case reason == status.ReasonCompleted && !goalsMet && st.requested.requirements.isFinal():
		u.Progress, u.Unmet = ProgressFailed, u.Unmet+", and it has completed"
		return
	case isNeverSeen(reason):
		u.Progress = ProgressMissing
	case st.requested.requirements.toleratesFailure():
		u.Progress = ProgressPending
	case u.Result.Failure == status.FailureTerminal, reason == status.ReasonReplaced,
		reason == status.ReasonDeleted && st.requested.minVersion.hasUID(): // an object that is created again has another UID
		u.Progress = ProgressFailed
		return
	case failing && st.clocks.failingSince > now: // its deletion has a grace period of its own
		u.Progress = ProgressPending
		st.timer.checkAt(st.clocks.failingSince)
	case failing:
		tr.applyGrace(st, u, changesAt, now)
	default:
		u.Progress = ProgressPending
	}
	tr.applyDeadline(st, u, now)
}

// isNeverSeen reports whether a verdict is that a target does not exist and has
// never been seen.
func isNeverSeen(reason string) bool {
	return reason == status.ReasonNeverSeen || reason == status.ReasonNoMatch
}

// goalsHold reports whether the goals have been met for Requirements.Settle, or once if
// Requirements.Latch is set.
func (st *targetState) goalsHold(u *Update, goalsMet bool, now offset) bool {
	if s := u.Result.Status; s == status.FailedStatus || s == status.TerminatingStatus || s == status.NotFoundStatus {
		st.life.latched = false
	}
	if !goalsMet || st.clocks.staleSince != 0 {
		st.clocks.goalsMetSince = 0
		if goalsMet {
			u.Unmet = "it cannot be read at the moment"
		}
		return st.life.latched
	}
	if st.clocks.goalsMetSince == 0 {
		st.clocks.goalsMetSince = now
	}
	if over := st.clocks.goalsMetSince.add(st.requested.requirements.Settle); now < over {
		if !st.life.latched {
			u.Unmet = fmt.Sprintf("it must stay so for %s", st.requested.requirements.Settle)
			st.timer.checkAt(over)
		}
		return st.life.latched
	}
	st.life.latched = st.requested.requirements.Latch
	return true
}

// isFailing reports whether the object has a recoverable problem, and records the start of its
// current period. The deletion of an object that has completed is no failure.
func (st *targetState) isFailing(u *Update, met bool, now offset) bool {
	done := u.Result.Status == status.TerminatingStatus && st.life.finish == succeeded
	failing := !met && !done && !st.requested.requirements.toleratesFailure() && isTrouble(u.Result)
	switch {
	case failing:
		if st.clocks.failingSince == 0 || st.clocks.recoveringSince != 0 && now >= st.clocks.recoveringSince+recoveryLimit {
			st.clocks.failingSince = now
		}
		st.clocks.recoveringSince = 0
	case st.clocks.recoveringSince == 0, met, u.Result.Status != status.InProgressStatus:
		st.clocks.failingSince, st.clocks.recoveringSince = 0, 0
	}
	return failing
}

// isTrouble reports whether the object has a recoverable problem. For a wait this
// includes three cases: the object is being deleted, it was deleted and may be created
// again, or no node fits.
func isTrouble(r status.Result) bool {
	switch r.Status {
	case status.TerminatingStatus:
		return true
	case status.NotFoundStatus:
		return r.Reason == status.ReasonDeleted || r.Reason == status.ReasonKindRemoved
	}
	return r.Status == status.FailedStatus || r.Failure == status.FailureRecoverable || r.Reason == status.ReasonUnschedulable
}

// earlierOfDeadline returns the offset, or the end of the wait if that is earlier.
func (tr *tracker) earlierOfDeadline(at offset) offset {
	if tr.deadline != 0 {
		return min(at, tr.deadline)
	}
	return at
}

// applyDeadline times a target out when its own timeout has passed. A current failure counts
// then.
func (tr *tracker) applyDeadline(st *targetState, u *Update, now offset) {
	if st.requested.timeout == 0 || u.Progress == ProgressFailed {
		return
	}
	over := offset(1).add(st.requested.timeout)
	if !st.requested.named {
		over = st.clocks.firstSeen.add(st.requested.timeout)
	}
	switch {
	case now < over:
		st.timer.checkAt(over)
		if end := tr.time(over); u.FailsAt.After(end) {
			u.FailsAt = end
		}
	case u.Progress == ProgressFailing && st.clocks.staleSince == 0:
		u.fail()
	default:
		u.Progress, u.FailsAt = ProgressTimedOut, time.Time{}
	}
}

// applyGrace decides whether a failure has lasted long enough to count. Until then the object is
// InProgress, since it may recover. The clock stops while the target cannot be read.
func (tr *tracker) applyGrace(st *targetState, u *Update, changesAt, now offset) {
	u.Progress = ProgressFailing
	clock := now
	if st.clocks.staleSince != 0 {
		clock = st.clocks.staleSince
	}
	reason := u.Result.Reason
	allowed := graceOf(st.requested.requirements.Grace, reason)
	fails := st.clocks.failingSince.add(allowed)
	if u.Result.Status == status.InProgressStatus && reason != status.ReasonUnschedulable {
		switch {
		case changesAt == 0 || tr.windows[reason] == 0:
			return // it fails if its state becomes worse, not by time alone
		case allowed == grace.Window:
			fails = max(fails, changesAt)
		}
	}
	if clock < fails {
		if u.Result.Status == status.FailedStatus {
			u.Result.Status = status.InProgressStatus
		}
		if st.clocks.staleSince == 0 {
			u.FailsAt = tr.time(tr.earlierOfDeadline(fails))
			st.timer.checkAt(fails)
		}
		return
	}
	u.fail()
}

// fail makes a recoverable failure count.
func (u *Update) fail() {
	if u.Result.Status == status.InProgressStatus {
		u.Result.Status, u.Result.Failure = status.FailedStatus, status.FailureRecoverable
	}
	u.Progress, u.FailsAt = ProgressFailed, time.Time{}
}

// isSameUpdate reports whether two updates do not differ in anything that needs an update. The
// resourceVersion alone does not.
func isSameUpdate(a, b *Update) bool {
	x, y := &a.Result, &b.Result
	v := a.Version
	v.ResourceVersion = b.Version.ResourceVersion
	return x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message && x.Failure == y.Failure &&
		x.Suspended == y.Suspended && x.Confidence == y.Confidence && x.RuleSource == y.RuleSource && x.Caveat == y.Caveat && slices.Equal(x.Warnings, y.Warnings) &&
		equalValues(a.Parts, b.Parts) && v == b.Version && a.Progress == b.Progress && a.Unmet == b.Unmet && a.FailsAt.Sub(b.FailsAt).Abs() < time.Second &&
		a.StaleSince.IsZero() == b.StaleSince.IsZero() && a.Removed == b.Removed
}

// equalValues reports whether two pointers have equal values; nil equals nil.
func equalValues[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
