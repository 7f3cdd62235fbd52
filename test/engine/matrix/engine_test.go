package matrix

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/leaks"
	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/lib/witness"
)

// untilGone are the requirements of a wait for deletion.
var untilGone = observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}

// An engine follows targets in the background and stores all its updates.
type engine struct {
	t    *testing.T
	stop context.CancelFunc

	mu        sync.Mutex // guards the fields below
	updates   []observe.Update
	board     map[observe.Target]observe.Update
	err       error
	isStopped bool
}

// watch starts an engine on a cluster. check, if not nil, is called with every update. At the
// end of the test, the engine is stopped, and all its goroutines must end soon.
func watch(t *testing.T, config *rest.Config, terms observe.Requirements, check func(observe.Update), targets ...observe.Target) *engine {
	t.Helper()
	return run(t, observe.Watcher{Source: &source.Cluster{Config: config}, Requirements: terms}, check, targets...)
}

// follow starts an engine with its own line, which has no faults.
func follow(t *testing.T, c *cluster.Cluster, terms observe.Requirements, targets ...observe.Target) *engine {
	t.Helper()
	config, _ := newServerConn(c.Config())
	return watch(t, config, terms, nil, targets...)
}

func run(t *testing.T, w observe.Watcher, check func(observe.Update), targets ...observe.Target) *engine {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	e := &engine{t: t, stop: stop, board: map[observe.Target]observe.Update{}}
	ended := make(chan struct{})
	started := time.Now()
	go leaks.Do(ctx, t.Name(), func(ctx context.Context) {
		defer close(ended)
		for u, err := range w.Updates(ctx, targets...) {
			e.add(u, err)
			if check != nil && err == nil {
				check(u)
			}
		}
		e.mu.Lock()
		e.isStopped = true
		e.mu.Unlock()
	})
	t.Cleanup(func() {
		stop()
		select {
		case <-ended:
		case <-time.After(poll.Patience):
			t.Errorf("the engine goes on after it was told to stop")
		}
		leaks.Check(t, t.Name())
		if t.Failed() {
			e.mu.Lock()
			defer e.mu.Unlock()
			t.Logf("what was told from %s on, and the error %v:", started.Format(time.TimeOnly), e.err)
			for _, u := range e.updates {
				t.Log(witness.FormatUpdate(u))
			}
		}
	})
	return e
}

func (e *engine) add(u observe.Update, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.err = err
		return
	}
	e.updates = append(e.updates, u)
	e.board[u.Target] = u
	if u.Removed {
		delete(e.board, u.Target)
	}
}

// waitUntil waits for an expected state. Forbidden events are checked at every update instead.
func (e *engine) waitUntil(what string, is func(board map[observe.Target]observe.Update) bool) {
	e.t.Helper()
	poll.Wait(e.t, what, func() bool {
		e.mu.Lock()
		board, over, err := maps.Clone(e.board), e.isStopped, e.err
		e.mu.Unlock()
		reached := is(board)
		if !reached && over {
			e.t.Fatalf("the engine has ended (%v) before %s", err, what)
		}
		return reached
	})
}

// waitForStatus waits until a target has a fresh verdict with a status, and with a reason if one is
// given.
func (e *engine) waitForStatus(t observe.Target, s status.Status, reasons ...string) observe.Update {
	e.t.Helper()
	var last observe.Update
	e.waitUntil(fmt.Sprintf("%s is %s %s", t, s, strings.Join(reasons, " or ")), func(board map[observe.Target]observe.Update) bool {
		last = board[t]
		return last.Result.Status == s && last.StaleSince.IsZero() && (len(reasons) == 0 || slices.Contains(reasons, last.Result.Reason))
	})
	return last
}

// waitForUpdate waits until a target has been reported with a status and a reason, which it may have
// left since.
func (e *engine) waitForUpdate(t observe.Target, s status.Status, reason string) {
	e.t.Helper()
	e.waitUntil(fmt.Sprintf("%s has been %s %s", t, s, reason), func(map[observe.Target]observe.Update) bool {
		updates, _ := e.since(0)
		return slices.ContainsFunc(updates, func(u observe.Update) bool {
			return u.Target == t && u.Result.Status == s && u.Result.Reason == reason
		})
	})
}

// waitForProgress waits until all targets have the given progress.
func (e *engine) waitForProgress(s observe.Progress, targets ...observe.Target) {
	e.t.Helper()
	e.waitUntil(fmt.Sprintf("%v is %s", targets, s), func(board map[observe.Target]observe.Update) bool {
		return !slices.ContainsFunc(targets, func(t observe.Target) bool { return board[t].Progress != s })
	})
}

// since returns the updates from the nth on, and their total number.
func (e *engine) since(n int) ([]observe.Update, int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.updates[n:]), len(e.updates)
}
