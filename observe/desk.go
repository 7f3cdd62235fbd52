package observe

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// A desk is where sightings come in and updates go out.
type desk struct {
	w       *Watcher
	began   time.Time
	windows map[string]time.Duration // by reason, how long trouble lasts before its verdict is Failed
	news    chan struct{}            // has an item while something may be queued, or due sooner

	mu      sync.Mutex        // guards what follows
	terms   map[*Terms]*Terms // those that some targets have for themselves
	records map[Target]*record
	queue   []*record
	alarms  alarms
	outlook *outlook // the one that most have who have one
	untold  int      // how many of the targets have not had their first update
	synced  bool     // every one has, and what selections have as well
}

// newDesk returns a desk for targets, and these without what they have twice.
func newDesk(w *Watcher, targets []Target) (*desk, []Target) {
	d := &desk{w: w, windows: w.Evaluator.Profile.Windows(), news: make(chan struct{}, 1), records: make(map[Target]*record, len(targets))}
	d.began = w.now().Add(-1) // so that no moment is zero
	once := make([]Target, 0, len(targets))
	for _, t := range targets {
		if d.records[t] == nil {
			d.records[t] = d.newRecord(t, true)
			once = append(once, t)
		}
	}
	d.untold = len(once)
	return d, once
}

func (d *desk) now() moment { return moment(d.w.now().Sub(d.began)) }

// time returns a moment as a time of day; the zero time for never.
func (d *desk) time(m moment) time.Time {
	if m == 0 {
		return time.Time{}
	}
	return d.began.Add(time.Duration(m))
}

// saw judges a sighting at once, so that the object can be let go. It returns
// whether the target, or what the sighting is of, is still waited for.
func (d *desk) saw(sighting Sighting) (open bool) {
	s := d.w.look(sighting)
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	of := d.records[s.Of]
	switch {
	case s.Of == Target{}:
	case of == nil:
		return false
	case s.Of.IsSelection():
		return d.member(of, s, now)
	default:
		changed := d.part(of, s, now)
		if of.seen.Result.Status == "" {
			return true // it will be judged with its parts once it is seen
		}
		if changed {
			d.weighParts(of, now)
		}
		return d.file(of)
	}
	r := d.records[s.Target]
	switch {
	case r == nil:
		return false
	case s.Target.IsSelection():
		d.pass(r, s, now)
	case r.outdated(s):
		return d.file(r)
	}
	d.judge(r, s, now)
	return d.file(r)
}

// file queues the latest verdict on a target if it tells anything, and returns
// whether the target is still waited for.
func (d *desk) file(r *record) (open bool) {
	d.alarms.set(r)
	queue := !r.queued && !same(r.latest, r.told)
	switch {
	case queue:
		r.queued = true
		d.queue = append(d.queue, r)
	case !r.queued:
		r.told = r.latest
	}
	if queue || r.slot == 1 {
		select {
		case d.news <- struct{}{}:
		default:
		}
	}
	return r.latest.Standing != Met && r.latest.Standing != Ignored
}

// next takes the target whose change has waited longest, and returns its
// latest verdict. What has come into a selection and left it before anybody
// was told is passed over.
func (d *desk) next() (Update, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.queue) > 0 {
		r := d.queue[0]
		d.queue[0] = nil
		d.queue = d.queue[1:]
		r.queued = false
		u, first := *r.latest, r.told == unheard
		if u.Left {
			r.again = 0
			d.alarms.set(r)
			delete(d.records, u.Target)
		}
		if first && u.Left || same(r.latest, r.told) {
			r.told = r.latest
			continue
		}
		if first && r.named {
			d.untold--
			d.synced = d.untold == 0
		}
		u.Previous, u.Synced = r.told.Result.Status, d.synced
		r.told = r.latest
		return u, true
	}
	return Update{}, false
}

// recheck judges again what is due, and returns in what time the next will be,
// if any. Once ctx has ended nothing is.
func (d *desk) recheck(ctx context.Context) (next time.Duration, set bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.alarms) == 0 || ctx.Err() != nil {
		return 0, false
	}
	now := d.now()
	for len(d.alarms) > 0 && d.alarms[0].again <= now {
		r := d.alarms[0]
		d.renew(r, now)
		d.file(r)
	}
	if len(d.alarms) == 0 {
		return 0, false
	}
	return time.Duration(d.alarms[0].again - now), true
}

func (d *desk) inSync() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.synced
}

// An alarms is a heap of the records that are to be judged again by
// themselves, the next one first.
type alarms []*record

// set puts a record where its time is.
func (a *alarms) set(r *record) {
	switch {
	case r.again == 0 && r.slot == 0:
	case r.again == 0:
		heap.Remove(a, r.slot-1)
	case r.slot == 0:
		heap.Push(a, r)
	default:
		heap.Fix(a, r.slot-1)
	}
}

// Len, Less, Swap, Push and Pop are for package heap.
func (a alarms) Len() int           { return len(a) }
func (a alarms) Less(i, j int) bool { return a[i].again < a[j].again }

func (a alarms) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].slot, a[j].slot = i+1, j+1
}

// Push appends a record.
func (a *alarms) Push(x any) {
	r := x.(*record)
	*a = append(*a, r)
	r.slot = len(*a)
}

// Pop takes the last record away.
func (a *alarms) Pop() any {
	last := len(*a) - 1
	r := (*a)[last]
	(*a)[last] = nil
	*a = (*a)[:last]
	r.slot = 0
	return r
}
