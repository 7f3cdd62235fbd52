package wire

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/leaks"
	"kstatus.dev/test/lib/poll"
)

// A wait is a wait in progress.
type wait struct {
	t     *testing.T
	label string        // of its goroutines
	done  chan struct{} // closed at its end

	mu      sync.Mutex // guards the fields below
	board   observe.Board
	updates []observe.Update
	outcome observe.Outcome
	err     error
}

// waitFor starts a wait for the targets of a scene.
func (s *fixture) waitFor(config *rest.Config, p observe.Policy) *wait {
	s.t.Helper()
	ctx, cancel := context.WithTimeoutCause(s.t.Context(), poll.Patience, observe.ErrTimeout)
	w := &wait{t: s.t, label: s.namespace, done: make(chan struct{})}
	gone := &observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}
	watcher := observe.Watcher{
		Source: &source.Cluster{Config: config},
		RequirementsFor: func(t observe.Target) *observe.Requirements {
			if t.Name == old.Name {
				return gone
			}
			return nil
		},
	}
	s.t.Cleanup(cancel)
	go leaks.Do(ctx, w.label, func(ctx context.Context) {
		defer close(w.done)
		w.follow(ctx, watcher, p, s.targets())
	})
	return w
}

// follow works like [observe.Watcher.Wait], and stores the updates.
func (w *wait) follow(ctx context.Context, watcher observe.Watcher, p observe.Policy, targets []observe.Target) {
	for u, err := range watcher.Updates(ctx, targets...) {
		w.mu.Lock()
		if err != nil {
			w.err = err
			w.outcome = observe.OutcomeUnknown
		} else {
			w.updates = append(w.updates, u)
			w.board.Add(u)
			w.outcome = w.board.Outcome(p)
		}
		end := w.outcome != observe.OutcomePending
		w.mu.Unlock()
		if end {
			return
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outcome = w.board.End(p, context.Cause(ctx))
}

// synced reports whether every target has a first verdict.
func (w *wait) synced() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.board.Synced()
}

// pending fails the test if the wait is over.
func (w *wait) pending() {
	w.t.Helper()
	if w.ended() {
		w.t.Fatalf("the wait has ended too early: %s", w)
	}
}

func (w *wait) ended() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// requireOutcome waits for the end. It requires the outcome, and that no goroutine is left.
func (w *wait) requireOutcome(want observe.Outcome) {
	w.t.Helper()
	poll.Wait(w.t, "the wait ends", w.ended)
	if w.outcome != want || w.err != nil {
		w.t.Errorf("have %s, %v, want %s: %s", w.outcome, w.err, want, w)
	}
	leaks.Check(w.t, w.label)
}

// waitForSync waits until every target has a first verdict.
func (w *wait) waitForSync() {
	w.t.Helper()
	poll.Wait(w.t, "everything has a verdict", w.synced)
}

// succeeds requires that the wait continues until the scene moves on, and then succeeds.
func (w *wait) succeeds(s *fixture) {
	w.t.Helper()
	w.pending()
	s.completeTargets()
	w.requireOutcome(observe.OutcomeSuccess)
	w.requireFewUpdates()
}

// count returns the number of updates that satisfy a condition.
func (w *wait) count(of func(observe.Update) bool) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.updates {
		if of(u) {
			n++
		}
	}
	return n
}

func isUnknown(u observe.Update) bool { return u.Result.Status == status.UnknownStatus }
func isStale(u observe.Update) bool   { return !u.StaleSince.IsZero() }

// becomesStale returns a function for consecutive updates. It reports whether an update makes a
// verdict stale.
func becomesStale() func(observe.Update) bool {
	lost := map[observe.Target]bool{}
	return func(u observe.Update) bool {
		was := lost[u.Target]
		lost[u.Target] = isStale(u)
		return isStale(u) && !was
	}
}

// countStale returns the number of stale verdicts.
func (w *wait) countStale() (n int) {
	for _, u := range w.latest() {
		if isStale(u) {
			n++
		}
	}
	return n
}

// String formats the updates, one on each line.
func (w *wait) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var b strings.Builder
	for _, u := range w.updates {
		fmt.Fprintf(&b, "\n\t%s %s %s %s %s", u.Target.Name, u.Result.Status, u.Result.Reason, u.Progress, u.Message())
		if isStale(u) {
			fmt.Fprintf(&b, " (stale: %v)", u.Err)
		}
	}
	return b.String()
}

// latest returns the latest update of each target, by name.
func (w *wait) latest() map[string]observe.Update {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := map[string]observe.Update{}
	for _, u := range w.updates {
		all[u.Target.Name] = u
	}
	return all
}

// maxUpdates is the limit for the updates of a wait through faults. It permits a few verdicts for
// each target, and one more each time the target becomes stale or fresh.
const maxUpdates = 40

// requireFewUpdates requires few updates. It also requires that a connection fault never removes
// a verdict.
func (w *wait) requireFewUpdates() {
	w.t.Helper()
	if n := w.count(func(observe.Update) bool { return true }); n > maxUpdates {
		w.t.Errorf("have %d updates, want at most %d: %s", n, maxUpdates, w)
	}
	known := map[observe.Target]bool{}
	lost := w.count(func(u observe.Update) bool {
		known[u.Target] = known[u.Target] || !isUnknown(u)
		return known[u.Target] && u.Result.Reason == "Transport"
	})
	if lost > 0 {
		w.t.Errorf("%d verdicts are lost: %s", lost, w)
	}
}
