package observe

import (
	"math"
	"slices"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe/internal/applied"
	"kstatus.dev/observe/internal/object"
	"kstatus.dev/status"
)

// staleLimit is how long a target may be unreadable before its last verdict is dropped.
const staleLimit = offset(2 * time.Minute)

// apply computes the latest verdict from an observation.
func (tr *tracker) apply(st *targetState, obs observation, now offset) {
	if obs.Err != nil && obs.result.Reason == status.ReasonTransport && st.hasVerdict() {
		u := *st.verdicts.own
		u.Err = obs.Err
		st.verdicts.own = &u
		if st.clocks.staleSince == 0 {
			st.clocks.staleSince = now
		}
	} else {
		st.markReachable(now)
		tr.evaluate(st, obs, now)
	}
	tr.updateVerdict(st, now)
}

// hasVerdict reports whether the target has a verdict to keep while it cannot be read.
func (st *targetState) hasVerdict() bool {
	return st.verdicts.own.Result.Status != "" && st.verdicts.own.Result.Reason != status.ReasonTransport
}

// markReachable records that the target can be read. The time before does not count for a
// failure.
func (st *targetState) markReachable(now offset) {
	if st.clocks.staleSince != 0 && st.clocks.failingSince != 0 {
		st.clocks.failingSince += now - st.clocks.staleSince
	}
	st.clocks.staleSince = 0
}

// reevaluate judges a target again because its timer has fired.
func (tr *tracker) reevaluate(st *targetState, now offset) {
	if st.timer.object != nil && st.timer.objectAt <= now && st.clocks.staleSince == 0 {
		tr.apply(st, tr.judge(Event{Target: st.verdicts.own.Target, Object: st.timer.object}), now)
		return
	}
	tr.updateVerdict(st, now)
}

// evaluate computes the verdict on a target alone.
func (tr *tracker) evaluate(st *targetState, obs observation, now offset) {
	obs = tr.afterReport(st, obs)
	keepPullError(&obs.result, st.verdicts.own.Result)
	st.timer.object, st.timer.objectAt, st.verdicts.fallback = nil, 0, nil
	u := &Update{Target: st.verdicts.own.Target, Err: obs.Err, Version: st.verdicts.own.Version, Result: obs.result, Evidence: obs.reads}
	belowMinimum := false
	switch {
	case obs.Err != nil:
		if st.life.existed && u.Result.Reason == status.ReasonNoMatch {
			u.Result, u.Err = status.Result{Status: status.NotFoundStatus, Reason: "KindRemoved", Confidence: status.ConfidenceExplicit,
				Message: "its kind is no longer served, so it no longer exists"}, nil
		}
	case u.Target.IsSelection():
		tr.judgeSelection(st, u)
	case obs.Object == nil:
		st.describeAbsence(u)
		st.clocks.failingSince = min(st.clocks.failingSince, now) // it did not use up its grace period
	default:
		if u.Result.Since != 0 {
			u.Since = time.Unix(u.Result.Since, 0).UTC()
		}
		if u.Result.Status == status.TerminatingStatus {
			u.Since = object.DeletedAt(obs.Object)
		}
		tr.noteObject(st, u, obs.Object, now)
		tr.noteFinish(st, u, obs.Object)
		u.Result.Warnings = append(slices.Clip(u.Result.Warnings), st.readAnnotations(obs.Object)...)
		if belowMinimum = st.belowMinimum(u) || tr.superseded(st, u, obs.Object); !belowMinimum {
			tr.missingFirstStatus(st, u, obs.Object)
		}
	}
	st.life.goalsMet, u.Unmet = st.checkGoals(u, obs.Object, belowMinimum)
	st.verdicts.own = u
	if u.Result.Recheck > 0 {
		st.timer.object, st.timer.objectAt = obs.Object, now.add(u.Result.Recheck)
	}
}

// afterReport judges an object without the times of its writes if the watch has seen that its status
// was written for this generation. The times are in seconds, and often do not show the order.
func (tr *tracker) afterReport(st *targetState, obs observation) observation {
	if obs.Object == nil || obs.result.Reason != status.ReasonStatusPredatesSpec {
		return obs
	}
	former, v := st.verdicts.own.Version, versionOf(obs.Object)
	isSame := former.UID == v.UID && former.Generation == v.Generation
	switch last := st.timer.object; {
	case !isSame:
		st.life.reported = false
	case last != nil && st.verdicts.own.Result.Reason == status.ReasonStatusPredatesSpec && !applied.Equal(last.UnstructuredContent()["status"], obs.Object.UnstructuredContent()["status"]):
		st.life.reported = true
	}
	if !st.life.reported {
		return obs
	}
	untimed, _ := object.Without(obs.Object, "metadata", "managedFields")
	again := tr.judge(Event{Target: obs.Target, Object: untimed})
	obs.result, obs.reads = again.result, again.reads
	return obs
}

