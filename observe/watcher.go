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
	Evaluator status.Evaluator // how objects are judged; its clock is the Watcher's as well
	Goals     []Goal           // all must be met by the same version of an object; none: Current
	Grace     Grace            // nil: DefaultGrace
	Every     time.Duration    // if not zero, an Update without a Target is yielded at this interval, as a sign of life
	Explain   bool             // fill in Update.Reads
}

func (w *Watcher) goals() []Goal {
	if len(w.Goals) == 0 {
		return []Goal{Current()}
	}
	return w.Goals
}

func (w *Watcher) grace() Grace {
	if w.Grace == nil {
		return DefaultGrace()
	}
	return w.Grace
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
	w.Goals, w.Grace = w.goals(), w.grace()
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
	targets []Target
	news    chan struct{} // has an item while something may be queued

	mu      sync.Mutex // guards what follows
	records map[Target]*record
	queue   []*record
	timed   map[*record]struct{} // those to be judged again at a known time
	told    int                  // how many targets have had their first update
}

func newDesk(w *Watcher, targets []Target) *desk {
	d := &desk{w: w, news: make(chan struct{}, 1), records: make(map[Target]*record, len(targets)), timed: map[*record]struct{}{}}
	unheard := new(Update)
	for _, t := range targets {
		if d.records[t] == nil {
			d.records[t] = &record{latest: unheard, told: unheard}
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
			if !yield(Update{Synced: d.synced()}, nil) {
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

// saw judges a sighting at once, so that the object can be let go.
func (d *desk) saw(s Sighting) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.records[s.Target]
	if r == nil {
		return
	}
	d.judge(r, s)
}

func (d *desk) judge(r *record, s Sighting) {
	r.judge(d.w, s, d.w.now())
	if r.again.IsZero() {
		delete(d.timed, r)
	} else {
		d.timed[r] = struct{}{}
	}
	if r.queued || same(r.latest, r.told) {
		return
	}
	r.queued = true
	d.queue = append(d.queue, r)
	select {
	case d.news <- struct{}{}:
	default:
	}
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
		if r.told.Result.Status == "" {
			d.told++
		}
		u := *r.latest
		u.Previous, u.Synced = r.told.Result.Status, d.told == len(d.records)
		r.latest, r.told = &u, &u
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
			d.judge(r, r.kept)
		}
		if !r.again.IsZero() && (next.IsZero() || r.again.Before(next)) {
			next = r.again
		}
	}
	return next
}

func (d *desk) synced() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.told == len(d.records)
}
