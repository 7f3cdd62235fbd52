package observe

import (
	"math"
	"slices"
	"time"

	"kstatus.dev/status"
)

// How long a target may be out of reach before its last verdict is given up.
const staleLimit = moment(2 * time.Minute)

// A moment is a time as it has passed since the watch began; 0: never.
type moment time.Duration

// plus returns the moment that is d later; the last one there is for one who
// gives all the time there is.
func (m moment) plus(d time.Duration) moment {
	if d > 0 && moment(d) > math.MaxInt64-m {
		return math.MaxInt64
	}
	return m + moment(d)
}

// A record is what is known of one target.
type record struct {
	terms *Terms
	floor *Floor // nil: none
	named bool   // it was asked for by itself, not only as one of a selection

	// As in Terms, or as the object itself asks:
	within, firstStatus time.Duration
	ignore              bool

	of    []*record        // the selections that have it
	has   int              // how many objects a selection has
	parts map[Target]*part // of what its controller has made, what is not there yet

	seen    *Update // the verdict on the target by itself; it is latest where nothing else counts
	latest  *Update // the latest verdict; without a status before the first. It is not changed
	told    *Update // the one that was yielded last; without a status before the first
	outlook *outlook
	fits    bool // what was seen is as wished
	queued  bool // latest waits to be yielded

	existed bool   // it has been seen
	ended   ending // how what was last seen had ended
	expires bool   // it is removed by itself some time after it has ended
	latched bool   // this version has met the goals, with Terms.Latch
	reached bool   // it has been seen at its floor

	first  moment // when it was first seen
	stale  moment // since when it could not be looked at
	ailing moment // since when something has been wrong without a break
	lull   moment // since when it is not, because the part that was in trouble has gone
	met    moment // since when the goals have been met without a break

	weighed moment // when it was judged by its parts last

	kept  status.Object // what is to be judged again at due; nil if nothing is
	due   moment
	again moment // when to judge again, which is at due or sooner
	slot  int    // where it stands among the alarms, from 1; 0: it does not
}

// An ending says how an object had ended when it was last seen.
type ending byte

const (
	notEnded ending = iota
	completed
	failed // for good
)

var unheard = new(Update)

func (d *desk) newRecord(t Target, named bool) *record {
	terms := d.termsOf(t)
	r := &record{terms: terms, named: named, within: terms.Within, firstStatus: terms.FirstStatus, ignore: terms.Ignore, seen: &Update{Target: t}, latest: unheard, told: unheard}
	if d.w.Floor != nil {
		if floor := d.w.Floor(t); floor != (Floor{}) {
			r.floor = &floor
		}
	}
	return r
}

// judge makes the latest verdict from a sighting.
func (d *desk) judge(r *record, s sight, now moment) {
	if s.Err != nil && s.result.Reason == "Transport" && r.heard() {
		u := *r.seen
		u.Err = s.Err
		r.seen = &u
		if r.stale == 0 {
			r.stale = now
		}
	} else {
		r.fresh(now)
		d.see(r, s, now)
	}
	d.conclude(r, now)
}

// heard reports whether there is a verdict that can be kept while the target
// is out of reach.
func (r *record) heard() bool {
	return r.seen.Result.Status != "" && r.seen.Result.Reason != "Transport"
}

// fresh takes note that the target can be looked at. While it could not, no
// grace has run.
func (r *record) fresh(now moment) {
	if r.stale != 0 && r.ailing != 0 {
		r.ailing += now - r.stale
	}
	r.stale = 0
}

// renew judges again because it is time to.
func (d *desk) renew(r *record, now moment) {
	if r.kept != nil && r.due <= now && r.stale == 0 {
		d.judge(r, d.w.look(Sighting{Target: r.seen.Target, Object: r.kept}), now)
		return
	}
	d.conclude(r, now)
}

