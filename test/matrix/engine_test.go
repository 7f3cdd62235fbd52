package matrix

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// patience is how long anything may take that is bound to come. It is long, since the
// machine may be slow; what is forbidden is checked at every update instead.
const patience = 2 * time.Minute

// An engine follows targets in the background and keeps all that it tells.
type engine struct {
	t    *testing.T
	stop context.CancelFunc

	mu    sync.Mutex // guards what follows
	told  []observe.Update
	board map[observe.Target]observe.Update
	err   error
	over  bool
}

// watch starts an engine on a cluster. check, if not nil, hears every update as it
// comes. When the test ends the engine is stopped, and must be gone soon, whole.
func watch(t *testing.T, config *rest.Config, terms observe.Terms, check func(observe.Update), targets ...observe.Target) *engine {
	t.Helper()
	return run(t, observe.Watcher{Source: &source.Cluster{Config: config}, Terms: terms}, check, targets...)
}

func run(t *testing.T, w observe.Watcher, check func(observe.Update), targets ...observe.Target) *engine {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	e := &engine{t: t, stop: stop, board: map[observe.Target]observe.Update{}}
	ended := make(chan struct{})
	started := time.Now()
	go pprof.Do(ctx, pprof.Labels("engine", t.Name()), func(ctx context.Context) {
		defer close(ended)
		for u, err := range w.Updates(ctx, targets...) {
			e.hear(u, err)
			if check != nil && err == nil {
				check(u)
			}
		}
		e.mu.Lock()
		e.over = true
		e.mu.Unlock()
	})
	t.Cleanup(func() {
		stop()
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			t.Errorf("the engine goes on after it was told to stop")
		}
		leftBehind(t)
		if t.Failed() {
			e.mu.Lock()
			defer e.mu.Unlock()
			t.Logf("what was told from %s on, and the error %v:", started.Format(time.TimeOnly), e.err)
			for _, u := range e.told {
				t.Log(say(u))
			}
		}
	})
	return e
}

func (e *engine) hear(u observe.Update, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.err = err
		return
	}
	e.told = append(e.told, u)
	e.board[u.Target] = u
	if u.Left {
		delete(e.board, u.Target)
	}
}

// leftBehind fails the test if a goroutine that its engines have started still runs.
// Goroutines inherit the label of the one that starts them.
func leftBehind(t *testing.T) {
	var stacks bytes.Buffer
	for range 200 {
		stacks.Reset()
		if err := pprof.Lookup("goroutine").WriteTo(&stacks, 1); err != nil {
			t.Error(err)
		}
		if !strings.Contains(stacks.String(), fmt.Sprintf("%q:%q", "engine", t.Name())) {
			return
		}
		time.Sleep(50 * time.Millisecond) // what net/http closes it closes a moment later
	}
	t.Errorf("goroutines of the engine are left:\n%s", stacks.String())
}

// until waits for what is bound to come.
func (e *engine) until(what string, is func(board map[observe.Target]observe.Update) bool) {
	e.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		e.mu.Lock()
		board, over, err := maps.Clone(e.board), e.over, e.err
		e.mu.Unlock()
		if is(board) {
			return
		}
		if over {
			e.t.Fatalf("the engine has ended (%v) before %s", err, what)
		}
		if time.Now().After(end) {
			e.t.Fatalf("after %s it is not yet so that %s", patience, what)
		}
	}
}

// stands waits until a target has a status, looked at just now, and a reason if one is given.
func (e *engine) stands(t observe.Target, s status.Status, reasons ...string) observe.Update {
	e.t.Helper()
	var last observe.Update
	e.until(fmt.Sprintf("%s is %s %s", t, s, strings.Join(reasons, " or ")), func(board map[observe.Target]observe.Update) bool {
		last = board[t]
		return last.Result.Status == s && last.Stale.IsZero() && (len(reasons) == 0 || slices.Contains(reasons, last.Result.Reason))
	})
	return last
}

// since returns what was told from the nth update on, and how many there are by now.
func (e *engine) since(n int) ([]observe.Update, int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.told[n:]), len(e.told)
}

// say tells an update in a line.
func say(u observe.Update) string {
	text := fmt.Sprintf("%s %s %s/%s: %s; uid %.8s generation %d observed %d version %s", u.Target, u.Standing, u.Result.Status, u.Result.Reason,
		u.Result.Message, u.Version.UID, u.Version.Generation, u.Version.Observed, u.Version.Resource)
	if !u.Stale.IsZero() {
		text += " stale since " + u.Stale.Format(time.TimeOnly)
	}
	return text
}
