package pause

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/status"
)

const (
	syncTimeout   = 15 * time.Second       // for the first lists and watches
	finalTimeout  = 900 * time.Millisecond // for the last writes after the timeout
	finalGrace    = 400 * time.Millisecond // for the last writes after the end of ctx
	settleTime    = time.Second            // how long all objects must be done
	verifyPause   = time.Second            // between two verifications
	messagePause  = 10 * time.Second       // between two messages on a target
	evaluatePause = 20 * time.Millisecond  // between two evaluations
	firstRetry    = 100 * time.Millisecond // before a write is repeated
	lastRetry     = 5 * time.Second
	concurrency   = 10 // writes at the same time
)

// A runner is a call of Pause or Unpause. Only its loop uses the tracker. Other goroutines send
// functions to the loop.
type runner struct {
	options  Options
	unpause  bool
	client   *management.Client
	tracker  *tracker
	requests atomic.Int64

	events    chan func(now time.Time)
	ended     chan struct{} // closed when the loop no longer reads events
	running   crash.Group
	slots     chan struct{} // one for each write in progress
	syncing   int           // scopes that are not connected yet
	called    time.Time
	began     time.Time
	verifying bool
	verifyAt  time.Time
	errs      []error
}

// run pauses or unpauses targets.
func run(ctx context.Context, config *rest.Config, targets []status.ID, o Options, unpause bool) (*Result, error) {
	r := &runner{options: o.withDefaults(), unpause: unpause, called: time.Now(), events: make(chan func(time.Time), 4096), ended: make(chan struct{}), slots: make(chan struct{}, concurrency)}
	ctx = klog.NewContext(ctx, klog.Logger{}) // OnNote reports what client-go would log
	var err error
	if r.client, err = management.NewClient(management.Counted(config, &r.requests)); err != nil {
		return r.unread(targets, err), err
	}
	defer r.client.Close()
	kinds, err := r.kinds(ctx)
	if err != nil {
		return r.unread(targets, err), err
	}
	r.tracker = newTracker(r.options, unpause, targets, kinds)
	watching, stop := context.WithCancel(ctx)
	r.watch(watching)
	err = r.loop(ctx)
	stop()
	close(r.ended)
	r.running.Wait()
	return r.result(), err
}

// unread returns the result if nothing could be read.
func (r *runner) unread(targets []status.ID, err error) *Result {
	result := &Result{Requests: int(r.requests.Load())}
	reason := ReasonUnreadable
	if apierrors.IsForbidden(err) {
		reason = ReasonForbidden
	}
	for _, t := range targets {
		result.Targets = append(result.Targets, TargetResult{ID: t, Reason: reason, Message: facts.Text(err.Error())})
	}
	return result
}

// kinds returns the kinds to watch: those of Cluster API and of Options.Resources. Values of Secrets
// and ConfigMaps are not needed.
func (r *runner) kinds(ctx context.Context) ([]*management.Kind, error) {
	limited, cancel := context.WithDeadline(ctx, r.called.Add(r.options.Timeout))
	defer cancel()
	kinds, err := r.client.Kinds(limited)
	if err != nil && (len(kinds) == 0 || limited.Err() != nil) {
		return nil, fmt.Errorf("find the kinds of Cluster API: %w", err)
	}
	if err != nil {
		r.note("%v", err)
	}
	known := map[schema.GroupResource]bool{}
	for _, k := range kinds {
		known[k.GroupVersionResource().GroupResource()] = true
	}
	for _, resource := range r.options.Resources {
		if known[resource] {
			continue
		}
		known[resource] = true
		k, err := r.client.Kind(ctx, resource)
		if err != nil {
			return nil, err
		}
		if k != nil {
			kinds = append(kinds, k)
		}
	}
	return slices.DeleteFunc(kinds, (*management.Kind).MetadataOnly), nil
}

// post sends a function to the loop.
func (r *runner) post(f func(now time.Time)) {
	select {
	case r.events <- f:
	case <-r.ended:
	}
}

// note reports a line. Only the loop calls it after the start.
func (r *runner) note(format string, args ...any) {
	if r.options.OnNote != nil {
		r.options.OnNote(facts.Text(fmt.Sprintf(format, args...)))
	}
}

// loop runs until all targets are done, until the timeout, or until ctx ends.
func (r *runner) loop(ctx context.Context) error {
	if err := r.sync(ctx); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	r.began = time.Now()
	writing, stop := context.WithCancel(ctx)
	defer stop()
	for _, p := range r.tracker.targets {
		r.start(writing, p)
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now := time.Now()
		next := r.tracker.evaluate(now)
		r.report()
		next = sleep.Earliest(next, r.write(writing, now), r.verify(writing, now))
		end := r.deadline(now)
		if r.finished() {
			return errors.Join(r.errs...)
		}
		if !now.Before(end) || ctx.Err() != nil {
			stop()
			return r.end(ctx)
		}
		timer.Reset(max(evaluatePause, sleep.Earliest(next, end).Sub(now)))
		select {
		case <-ctx.Done():
		case <-timer.C:
		case f := <-r.events:
			f(time.Now())
			r.drain()
			time.Sleep(evaluatePause) // a burst of events is evaluated once
			r.drain()
		}
	}
}

// drain runs the functions that have been posted.
func (r *runner) drain() {
	for range cap(r.events) {
		select {
		case f := <-r.events:
			f(time.Now())
		default:
			return
		}
	}
}

