package observe

import (
	"fmt"
	"slices"
	"time"

	"kstatus.dev/status"
)

// How long nothing may be wrong after a part in trouble has gone. One that
// takes its place and is in trouble as well goes on where the former was.
const lullLimit = moment(30 * time.Second)

// conclude makes the latest verdict of what was seen of the target, of its
// parts, and of what time it is.
func (d *desk) conclude(r *record, now moment) {
	r.again = 0
	u, fits := *r.seen, r.fits
	u.Stale, u.FailsAt = d.time(r.stale), time.Time{}
	switch at := r.first.plus(r.firstStatus); {
	case r.outlook == nil || r.stale != 0:
	case now < at:
		r.wake(at)
	default:
		fits = d.over(r, &u, fits)
	}
	if r.stale == 0 {
		r.wake(r.due)
	}
	due := d.lift(r, &u, now)
	if r.expire(&u, now) {
		fits = false
	}
	d.stand(r, &u, fits, due, now)
	if u.Left = r.left(&u); u.Left {
		u.Standing, u.FailsAt = Ignored, time.Time{}
	}
	u.Since = r.latest.Since
	if u.Since.IsZero() || u.Result.Status != r.latest.Result.Status {
		u.Since = d.time(now)
	}
	if x, y := &u.Result, &r.seen.Result; u.Parts == nil && x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message &&
		u.Wants == r.seen.Wants && slices.Equal(x.Warnings, y.Warnings) {
		r.seen = &u
	}
	r.latest = &u
}

// expire gives up a verdict that is too old to rest on.
func (r *record) expire(u *Update, now moment) bool {
	if r.stale == 0 {
		return false
	}
	if over := r.stale + staleLimit; now < over {
		r.wake(over)
		return false
	}
	u.Result = status.Result{Status: status.UnknownStatus, Reason: "Transport", Message: u.Err.Error(), Confidence: status.Explicit}
	u.Parts = nil
	return true
}

// wake asks for the target to be judged again at a moment, if not sooner.
func (r *record) wake(at moment) {
	if at != 0 && (r.again == 0 || at < r.again) {
		r.again = at
	}
}

// stand says where the target stands for one who waits. fits tells whether
// what was seen is as wished, due when its verdict is to change by itself.
func (d *desk) stand(r *record, u *Update, fits bool, due, now moment) {
	met := r.holds(u, fits, now)
	sick := r.suffers(u, met, now)
	switch reason := u.Result.Reason; {
	case r.ignore:
		u.Standing, u.Wants = Ignored, ""
		return
	case met:
		u.Standing, u.Wants = Met, ""
		return
	case reason == "Forbidden", reason == "BadScope":
		u.Standing = Barred
		return
	case absent(reason):
		u.Standing = Missing
	case r.terms.patient():
		u.Standing = Open
	case u.Result.Failure == status.Terminal, reason == "Replaced",
		reason == "Deleted" && r.floor != nil && r.floor.UID != "": // what comes back is another
		u.Standing = Failed
		return
	case sick:
		d.weigh(r, u, due, now)
	default:
		u.Standing = Open
	}
	r.late(u, now)
}

// absent reports whether a verdict is that a target does not exist and has not
// been seen to.
func absent(reason string) bool { return reason == "NeverSeen" || reason == "NoMatch" }

// holds reports whether the goals are met for long enough, or have been once
// where that is enough.
func (r *record) holds(u *Update, fits bool, now moment) bool {
	if s := u.Result.Status; s == status.FailedStatus || s == status.TerminatingStatus || s == status.NotFoundStatus {
		r.latched = false
	}
	if !fits || r.stale != 0 {
		r.met = 0
		if fits {
			u.Wants = "it cannot be looked at for the time being"
		}
		return r.latched
	}
	if r.met == 0 {
		r.met = now
	}
	if over := r.met.plus(r.terms.Settle); now < over {
		if !r.latched {
			u.Wants = fmt.Sprintf("it has to stay so for %s", r.terms.Settle)
			r.wake(over)
		}
		return r.latched
	}
	r.latched = r.terms.Latch
	return true
}

// suffers reports whether something is wrong that may heal, and keeps since
// when that is so without a break. That something is removed after it has run
// to its end is not wrong.
func (r *record) suffers(u *Update, met bool, now moment) bool {
	done := u.Result.Status == status.TerminatingStatus && r.ended == completed
	sick := !met && !done && !r.terms.patient() && ailing(u.Result)
	switch {
	case sick:
		if r.ailing == 0 || r.lull != 0 && now >= r.lull+lullLimit {
			r.ailing = now
		}
		r.lull = 0
	case r.lull == 0, met, u.Result.Status != status.InProgressStatus:
		r.ailing, r.lull = 0, 0
	}
	return sick
}

// late ends the time that a target has for itself.
func (r *record) late(u *Update, now moment) {
	if r.within == 0 || u.Standing == Failed {
		return
	}
	over := moment(1).plus(r.within)
	if !r.named {
		over = r.first.plus(r.within)
	}
	if now < over {
		r.wake(over)
		return
	}
	u.Standing, u.FailsAt = Late, time.Time{}
}

// weigh decides whether what is wrong has lasted for long enough to count.
// Until then an object is InProgress, since it may heal. While it cannot be
// looked at the clock stands still.
func (d *desk) weigh(r *record, u *Update, due, now moment) {
	u.Standing = Failing
	clock := now
	if r.stale != 0 {
		clock = r.stale
	}
	reason := u.Result.Reason
	fails := r.ailing.plus(r.terms.Grace.of(reason))
	if u.Result.Status == status.InProgressStatus && reason != "Unschedulable" {
		if due == 0 || d.windows[reason] == 0 {
			return // it fails if it gets worse, which no clock tells
		}
		fails = max(fails, due)
	}
	if clock < fails {
		if u.Result.Status == status.FailedStatus {
			u.Result.Status = status.InProgressStatus
		}
		if r.stale == 0 {
			u.FailsAt = d.time(fails)
			r.wake(fails)
		}
		return
	}
	if u.Result.Status == status.InProgressStatus && reason == "Unschedulable" {
		u.Result.Status, u.Result.Failure = status.FailedStatus, status.Recoverable
	}
	u.Standing = Failed
}

// same reports whether nothing that is worth telling differs. The
// resourceVersion alone is not.
func same(a, b *Update) bool {
	x, y := &a.Result, &b.Result
	v := a.Version
	v.Resource = b.Version.Resource
	return x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message && x.Failure == y.Failure &&
		x.Suspended == y.Suspended && x.Confidence == y.Confidence && slices.Equal(x.Warnings, y.Warnings) &&
		equal(a.Parts, b.Parts) && v == b.Version && a.Standing == b.Standing && a.Wants == b.Wants && a.FailsAt.Sub(b.FailsAt).Abs() < time.Second &&
		a.Stale.IsZero() == b.Stale.IsZero() && a.Left == b.Left
}

// equal reports whether two pointers, nil for nothing, lead to equal values.
func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
