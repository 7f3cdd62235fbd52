package observe

import (
	"errors"
	"slices"
	"time"

	"kstatus.dev/status"
)

// How long a target may be out of reach before its last verdict is given up.
const staleLimit = 2 * time.Minute

// A record is what is known of one target.
type record struct {
	terms  *Terms
	floor  *Floor
	within time.Duration // as in Terms, or as the object itself asks
	ignore bool          // as in Terms, or as the object itself asks
	fits   bool          // what was seen is as wished

	member *record          // the selection that it is of; nil for what was asked for by name
	has    int              // how many objects a selection has
	parts  map[Target]*part // those of its parts that are in trouble

	seen   *Update // the verdict on the target by itself; it is latest where nothing else counts
	latest *Update // the latest verdict; without a status before the first. It is not changed
	told   *Update // the one that was yielded last; without a status before the first
	queued bool    // latest waits to be yielded

	existed bool      // it has been seen
	first   time.Time // when it was first seen
	stale   time.Time // since when it could not be looked at; zero if it can be
	ailing  time.Time // since when something has been wrong without a break; zero if nothing is
	met     time.Time // since when the goals have been met without a break; zero if they are not
	latched Floor     // the version that has met the goals, with Terms.Latch

	again time.Time     // when to judge again; zero: not before it changes
	kept  status.Object // what is to be judged again then; nil if what was seen suffices
}

var unheard = new(Update)

func (d *desk) newRecord(t Target) *record {
	terms := d.termsOf(t)
	r := &record{terms: terms, within: terms.Within, ignore: terms.Ignore, seen: &Update{Target: t}, latest: unheard, told: unheard}
	if d.w.Floor != nil {
		if floor := d.w.Floor(t); floor != (Floor{}) {
			r.floor = &floor
		}
	}
	return r
}

// judge makes the latest verdict from a sighting.
func (d *desk) judge(r *record, s Sighting, now time.Time) {
	r.again, r.kept = time.Time{}, nil
	r.see(d.w, s, now)
	d.conclude(r, now)
}

// renew judges again because it is time to.
func (d *desk) renew(r *record, now time.Time) {
	if r.kept != nil {
		d.judge(r, Sighting{Target: r.seen.Target, Object: r.kept}, now)
		return
	}
	r.again = time.Time{}
	d.conclude(r, now)
}

// see judges a target by itself. One that is out of reach keeps its verdict.
func (r *record) see(w *Watcher, s Sighting, now time.Time) {
	before := r.seen
	if s.Err != nil && reasonOf(s.Err) == "Transport" && before.Result.Status != "" && before.Result.Reason != "Transport" {
		if r.stale.IsZero() {
			r.stale = now
		}
		u := *before
		u.Err = s.Err
		r.seen = &u
		return
	}
	r.stale = time.Time{}
	u := Update{Target: before.Target, Err: s.Err, Version: before.Version}
	u.Result, u.Reads = w.verdict(s)
	switch {
	case s.Err != nil:
		if r.existed && u.Result.Reason == "NoMatch" {
			u.Result, u.Err = status.Result{Status: status.NotFoundStatus, Reason: "KindRemoved", Confidence: status.Explicit,
				Message: "its kind is no longer served, so it is gone"}, nil
		}
	case before.Target.IsSelection():
		r.matched(w, &u)
	case s.Object == nil:
		r.gone(&u)
	default:
		r.there(w, &u, s, now)
	}
	r.wish(&u, s.Object)
	r.seen = &u
	if u.Result.Recheck > 0 {
		r.wake(now.Add(u.Result.Recheck))
		r.kept = s.Object
	}
}

// there completes the verdict on an object that exists.
func (r *record) there(w *Watcher, u *Update, s Sighting, now time.Time) {
	if !r.existed {
		r.existed, r.first = true, now
	}
	former := u.Version.UID
	replaced := u.Version.Replaced
	u.Version = versionOf(s.Object)
	u.Version.Replaced = replaced
	if former != "" && former != u.Version.UID {
		u.Version.Replaced, r.first = former, now
	}
	if u.Version.Replaced != "" {
		u.Result.Warnings = append(slices.Clip(u.Result.Warnings), "it replaced an object of the same name, with UID "+u.Version.Replaced)
	}
	r.asked(s.Object)
	if r.floor != nil {
		r.floor.under(u)
	}
	if r.unanswered(w, u, s, now) {
		r.kept = s.Object
	}
}