// sync waits until all scopes are watched, so that no change after the pause is missed. A scope
// that cannot be read for a time is reported as an object.
func (r *runner) sync(ctx context.Context) error {
	late := time.NewTimer(min(syncTimeout, r.options.Timeout/2))
	defer late.Stop()
	for r.syncing > 0 {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case f := <-r.events:
			f(time.Now())
		case <-late.C:
			for _, k := range r.tracker.kinds {
				for namespace, s := range k.scopes {
					if !s.connected && s.object == nil {
						s.object = r.scopeObject(k, namespace, ReasonUnreadable, "its objects cannot be read at the moment")
					}
				}
			}
			return nil
		}
	}
	return nil
}

// scopeObject returns the object that represents a scope.
func (r *runner) scopeObject(k *kind, namespace string, reason Reason, message string) *object {
	return &object{kind: k, Object: Object{ID: management.IDOf(k.GroupKind(), namespace, ""), Version: k.Version, Reason: reason, Message: message}}
}

// report calls OnChange for each change.
func (r *runner) report() {
	if r.options.OnChange != nil {
		slices.SortFunc(r.tracker.changed, func(a, b Object) int { return compareByNamespace(a.ID, b.ID) })
		for _, o := range r.tracker.changed {
			r.options.OnChange(o)
		}
	}
	r.tracker.changed = nil
}

// finished reports whether no target needs anything more.
func (r *runner) finished() bool {
	for _, p := range r.tracker.targets {
		if p.writing {
			return false
		}
		if !p.failed && !p.ignored && (p.doneSince.IsZero() || p.phase != r.lastPhase(p)) {
			return false
		}
	}
	return !r.isWaking()
}

// isWaking reports whether an object still has the annotation that woke its controller.
func (r *runner) isWaking() bool {
	return slices.ContainsFunc(r.tracker.wokenObjects(), func(o *object) bool { return o.IsWoken })
}

// deadline returns when the call ends. An object with the annotation block-move may have its own.
func (r *runner) deadline(now time.Time) time.Time {
	all := r.called.Add(r.options.Timeout)
	last := time.Time{}
	for _, p := range r.tracker.targets {
		isDone := !p.writing && !p.doneSince.IsZero() && p.phase == r.lastPhase(p)
		if p.failed || p.ignored || isDone {
			continue
		}
		if len(p.open) == 0 {
			last = sleep.Latest(last, all)
		}
		for _, o := range p.open {
			own := all
			if limit := o.blockLimit(); limit > 0 && p.written {
				own = p.at.Add(limit)
			}
			last = sleep.Latest(last, own)
		}
	}
	return cmp.Or(last, all)
}

// blockLimit returns how long an object may have the annotation block-move, and zero without a
// limit of its own.
func (o *object) blockLimit() time.Duration {
	if !o.BlocksMove {
		return 0
	}
	return cmp.Or(max(0, o.BlockMoveTimeout), o.kind.blockMoveTimeout)
}

// end writes what is true at the timeout or when ctx has ended.
func (r *runner) end(ctx context.Context) error {
	lingering, stop := sleep.Linger(ctx, finalGrace)
	defer stop()
	last, cancel := context.WithTimeout(lingering, finalTimeout)
	defer cancel()
	interrupted := ctx.Err() != nil
	var writes crash.Group
	for _, o := range r.tracker.wokenObjects() {
		if o.IsWoken {
			id, k, f := o.ID, o.kind, o.Facts
			writes.Go(func() { _, _ = r.patch(last, id, k, f, sleepPatch) }) // the next call tries again
		}
	}
	for _, p := range r.tracker.targets {
		o := r.tracker.objects[p.ID]
		if p.failed || p.ignored || o == nil {
			continue
		}
		phase, message := r.phaseOf(p)
		if !p.written && o.Phase == "" {
			continue // nothing was written, and nothing will be
		}
		if interrupted && phase != r.lastPhase(p) {
			message = r.interruptedText() + message
		}
		if len(p.open) == 0 && phase != r.lastPhase(p) {
			message += "the latest versions of its objects could not be confirmed"
		}
		p.result.Phase, p.result.Message = phase, message
		if p.result.Reason = ""; phase != r.lastPhase(p) {
			p.result.Reason = ReasonObjectsBusy
		}
		k, f := o.kind, o.Facts
		writes.Go(func() { _, _ = r.patch(last, p.ID, k, f, r.phasePatch(phase, message)) }) // the result has it
	}
	writes.Wait()
	if interrupted {
		return errors.Join(append(r.errs, context.Cause(ctx))...)
	}
	return errors.Join(r.errs...)
}

// result returns the result. It runs after the loop.
func (r *runner) result() *Result {
	result := &Result{Requests: int(r.requests.Load())}
	if !r.began.IsZero() {
		result.Duration = time.Since(r.began)
	}
	for _, o := range r.tracker.all() {
		if !o.isReported {
			continue
		}
		one := o.Object
		if one.State != Acknowledged && one.Writes > 0 {
			one.Message += fmt.Sprintf(" (writes: %d, the last one at %s)", one.Writes, one.LastWrite.UTC().Format(time.RFC3339))
		}
		slices.SortFunc(one.Targets, compareByNamespace)
		result.Objects = append(result.Objects, one)
	}
	slices.SortFunc(result.Objects, func(a, b Object) int { return compareByNamespace(a.ID, b.ID) })
	for _, p := range r.tracker.targets {
		one := p.result
		one.Written = p.written
		if !p.failed && !p.ignored {
			one.Done = p.phase == r.lastPhase(p) && len(p.open) == 0
			if one.Phase == "" {
				one.Phase, one.Message = p.phase, p.message
			}
		}
		result.Targets = append(result.Targets, one)
	}
	return result
}
