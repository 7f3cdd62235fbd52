package observe

import (
	"errors"
	"slices"
	"time"

	"kstatus.dev/status"
)

// A record is what is known of one target.
type record struct {
	latest  *Update   // the latest verdict; without a status before the first. It is not changed
	told    *Update   // the one that was yielded last; without a status before the first
	queued  bool      // latest waits to be yielded
	existed bool      // it has been seen
	ailing  time.Time // since when something has been wrong without a break; zero if nothing is
	again   time.Time // when to judge kept again; zero: not before it changes
	kept    Sighting  // set only while again is
}

// judge makes the latest verdict from a sighting.
func (r *record) judge(w *Watcher, s Sighting, now time.Time) {
	u := Update{Target: s.Target, Err: s.Err, Version: r.latest.Version}
	u.Result, u.Reads = w.verdict(s)
	switch {
	case s.Err != nil:
	case s.Object == nil:
		r.gone(&u)
	default:
		r.existed = true
		u.Version = versionOf(s.Object)
		u.Version.Replaced = r.latest.Version.Replaced
		if former := r.latest.Version.UID; former != "" && former != u.Version.UID {
			u.Version.Replaced = former
		}
		if u.Version.Replaced != "" {
			u.Result.Warnings = append(slices.Clip(u.Result.Warnings), "it replaced an object of the same name, with UID "+u.Version.Replaced)
		}
	}
	r.stand(w, &u, s.Object, now)
	u.Since = r.latest.Since
	if u.Since.IsZero() || u.Result.Status != r.latest.Result.Status {
		u.Since = now
	}
	r.latest = &u
	r.again = soonest(u.FailsAt, now, u.Result.Recheck)
	r.kept = Sighting{}
	if !r.again.IsZero() {
		r.kept = s
	}
}

// gone completes the verdict on an object that is not there: whether it has
// been, and whether that is as it should be.
func (r *record) gone(u *Update) {
	before := r.latest.Result
	switch {
	case !r.existed:
	case before.Status == status.NotFoundStatus:
		u.Result.Reason, u.Result.Message = before.Reason, before.Message
	case before.Status == status.CurrentStatus && before.Reason == "Completed":
		u.Result.Reason, u.Result.Message = "ExpiredTTL", "it had completed and was removed"
	default:
		u.Result.Reason, u.Result.Message = "Deleted", "it was deleted"
	}
}

// stand says where the target stands for one who waits.
func (r *record) stand(w *Watcher, u *Update, obj status.Object, now time.Time) {
	met, absence := true, false
	for _, g := range w.goals() {
		ok, wants := g.Met(*u, obj)
		met, absence = met && ok, absence || g.Absence
		if !ok && wants != "" && u.Wants == "" {
			u.Wants = wants
		}
	}
	sick := !met && !absence && ailing(u.Result)
	switch {
	case !sick:
		r.ailing = time.Time{}
	case r.ailing.IsZero():
		r.ailing = now
	}
	switch {
	case met:
		u.Standing, u.Wants = Met, ""
	case u.Result.Reason == "Forbidden", u.Result.Reason == "BadScope":
		u.Standing = Barred
	case u.Result.Reason == "NeverSeen", u.Result.Reason == "NoMatch":
		u.Standing = Missing
	case absence:
		u.Standing = Open
	case u.Result.Failure == status.Terminal:
		u.Standing = Failed
	case sick:
		r.weigh(w.grace(), u, now)
	default:
		u.Standing = Open
	}
}

// weigh decides whether what is wrong has lasted for long enough to count.
// Until then an object is InProgress, since it may heal.
func (r *record) weigh(g Grace, u *Update, now time.Time) {
	u.FailsAt = r.ailing.Add(g.of(u.Result.Reason))
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
}

// verdict says where a sighted target stands by itself.
func (w *Watcher) verdict(s Sighting) (status.Result, []status.Read) {
	if s.Err != nil {
		reason := "Transport"
		if why, ok := errors.AsType[*Unreadable](s.Err); ok {
			reason = why.Reason
		}
		return status.Result{Status: status.UnknownStatus, Reason: reason, Message: s.Err.Error(), Confidence: status.Explicit}, nil
	}
	if s.Object == nil {
		return status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "it does not exist", Confidence: status.Explicit}, nil
	}
	if w.Explain {
		x, err := w.Evaluator.Explain(s.Object)
		if err != nil {
			return malformed(err), nil
		}
		return x.Result, x.Reads
	}
	r, err := w.Evaluator.Compute(s.Object)
	if err != nil {
		return malformed(err), nil
	}
	return *r, nil
}

func malformed(err error) status.Result {
	return status.Result{Status: status.UnknownStatus, Reason: "Malformed", Message: err.Error(), Confidence: status.Explicit}
}

// same reports whether nothing that is worth telling differs.
func same(a, b *Update) bool {
	x, y := a.Result, b.Result
	return x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message && x.Failure == y.Failure &&
		x.Suspended == y.Suspended && x.Confidence == y.Confidence && slices.Equal(x.Warnings, y.Warnings) &&
		a.Version == b.Version && a.Standing == b.Standing && a.Wants == b.Wants && a.FailsAt.Sub(b.FailsAt).Abs() < time.Second
}

// soonest returns the first of a time and the end of a span, the zero time if there is neither.
func soonest(at, now time.Time, after time.Duration) time.Time {
	if after <= 0 {
		return at
	}
	if end := now.Add(after); at.IsZero() || end.Before(at) {
		return end
	}
	return at
}

// versionOf reads which version of an object this is.
func versionOf(obj status.Object) (v Version) {
	root := obj.UnstructuredContent()
	meta, _ := root["metadata"].(map[string]any)
	state, _ := root["status"].(map[string]any)
	v.UID, _ = meta["uid"].(string)
	v.Generation, v.Observed = whole(meta["generation"]), whole(state["observedGeneration"])
	return v
}

// whole reads a whole number of the types that decoders deliver; zero for anything else.
func whole(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case int:
		return int64(v)
	case float64:
		return int64(v)
	}
	return 0
}
