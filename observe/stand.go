package observe

import (
	"fmt"
	"time"

	"kstatus.dev/status"
)

// stand says where the target stands for one who waits. fits tells whether
// what was seen is as wished.
func (r *record) stand(u *Update, fits bool, began, now time.Time) {
	absence := r.terms.absence()
	met := r.holds(u, fits, now)
	sick := !met && !absence && ailing(u.Result)
	switch {
	case !sick:
		r.ailing = time.Time{}
	case r.ailing.IsZero():
		r.ailing = now
	}
	switch {
	case r.ignore:
		u.Standing, u.Wants = Ignored, ""
		return
	case met:
		u.Standing, u.Wants = Met, ""
		return
	case u.Result.Reason == "Forbidden", u.Result.Reason == "BadScope":
		u.Standing = Barred
		return
	case u.Result.Reason == "NeverSeen", u.Result.Reason == "NoMatch":
		u.Standing = Missing
	case absence:
		u.Standing = Open
	case u.Result.Failure == status.Terminal, u.Result.Reason == "Replaced":
		u.Standing = Failed
		return
	case sick:
		r.weigh(u, now)
	default:
		u.Standing = Open
	}
	r.late(u, began, now)
}

// holds reports whether the goals are met for long enough, or have been once
// where that is enough.
func (r *record) holds(u *Update, fits bool, now time.Time) bool {
	if !fits || !r.stale.IsZero() {
		r.met = time.Time{}
		if fits {
			u.Wants = "it cannot be looked at for the time being"
		}
		return r.latch(u)
	}
	if r.met.IsZero() {
		r.met = now
	}
	if over := r.met.Add(r.terms.Settle); now.Before(over) {
		r.wake(over)
		u.Wants = fmt.Sprintf("it has to stay so for %s", r.terms.Settle)
		return r.latch(u)
	}
	if r.terms.Latch {
		r.latched = Floor{UID: u.Version.UID, Generation: u.Version.Generation}
	}
	return true
}

// latch reports whether the same version of the object has met the goals
// before, and nothing but passing trouble has befallen it since.
func (r *record) latch(u *Update) bool {
	s := u.Result.Status
	return r.terms.Latch && r.latched.UID != "" && r.latched.UID == u.Version.UID && r.latched.Generation == u.Version.Generation &&
		s != status.FailedStatus && s != status.TerminatingStatus && s != status.NotFoundStatus
}

// late ends the time that a target has for itself.
func (r *record) late(u *Update, began, now time.Time) {
	if r.within == 0 || u.Standing == Failed {
		return
	}
	if over := began.Add(r.within); now.Before(over) {
		r.wake(over)
		return
	}
	u.Standing, u.FailsAt = Late, time.Time{}
}

// weigh decides whether what is wrong has lasted for long enough to count.
// Until then an object is InProgress, since it may heal.
func (r *record) weigh(u *Update, now time.Time) {
	u.FailsAt = r.ailing.Add(r.terms.Grace.of(u.Result.Reason))
	if u.Result.Status == status.InProgressStatus && u.Result.Reason != "Unschedulable" {
		if u.Result.Recheck == 0 {
			u.Standing, u.FailsAt = Failing, time.Time{}
			return
		}
		if verdict := now.Add(u.Result.Recheck); u.FailsAt.Before(verdict) {
			u.FailsAt = verdict
		}
	}
	switch over := !now.Before(u.FailsAt); {
	case over && u.Result.Reason == "Unschedulable":
		u.Result.Status, u.Result.Failure = status.FailedStatus, status.Recoverable
		fallthrough
	case over:
		u.Standing, u.FailsAt = Failed, time.Time{}
		return
	case u.Result.Status == status.FailedStatus:
		u.Result.Status = status.InProgressStatus
	}
	u.Standing = Failing
	r.wake(u.FailsAt)
}