// noteObject records which object exists.
func (tr *tracker) noteObject(st *targetState, u *Update, obj status.Object, now offset) {
	if !st.life.existed {
		st.life.existed, st.clocks.firstSeen = true, now
	}
	former := u.Version
	u.Version = versionOf(obj)
	u.Version.ReplacedUID = former.ReplacedUID
	if former.UID != "" && former.UID != u.Version.UID {
		u.Version.ReplacedUID, st.clocks.firstSeen = former.UID, now
		st.life.finish, st.clocks.failingSince = unfinished, 0
	}
	if due := tr.deletionDue(obj, now); due > max(now, st.clocks.failingSince) {
		st.clocks.failingSince, st.clocks.recoveringSince = due, 0
	}
	if former.UID != u.Version.UID || former.Generation != u.Version.Generation {
		st.life.latched, st.former = false, nil
		if st.clocks.recoveringSince != 0 {
			st.clocks.failingSince, st.clocks.recoveringSince = 0, 0
		}
	}
	if u.Version.ReplacedUID != "" {
		u.Result.Warnings = append(slices.Clip(u.Result.Warnings), "it replaced an object of the same name, with UID "+u.Version.ReplacedUID)
	}
}

// deletionDue returns when the grace period of an object's deletion ends; zero if the
// object is not being deleted. A server clock that is ahead does not extend it.
func (tr *tracker) deletionDue(obj status.Object, now offset) offset {
	at := object.DeletedAt(obj)
	if at.IsZero() {
		return 0
	}
	seconds, _ := decoded.Int(obj.UnstructuredContent(), "metadata", "deletionGracePeriodSeconds")
	left := min(at.Sub(tr.time(now)), time.Duration(min(seconds, math.MaxInt32))*time.Second)
	return now.add(max(0, left))
}

// noteFinish records how the object has finished, for its verdict after its deletion. An object
// that is deleted before it has finished never does, unless it is deleted because it has
// finished.
func (tr *tracker) noteFinish(st *targetState, u *Update, obj status.Object) {
	st.life.expires = decoded.At(obj.UnstructuredContent(), "spec", "ttlSecondsAfterFinished") != nil
	result, leaving := u.Result, u.Result.Status == status.TerminatingStatus
	if leaving && st.life.finish == unfinished && st.life.expires {
		alive, _ := object.Without(obj, "metadata", "deletionTimestamp")
		result = tr.judge(Event{Target: u.Target, Object: alive}).result
	}
	switch {
	case result.Status == status.CurrentStatus && result.Reason == status.ReasonCompleted:
		st.life.finish = succeeded
	case result.Failure == status.FailureTerminal:
		st.life.finish = failedTerminally
	case !leaving:
		st.life.finish = unfinished
	}
	if leaving && st.life.finish == failedTerminally {
		u.Result.Failure = status.FailureTerminal
	}
}

// describeAbsence completes the verdict on an object that does not exist:
// whether it has existed, and how it had finished.
func (st *targetState) describeAbsence(u *Update) {
	before, result := st.verdicts.own.Result, &u.Result
	switch {
	case !st.life.existed && st.requested.minVersion.hasUID():
		result.Reason, result.Message = status.ReasonDeleted, "it was deleted before it was read; its final state is unknown"
	case !st.life.existed:
	case before.Status == status.NotFoundStatus:
		*result = before
	case st.life.finish == succeeded:
		result.Reason, result.Message = status.ReasonExpiredTTL, "it had completed and was removed"
	case st.life.finish == failedTerminally:
		result.Reason, result.Message, result.Failure = status.ReasonDeleted, "it had failed and was removed", status.FailureTerminal
		if before.Status == status.FailedStatus {
			result.Message += ": " + before.Message
		}
	case st.life.expires:
		result.Reason, result.Message = status.ReasonDeleted, "it was deleted; its final state is unknown"
	case !st.requested.named:
		result.Reason, result.Message = status.ReasonDeleted, "it was deleted, or does not match any more"
	default:
		result.Reason, result.Message = status.ReasonDeleted, "it was deleted"
	}
}

// checkGoals returns whether the goals are met, and if not what they have found.
// An object below its minimum version meets no goal except that of absence.
func (st *targetState) checkGoals(u *Update, obj status.Object, belowMinimum bool) (met bool, wants string) {
	if u.Target.IsSelection() {
		return u.Result.Status == status.CurrentStatus || u.Result.Reason == status.ReasonNoMatch && st.requested.requirements.awaitsAbsence(), ""
	}
	count := 0
	for _, g := range st.requested.requirements.Goals {
		if belowMinimum && !g.Absence {
			continue
		}
		ok, found := g.Met(*u, obj)
		if ok {
			count++
		} else if wants == "" {
			wants = found
		}
	}
	if r := st.requested.requirements; count == len(r.Goals) || r.Any && count > 0 {
		return true, ""
	}
	return false, wants
}