// gone completes the verdict on an object that is not there: whether it has
// been, and whether that is as it should be.
func (r *record) gone(u *Update) {
	before := r.seen.Result
	switch {
	case !r.existed && r.floor != nil && r.floor.UID != "":
		u.Result.Reason, u.Result.Message = "Deleted", "it was deleted before it was seen"
	case !r.existed:
	case before.Status == status.NotFoundStatus:
		u.Result.Reason, u.Result.Message = before.Reason, before.Message
	case before.Status == status.CurrentStatus && before.Reason == "Completed":
		u.Result.Reason, u.Result.Message = "ExpiredTTL", "it had completed and was removed"
	default:
		u.Result.Reason, u.Result.Message = "Deleted", "it was deleted"
	}
}

// wish says whether the goals are met, and if not what they have found.
func (r *record) wish(u *Update, obj status.Object) {
	if u.Target.IsSelection() {
		r.fits = u.Result.Status == status.CurrentStatus
		return
	}
	met := 0
	for _, g := range r.terms.Goals {
		ok, wants := g.Met(*u, obj)
		if ok {
			met++
		} else if u.Wants == "" {
			u.Wants = wants
		}
	}
	r.fits = met == len(r.terms.Goals) || r.terms.Any && met > 0
	if r.fits {
		u.Wants = ""
	}
}

// conclude makes the latest verdict of what was seen of the target, of its
// parts, and of what time it is.
func (d *desk) conclude(r *record, now time.Time) {
	u := *r.seen
	u.Stale, u.FailsAt = r.stale, time.Time{}
	fits := r.fits
	r.lift(&u, d.w, now)
	if r.expire(&u, now) {
		fits = false
	}
	r.stand(&u, fits, d.began, now)
	u.Left = r.member != nil && u.Result.Status == status.NotFoundStatus && u.Standing != Met
	u.Since = r.latest.Since
	if u.Since.IsZero() || u.Result.Status != r.latest.Result.Status {
		u.Since = now
	}
	if r.seen.Result.Status == u.Result.Status && r.seen.Result.Message == u.Result.Message && r.seen.Wants == u.Wants {
		r.seen = &u
	}
	r.latest = &u
}

// expire gives up a verdict that is too old to rest on.
func (r *record) expire(u *Update, now time.Time) bool {
	if r.stale.IsZero() {
		return false
	}
	if over := r.stale.Add(staleLimit); now.Before(over) {
		r.wake(over)
		return false
	}
	u.Result = status.Result{Status: status.UnknownStatus, Reason: "Transport", Message: u.Err.Error(), Confidence: status.Explicit}
	return true
}

// wake asks for the target to be judged again at a time, if not sooner.
func (r *record) wake(at time.Time) {
	if r.again.IsZero() || at.Before(r.again) {
		r.again = at
	}
}

// verdict says where a sighted target stands by itself.
func (w *Watcher) verdict(s Sighting) (status.Result, []status.Read) {
	if s.Err != nil {
		return status.Result{Status: status.UnknownStatus, Reason: reasonOf(s.Err), Message: s.Err.Error(), Confidence: status.Explicit}, nil
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

// reasonOf returns the reason of a verdict on what cannot be looked at.
func reasonOf(err error) string {
	if why, ok := errors.AsType[*Unreadable](err); ok {
		return why.Reason
	}
	return "Transport"
}

// same reports whether nothing that is worth telling differs. The
// resourceVersion alone is not.
func same(a, b *Update) bool {
	x, y := a.Result, b.Result
	v := a.Version
	v.Resource = b.Version.Resource
	return x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message && x.Failure == y.Failure &&
		x.Suspended == y.Suspended && x.Confidence == y.Confidence && slices.Equal(x.Warnings, y.Warnings) &&
		v == b.Version && a.Standing == b.Standing && a.Wants == b.Wants && a.FailsAt.Sub(b.FailsAt).Abs() < time.Second &&
		a.Stale.IsZero() == b.Stale.IsZero() && a.Left == b.Left
}

// versionOf reads which version of an object this is.
func versionOf(obj status.Object) (v Version) {
	root := obj.UnstructuredContent()
	meta, _ := root["metadata"].(map[string]any)
	state, _ := root["status"].(map[string]any)
	v.UID, _ = meta["uid"].(string)
	v.Resource, _ = meta["resourceVersion"].(string)
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
