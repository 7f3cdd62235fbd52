package observe

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"kstatus.dev/status"
)

// A Watcher turns sightings into updates. Only Source is required.
type Watcher struct {
	Source          Source
	Evaluator       status.Evaluator           // how objects are judged; its clock is the Watcher's as well
	Requirements    Requirements               // what is asked of every target
	RequirementsFor func(Target) *Requirements // what is asked of some instead; nil for the others. Those with the same share their Terms, which are kept
	MinVersion      func(Target) Version       // the version that a target must have reached at least
	MinObjects      int                        // how many objects a selection must have at least; 0: one. Fewer than none cannot be asked for
	Heartbeat       time.Duration              // if not zero, an Update without a Target is yielded at this interval, as a sign of life
	Evidence        bool                       // fill in Update.Reads
}

func (w *Watcher) now() time.Time {
	if w.Evaluator.Now == nil {
		return time.Now()
	}
	return w.Evaluator.Now()
}

// Updates yields the first verdict on every target, then one Update per change
// of a verdict, until ctx ends, the caller stops ranging, or the source fails;
// that last is yielded as an error, as is at once a target that names no kind.
//
// Every target has had its first Update by the first that is Synced, also if
// it does not exist or may not be read, and what a selection has at first has
// had one before the selection itself. Verdicts that differ in nothing are not
// repeated. A caller that is slower than the cluster sees fewer updates, but of
// each target always the last one. Verdicts that depend on the time are renewed
// when it has come. No goroutine outlives the range.
func (w Watcher) Updates(ctx context.Context, targets ...Target) iter.Seq2[Update, error] {
	w.Requirements = w.Requirements.withDefaults()
	return func(yield func(Update, error) bool) {
		if len(targets) == 0 {
			return
		}
		if i := slices.IndexFunc(targets, func(t Target) bool { return t.Kind.Kind == "" }); i >= 0 {
			yield(Update{}, fmt.Errorf("observe: target %d of %d: want a kind, have none", i+1, len(targets)))
			return
		}
		tr, once := newTracker(&w, targets)
		ctx, stop := context.WithCancel(ctx)
		ended := make(chan error)
		go func() {
			defer close(ended)
			ended <- w.Source.Observe(ctx, once, tr.report)
		}()
		defer func() {
			stop()
			for range ended {
			}
		}()
		err := tr.run(ctx, ended, yield)
		if err != nil {
			yield(Update{}, err)
		}
	}
}

// errStopped is the error of a source that ends before its context does.
var errStopped = errors.New("the source stopped by itself")

// run yields updates until there are no more.
func (tr *tracker) run(ctx context.Context, ended <-chan error, yield func(Update, error) bool) error {
	var tick <-chan time.Time
	if tr.watcher.Heartbeat > 0 {
		t := time.NewTicker(tr.watcher.Heartbeat)
		defer t.Stop()
		tick = t.C
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if !tr.yieldQueued(ctx, yield) {
			return nil
		}
		timer.Stop()
		if next, set := tr.runTimers(ctx); set {
			timer.Reset(next)
		}
		select {
		case <-tr.wakeup:
		case <-timer.C:
		case <-tick:
			if !yield(Update{Synced: tr.inSync()}, nil) {
				return nil
			}
		case err := <-ended:
			if !tr.yieldQueued(ctx, yield) || ctx.Err() != nil {
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
// more. It runs timers in between.
func (tr *tracker) yieldQueued(ctx context.Context, yield func(Update, error) bool) bool {
	for u, ok := tr.dequeue(); ok; u, ok = tr.dequeue() {
		if !yield(u, nil) {
			return false
		}
		tr.runTimers(ctx)
	}
	return true
}