// see judges a target by itself.
func (d *desk) see(r *record, s sight, now moment) {
	r.kept, r.due, r.outlook = nil, 0, nil
	u := &Update{Target: r.seen.Target, Err: s.Err, Version: r.seen.Version, Result: s.result, Reads: s.reads}
	under := false
	switch {
	case s.Err != nil:
		if r.existed && u.Result.Reason == "NoMatch" {
			u.Result, u.Err = status.Result{Status: status.NotFoundStatus, Reason: "KindRemoved", Confidence: status.Explicit,
				Message: "its kind is no longer served, so it is gone"}, nil
		}
	case u.Target.IsSelection():
		r.matched(d.w, u)
	case s.Object == nil:
		r.gone(u)
	default:
		r.there(u, s.Object, now)
		r.end(d.w, u, s.Object)
		u.Result.Warnings = append(slices.Clip(u.Result.Warnings), r.asked(s.Object)...)
		if under = r.under(u); !under {
			d.unanswered(r, u, s.Object)
		}
	}
	r.fits, u.Wants = r.wish(u, s.Object, under)
	r.seen = u
	if u.Result.Recheck > 0 {
		r.kept, r.due = s.Object, now.plus(u.Result.Recheck)
	}
}

// there takes note of which object it is that exists.
func (r *record) there(u *Update, obj status.Object, now moment) {
	if !r.existed {
		r.existed, r.first = true, now
	}
	former := u.Version
	u.Version = versionOf(obj)
	u.Version.Replaced = former.Replaced
	if former.UID != "" && former.UID != u.Version.UID {
		u.Version.Replaced, r.first = former.UID, now
		r.ended, r.ailing = notEnded, 0
	}
	if former.UID != u.Version.UID || former.Generation != u.Version.Generation {
		r.latched = false
		if r.lull != 0 {
			r.ailing, r.lull = 0, 0
		}
	}
	if u.Version.Replaced != "" {
		u.Result.Warnings = append(slices.Clip(u.Result.Warnings), "it replaced an object of the same name, with UID "+u.Version.Replaced)
	}
}

// end takes note of how the object has ended, for when it will be gone. What
// was not at its end before it was deleted did not get there, except where
// having ended is why it is deleted.
func (r *record) end(w *Watcher, u *Update, obj status.Object) {
	spec, _ := obj.UnstructuredContent()["spec"].(map[string]any)
	r.expires = spec["ttlSecondsAfterFinished"] != nil
	result, leaving := u.Result, u.Result.Status == status.TerminatingStatus
	if leaving && r.ended == notEnded && r.expires {
		alive, _ := without(obj, "metadata", "deletionTimestamp")
		result = w.look(Sighting{Target: u.Target, Object: alive}).result
	}
	switch {
	case result.Status == status.CurrentStatus && result.Reason == "Completed":
		r.ended = completed
	case result.Failure == status.Terminal:
		r.ended = failed
	case !leaving:
		r.ended = notEnded
	}
	if leaving && r.ended == failed {
		u.Result.Failure = status.Terminal
	}
}

// gone completes the verdict on an object that is not there: whether it has
// been, and whether that is as it should be.
func (r *record) gone(u *Update) {
	before, result := r.seen.Result, &u.Result
	switch {
	case !r.existed && r.floor != nil && r.floor.UID != "":
		result.Reason, result.Message = "Deleted", "it was deleted before it was seen; how it had ended is not known"
	case !r.existed:
	case before.Status == status.NotFoundStatus:
		*result = before
	case r.ended == completed:
		result.Reason, result.Message = "ExpiredTTL", "it had completed and was removed"
	case r.ended == failed:
		result.Reason, result.Message, result.Failure = "Deleted", "it had failed and was removed", status.Terminal
		if before.Status == status.FailedStatus {
			result.Message += ": " + before.Message
		}
	case r.expires:
		result.Reason, result.Message = "Deleted", "it was deleted; how it had ended was not seen"
	case !r.named:
		result.Reason, result.Message = "Deleted", "it was deleted, or does not match any more"
	default:
		result.Reason, result.Message = "Deleted", "it was deleted"
	}
}

// wish says whether the goals are met, and if not what they have found. What is
// under its floor meets none, except that it be gone.
func (r *record) wish(u *Update, obj status.Object, under bool) (fits bool, wants string) {
	if u.Target.IsSelection() {
		return u.Result.Status == status.CurrentStatus || u.Result.Reason == "NoMatch" && r.terms.absence(), ""
	}
	met := 0
	for _, g := range r.terms.Goals {
		if under && !g.Absence {
			continue
		}
		ok, found := g.Met(*u, obj)
		if ok {
			met++
		} else if wants == "" {
			wants = found
		}
	}
	if met == len(r.terms.Goals) || r.terms.Any && met > 0 {
		return true, ""
	}
	return false, wants
}
