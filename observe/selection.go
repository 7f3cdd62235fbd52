package observe

import (
	"fmt"
	"slices"

	"kstatus.dev/status"
)

// matched makes the verdict on a selection: whether it has as many objects as
// it must have. Where objects are to go away, none is as good as any.
func (r *record) matched(w *Watcher, u *Update) {
	least := max(1, w.Min)
	if r.terms.absence() || r.has >= least {
		u.Result = status.Result{Status: status.CurrentStatus, Reason: "NoStatusExpected", Confidence: status.Explicit,
			Message: fmt.Sprintf("%d objects match", r.has)}
		return
	}
	u.Result.Message = fmt.Sprintf("%d of %d objects match", r.has, least)
}

// member judges one of the objects that a selection has.
func (d *desk) member(of *record, s sight, now moment) (open bool) {
	r := d.records[s.Target]
	in := r != nil && slices.Contains(r.of, of)
	switch {
	case !in && s.Object == nil:
		return false
	case s.Object == nil && s.Err == nil:
		return d.leave(of, r, s, now)
	case r == nil:
		r = d.newRecord(s.Target, false)
		d.records[s.Target] = r
	}
	if !in {
		r.of = append(r.of, of)
		of.has++
	}
	if !r.outdated(s) {
		d.judge(r, s, now)
	}
	open = d.file(r)
	if !in {
		d.recount(of, now)
	}
	return open
}

// leave takes an object out of a selection. If nothing else asks for it, it is
// as good as gone. One that had completed goes on to count: it was there.
func (d *desk) leave(of, r *record, s sight, now moment) (open bool) {
	last := !r.named && len(r.of) == 1
	if !last || r.ended != completed || r.terms.absence() {
		r.of = slices.DeleteFunc(r.of, func(each *record) bool { return each == of })
		of.has--
	}
	if last {
		d.judge(r, s, now)
	}
	open = d.file(r)
	d.recount(of, now)
	return open
}

// left reports whether the target is no longer one of the objects of any
// selection, and nothing else asks for it. Where objects are to go away, that
// it has gone is worth telling.
func (r *record) left(u *Update) bool {
	return !r.named && len(r.of) == 0 && u.Standing != Met
}

// outdated reports whether an object that is seen in several ways has been
// seen at a later version already. Where it is asked for by its name as well,
// one that is gone as far as that tells is not there for the sake of a selection
// that is behind.
func (r *record) outdated(s sight) bool {
	if s.Object == nil || !r.existed || len(r.of) < 2 && !(r.named && len(r.of) == 1) {
		return false
	}
	have, v := r.seen.Version, versionOf(s.Object)
	if r.named && s.Of != (Target{}) && r.seen.Result.Status == status.NotFoundStatus && v.UID != "" && v.UID == have.UID {
		return true
	}
	order, ok := compareVersions(v.Resource, have.Resource)
	return ok && order < 0 && v.UID == have.UID
}

// recount judges a selection anew because it has another number of objects,
// once all that it has are known.
func (d *desk) recount(of *record, now moment) {
	if of.seen.Result.Status != "" && of.seen.Err == nil {
		d.judge(of, d.w.look(Sighting{Target: of.seen.Target}), now)
		d.file(of)
	}
}

// pass lets the objects of a selection share what became of it: that it cannot
// be looked at, that it can again, or that its kind is no longer served. Those
// that are seen in other ways as well are left to these.
func (d *desk) pass(of *record, s sight, now moment) {
	for t, r := range d.records {
		if r.named || len(r.of) != 1 || r.of[0] != of {
			continue
		}
		switch {
		case s.result.Reason == "NoMatch":
			d.leave(of, r, d.w.look(Sighting{Target: t}), now)
		case s.Err != nil && r.seen.Result.Status == status.NotFoundStatus: // it is known to be gone
		case s.Err != nil:
			d.judge(r, sight{Sighting{Target: t, Err: s.Err}, s.result, nil}, now)
			d.file(r)
		case r.stale != 0:
			r.fresh(now)
			u := *r.seen
			u.Err = nil
			r.seen = &u
			d.conclude(r, now)
			d.file(r)
		}
	}
}
