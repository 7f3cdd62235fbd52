package observe

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"kstatus.dev/internal/crash"
)

// A watch gives the events of a source and the time to its tracker, and yields the updates.
type watch struct {
	watcher  *Watcher
	wakeup   chan struct{}               // has an item if the tracker may have updates or another first timer
	panicked atomic.Pointer[crash.Panic] // the first panic of a goroutine of the source

	mu      sync.Mutex // guards the tracker, but not its judge
	tracker *tracker
}

// newWatch returns a watch of targets, and the targets without duplicates.
func newWatch(ctx context.Context, w *Watcher, targets []Target) (*watch, []Target) {
	tr, once := newTracker(w, targets)
	if end, ok := ctx.Deadline(); ok {
		tr.deadline = offset(1).add(max(1, time.Until(end)))
	}
	return &watch{watcher: w, wakeup: make(chan struct{}, 1), tracker: tr}, once
}

// now returns the time since the watch began.
func (w *watch) now() offset { return offset(w.watcher.now().Sub(w.tracker.began)) }

// report judges an event at once, so that its object can be released. It returns whether the
// target, or the target in Of, is still waited for. A panic ends the watch, and the target is no
// longer waited for.
func (w *watch) report(e Event) (open bool) {
	defer func() {
		if v := recover(); v != nil {
			w.panicked.CompareAndSwap(nil, crash.New(v))
			w.wake()
		}
	}()
	obs := w.tracker.judge(e)
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.wakeIfChanged()
	return w.tracker.step(obs, w.now())
}

// wakeIfChanged makes the watch look at the tracker if that has changed.
func (w *watch) wakeIfChanged() {
	if w.tracker.changed {
		w.tracker.changed = false
		w.wake()
	}
}

// wake makes the watch look at what has changed.
func (w *watch) wake() {
	select {
	case w.wakeup <- struct{}{}:
	default:
	}
}

// errStopped is the error of a source that ends before its context does.
var errStopped = errors.New("the source stopped by itself")

// run yields updates until the watch ends.
func (w *watch) run(ctx context.Context, ended <-chan error, yield func(Update, error) bool) error {
	var tick <-chan time.Time
	if w.watcher.Heartbeat > 0 {
		t := time.NewTicker(w.watcher.Heartbeat)
		defer t.Stop()
		tick = t.C
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if !w.yieldQueued(ctx, yield) {
			return nil
		}
		timer.Stop()
		if next, set := w.runTimers(ctx); set {
			timer.Reset(next)
		}
		select {
		case <-w.wakeup:
		case <-timer.C:
		case <-tick:
			if !yield(Update{Synced: w.isSynced()}, nil) {
				return nil
			}
		case err := <-ended:
			if !w.yieldQueued(ctx, yield) || ctx.Err() != nil {
				return nil
			}
			if err == nil {
				err = errStopped
			}
			return err
		}
	}
}

// yieldQueued yields the queued updates, and reports whether the caller wants
// more. It runs timers in between. If a goroutine of the source has panicked, it panics in the
// goroutine that ranges over the updates, so that its callers can recover.
func (w *watch) yieldQueued(ctx context.Context, yield func(Update, error) bool) bool {
	if p := w.panicked.Load(); p != nil {
		panic(p)
	}
	for u, ok := w.next(); ok; u, ok = w.next() {
		if !yield(u, nil) {
			return false
		}
		w.runTimers(ctx)
	}
	return true
}

func (w *watch) next() (Update, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tracker.next()
}

// runTimers lets the timers of the tracker fire, and returns the time until the next one fires, if
// any is set. It does nothing after ctx has ended.
func (w *watch) runTimers(ctx context.Context) (next time.Duration, set bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker.nextTimer() == 0 || ctx.Err() != nil {
		return 0, false
	}
	defer w.wakeIfChanged()
	now := w.now()
	w.tracker.expire(now)
	at := w.tracker.nextTimer()
	return time.Duration(at - now), at != 0
}

// isSynced reports whether every target has had its first update.
func (w *watch) isSynced() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tracker.synced
}
