package observe

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"kstatus.dev/status"
)

// A Watcher turns sightings into updates. Only Source is required.
type Watcher struct {
	Source    Source
	Evaluator status.Evaluator    // how objects are judged; its clock is the Watcher's as well
	Terms     Terms               // what is asked of every target
	For       func(Target) *Terms // what is asked of some instead; nil for the others. Terms may be shared
	Floor     func(Target) Floor  // the version that a target must have reached at least
	Min       int                 // how many objects a selection must have at least; 0: one. Fewer than none cannot be asked for
	Every     time.Duration       // if not zero, an Update without a Target is yielded at this interval, as a sign of life
	Explain   bool                // fill in Update.Reads
}

func (w *Watcher) now() time.Time {
	if w.Evaluator.Now == nil {
		return time.Now()
	}
	return w.Evaluator.Now()
}

// Updates yields the first verdict on every target, then one Update per change
// of a verdict, until ctx ends, the caller stops ranging, or the source fails;
// that last is yielded as an error.
//
// Every target has exactly one Update before the first that is Synced, also if
// it does not exist or may not be read. Verdicts that differ in nothing are not
// repeated. A caller that is slower than the cluster sees fewer updates, but of
// each target always the last one. Verdicts that depend on the time are
// renewed when it has come. No goroutine outlives the range.
func (w Watcher) Updates(ctx context.Context, targets ...Target) iter.Seq2[Update, error] {
	w.Terms = w.Terms.complete()
	return func(yield func(Update, error) bool) {
		if len(targets) == 0 {
			return
		}
		d := newDesk(&w, targets)
		ctx, stop := context.WithCancel(ctx)
		ended := make(chan error)
		go func() {
			defer close(ended)
			ended <- w.Source.Observe(ctx, d.targets, d.saw)
		}()
		defer func() {
			stop()
			for range ended {
			}
		}()
		err := d.run(ctx, ended, yield)
		if err != nil {
			yield(Update{}, err)
		}
	}
}

// A desk is where sightings come in and updates go out.
type desk struct {
	w       *Watcher
	began   time.Time
	targets []Target
	news    chan struct{} // has an item while something may be queued

	mu      sync.Mutex        // guards what follows
	terms   map[*Terms]*Terms // those that some targets have for themselves
	records map[Target]*record
	queue   []*record
	timed   map[*record]struct{} // those to be judged again at a known time
	asked   int                  // how many of targets have had their first update
	synced  bool                 // every one has, and what selections have as well
}

func newDesk(w *Watcher, targets []Target) *desk {
	d := &desk{w: w, news: make(chan struct{}, 1), records: make(map[Target]*record, len(targets)), timed: map[*record]struct{}{}}
	d.began = w.now()
	for _, t := range targets {
		if d.records[t] == nil {
			d.records[t] = d.newRecord(t)
			d.targets = append(d.targets, t)
		}
	}
	return d
}

// run hands out updates until there are no more.
func (d *desk) run(ctx context.Context, ended <-chan error, yield func(Update, error) bool) error {
	var tick <-chan time.Time
	if d.w.Every > 0 {
		t := time.NewTicker(d.w.Every)
		defer t.Stop()
		tick = t.C
	}
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for {
		for u, ok := d.next(); ok; u, ok = d.next() {
			if !yield(u, nil) {
				return nil
			}
		}
		alarm.Stop()
		if at := d.recheck(); !at.IsZero() {
			alarm.Reset(at.Sub(d.w.now()))
		}
		select {
		case <-d.news:
		case <-alarm.C:
		case <-tick:
			if !yield(Update{Synced: d.inSync()}, nil) {
				return nil
			}
		case err := <-ended:
			for u, ok := d.next(); ok; u, ok = d.next() {
				if !yield(u, nil) {
					return nil
				}
			}
			if err == nil && ctx.Err() == nil {
				err = errors.New("the source stopped by itself")
			}
			if ctx.Err() != nil {
				err = nil
			}
			return err
		}
	}
}

// saw judges a sighting at once, so that the object can be let go. It returns
// whether the target is still waited for.
func (d *desk) saw(s Sighting) (open bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, now := d.records[s.Target], d.w.now()
	switch of := d.records[s.Of]; {
	case s.Of == Target{}:
	case of == nil:
		return false
	case !s.Of.IsSelection():
		of.part(d.w, s, now)
		d.conclude(of, now)
		return d.file(of)
	default:
		return d.member(of, s, now)
	}
	if r == nil {
		return false
	}
	d.judge(r, s, now)
	return d.file(r)
}

// member judges one of the objects that a selection has.
func (d *desk) member(of *record, s Sighting, now time.Time) (open bool) {
	r := d.records[s.Target]
	joins := r == nil || r.latest.Left
	switch {
	case joins && s.Object == nil:
		return false
	case r == nil:
		r = d.newRecord(s.Target)
		r.member = of
		d.records[s.Target] = r
	}
	d.judge(r, s, now)
	open = d.file(r)
	if r.member != of {
		return open
	}
	switch {
	case r.latest.Left:
		of.has--
	case joins:
		of.has++
	default:
		return open
	}
	if of.seen.Result.Status != "" {
		d.judge(of, Sighting{Target: s.Of}, now)
		d.file(of)
	}
	return open
}

// file queues the latest verdict on a target if it tells anything, and returns
// whether the target is still waited for.
func (d *desk) file(r *record) (open bool) {
	if r.again.IsZero() {
		delete(d.timed, r)
	} else {
		d.timed[r] = struct{}{}
	}
	if !r.queued && !same(r.latest, r.told) {
		r.queued = true
		d.queue = append(d.queue, r)
		select {
		case d.news <- struct{}{}:
		default:
		}
	}
	return r.latest.Standing != Met && r.latest.Standing != Ignored
}

// next takes the target whose change has waited longest, and returns its latest verdict.
func (d *desk) next() (Update, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.queue) > 0 {
		r := d.queue[0]
		d.queue[0] = nil
		d.queue = d.queue[1:]
		r.queued = false
		if same(r.latest, r.told) {
			continue
		}
		if r.told.Result.Status == "" && r.member == nil {
			d.asked++
		}
		u := *r.latest
		u.Previous = r.told.Result.Status
		d.synced = d.synced || d.asked == len(d.targets)
		u.Synced = d.synced
		if r.seen == r.latest {
			r.seen = &u
		}
		r.latest, r.told = &u, &u
		if u.Left {
			delete(d.records, u.Target)
			delete(d.timed, r)
		}
		return u, true
	}
	return Update{}, false
}

// recheck judges again what is due, and returns when the next will be; the
// zero time if nothing will.
func (d *desk) recheck() (next time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.w.now()
	for r := range d.timed {
		if !r.again.After(now) {
			d.renew(r, now)
			d.file(r)
		}
		if !r.again.IsZero() && (next.IsZero() || r.again.Before(next)) {
			next = r.again
		}
	}
	return next
}

func (d *desk) inSync() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.synced
}
