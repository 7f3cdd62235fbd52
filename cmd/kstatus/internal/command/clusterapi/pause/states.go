package pause

import (
	"cmp"
	"time"

	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// states holds the last status of each object that was shown.
type states map[observe.Target]status.Status

// targetOf returns an object as views show it. All objects of a kind have the name *.
func targetOf(id status.ID) observe.Target {
	id.Name = cmp.Or(id.Name, "*")
	return observe.TargetOf(id)
}

// update returns the update for an object. isNews is false while its target is not written yet, so
// that each object begins with what its controller does.
func (s states) update(o pause.Object) (u observe.Update, isNews bool) {
	if o.Reason == pause.ReasonNotPausedYet || o.Reason == pause.ReasonNotUnpausedYet {
		return u, false
	}
	u = observe.Update{
		Target: targetOf(o.ID), Since: o.Since, Progress: observe.ProgressPending,
		Result: status.Result{Reason: string(o.Reason), Message: o.Message, Confidence: status.ConfidenceExplicit, Rule: "pause"},
	}
	r := &u.Result
	switch {
	case o.State == "":
		u.Removed, r.Status = true, s[u.Target]
	case o.State == pause.Acknowledged:
		u.Progress, r.Status = observe.ProgressReached, status.CurrentStatus
	case o.State == pause.Unknown && o.Done:
		u.Progress, r.Status, r.Confidence = observe.ProgressReached, status.CurrentStatus, status.ConfidenceAssumed
	case o.State == pause.Unknown:
		r.Status, r.Confidence = status.UnknownStatus, status.ConfidenceAssumed
	case isFailure(o.Reason):
		u.Progress, r.Status, r.Failure = observe.ProgressFailed, status.FailedStatus, status.FailureTerminal
	default:
		r.Status = status.InProgressStatus
	}
	u.Previous = s[u.Target]
	if s[u.Target] = r.Status; u.Removed {
		delete(s, u.Target)
	}
	return u, true
}

// targetUpdate returns the update for a target that was not paused or unpaused, and so has none.
func (s states) targetUpdate(t pause.TargetResult, now time.Time) (u observe.Update, ok bool) {
	target := targetOf(t.ID)
	if _, shown := s[target]; shown || t.Reason == "" {
		return u, false
	}
	u = observe.Update{Target: target, Since: now, Result: status.Result{Reason: string(t.Reason), Message: t.Message, Confidence: status.ConfidenceExplicit, Rule: "pause"}}
	switch {
	case t.Done:
		u.Progress, u.Result.Status = observe.ProgressIgnored, status.CurrentStatus
	case t.Reason == pause.ReasonNotFound:
		u.Progress, u.Result.Status = observe.ProgressMissing, status.NotFoundStatus
	case t.Reason == pause.ReasonForbidden, t.Reason == pause.ReasonUnreadable:
		u.Progress, u.Result.Status = observe.ProgressUnreadable, status.UnknownStatus
	default:
		u.Progress, u.Result.Status, u.Result.Failure = observe.ProgressFailed, status.FailedStatus, status.FailureTerminal
	}
	return u, true
}

// isFailure reports whether a target cannot get the requested state any more.
func isFailure(r pause.Reason) bool {
	switch r {
	case pause.ReasonUnpausedByOther, pause.ReasonPausedByOther, pause.ReasonReplaced, pause.ReasonWriteFailed:
		return true
	}
	return false
}
