package move_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

// A suspension holds all requests of a process from one of them on, also the renewals of its Leases.
// When the process wakes, it sends them all.
type suspension struct {
	begun, ended chan struct{} // closed at the beginning and at the end

	mu   sync.Mutex // guards the fields below
	sent int
	at   int // the request that is the first to be held; zero means the one after last
	// last reports whether a request is the last one that is sent.
	last func(*http.Request) bool
}

func newSuspension(at int) *suspension {
	return &suspension{begun: make(chan struct{}), ended: make(chan struct{}), at: at}
}

// of returns options whose requests are held.
func (s *suspension) of(o move.Options) move.Options {
	for _, c := range []*rest.Config{o.Source, o.Target} {
		c.Wrap(func(next http.RoundTripper) http.RoundTripper { return &held{next, s} })
	}
	return o
}

// A held transport is one of a suspended process.
type held struct {
	next http.RoundTripper
	*suspension
}

// RoundTrip sends a request when the process is awake. It does not look at the context, because a
// suspended process does not either.
func (h *held) RoundTrip(r *http.Request) (*http.Response, error) {
	h.mu.Lock()
	h.sent++
	isHeld := h.at > 0 && h.sent >= h.at
	isLast := h.at == 0 && h.last(r)
	if isLast {
		h.at = h.sent
	}
	if isLast || isHeld && h.sent == h.at {
		close(h.begun)
	}
	h.mu.Unlock()
	if isHeld {
		<-h.ended
	}
	return h.next.RoundTrip(r)
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (h *held) WrappedRoundTripper() http.RoundTripper { return h.next }

// everything returns the versions of all objects of both clusters, except for Leases, and the
// journals in files.
func (w *world) everything(files ...string) map[string]string {
	w.Helper()
	bubble.Sleep(time.Second) // the controllers react
	w.watcher.mu.Lock()
	defer w.watcher.mu.Unlock()
	all := map[string]string{}
	for at, side := range w.watcher.now {
		for name, u := range side {
			if u.GetKind() != "Lease" {
				all[[]string{"source ", "target "}[at]+name] = string(u.GetUID()) + " " + u.GetResourceVersion()
			}
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.Error(err)
		}
		all[file] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return all
}

// changed returns the names of what differs.
func changed(before, after map[string]string) (names []string) {
	for name := range before {
		if before[name] != after[name] {
			names = append(names, name)
		}
	}
	for name := range after {
		if _, existed := before[name]; !existed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// suspendStride is the distance between the requests at which a process is suspended. It has no
// divisor in common with the number of phases in which it wakes.
const suspendStride = 8

// A process is suspended at a request, and another one resumes the move. The first one wakes while
// the other works, or afterwards. It changes nothing, and the other succeeds.
func TestSuspendedProcesses(t *testing.T) {
	wakings := []move.Phase{move.Pausing, move.Creating, move.Verifying, move.Deleting, move.Unpausing, move.Cleaning, move.Done}
	suspended, woken := map[move.Phase]bool{}, map[move.Phase]bool{}
	suspend(t, func(w *world, s *suspension, n int) (isOver bool) {
		o := with(w.options(), func(o *move.Options) { o.JournalNamespace, o.ID = "journals", "film" })
		x := takeover{w: w, suspension: s, first: run, second: resume, begins: move.Planned, wakes: wakings[n%len(wakings)], shares: n%2 == 0}
		isOver = x.play(o)
		suspended[x.at], woken[x.woken] = true, true
		if !isOver && x.woken != "" {
			w.watcher.checkMoved(copied...)
		}
		return isOver
	})
	for _, p := range wakings[:len(wakings)-1] {
		if !t.Failed() && (!suspended[p] || !woken[p]) {
			t.Errorf("while %s, a process was suspended: %t, woken: %t", p, suspended[p], woken[p])
		}
	}
}

// The same happens to a rollback, and the other process rolls back too.
func TestSuspendedRollbacks(t *testing.T) {
	wakings := []move.Phase{move.RollingBack, move.RolledBack, move.Done}
	woken := map[move.Phase]bool{}
	suspend(t, func(w *world, s *suspension, n int) (isOver bool) {
		o := with(w.options(), func(o *move.Options) { o.JournalNamespace, o.ID = "journals", "film" })
		repair := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(w.Context(), o)
		w.mustFail(err, "no room for web-1-x")
		repair()
		x := takeover{w: w, suspension: s, first: rollBack, second: rollBack, begins: move.Creating, wakes: wakings[n%len(wakings)], shares: n%2 == 0}
		isOver = x.play(o)
		woken[x.woken] = true
		w.watcher.checkRolledBack()
		return isOver
	})
	for _, p := range wakings {
		if !t.Failed() && !woken[p] {
			t.Errorf("no process has woken while %s", p)
		}
	}
}

// suspend plays a test with a suspension at each request, until it reports that there are no more.
func suspend(t *testing.T, play func(w *world, s *suspension, n int) (isOver bool)) {
	t.Helper()
	for at, n := 1, 0; ; at, n = at+suspendStride, n+1 {
		isOver := false
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			isOver = play(w, newSuspension(at), n)
		})
		if t.Failed() {
			t.Errorf("suspended at request %d", at)
		}
		if isOver || t.Failed() {
			t.Logf("%d suspensions in %d requests", n, at)
			return
		}
	}
}

// A takeover is a move with two processes. The first one is suspended.
type takeover struct {
	w             *world
	suspension    *suspension
	first, second func(context.Context, move.Options) (*move.Result, error)
	wakes         move.Phase // of the second process, in which the first one wakes; otherwise it wakes at the end
	shares        bool       // both processes have the same file
	begins        move.Phase // of the journal before the first process has begun

	at, woken move.Phase // of the first process when it is suspended, and of the second when the first wakes
}

// apart returns options with events of their own.
func (x *takeover) apart(o move.Options) move.Options {
	o.Source, o.Target = x.w.from.Config(), x.w.to.Config()
	o.OnEvent = func(move.Event) {}
	return o
}

// play runs both processes. It reports whether the first one has ended before its suspension.
func (x *takeover) play(o move.Options) (isOver bool) {
	ended := make(chan error, 1)
	go func() {
		_, err := x.first(context.Background(), x.suspension.of(x.apart(o)))
		ended <- err
	}()
	select {
	case <-x.suspension.begun:
	case err := <-ended:
		if err != nil {
			x.w.Error(err)
		}
		return true
	}
	files := []string{o.Journal}
	if !x.shares {
		o.Journal += ".second"
		files = append(files, o.Journal)
	}
	status, err := move.ReadStatus(x.w.Context(), o)
	if err != nil || x.w.to.Find(lease, "journals", "kstatus-move") == nil {
		// It has no lock yet or no journal that the second one finds, or has released the lock.
		close(x.suspension.ended)
		if err := <-ended; err != nil {
			x.w.Error(err)
		}
		return false
	}
	x.at = status.Phase
	second := x.apart(o)
	second.OnEvent = func(e move.Event) {
		if e.Phase == x.wakes && x.woken == "" {
			x.wake(x.wakes, ended, files)
		}
	}
	if _, err := x.second(x.w.Context(), second); err != nil {
		x.w.Errorf("the second process ends with %v", err)
	}
	if x.woken == "" {
		x.wake(move.Done, ended, files)
	}
	return false
}

// wake wakes the first process, and checks that it changes nothing.
func (x *takeover) wake(phase move.Phase, ended <-chan error, files []string) {
	x.woken = phase
	before := x.w.everything(files...)
	woke := time.Now()
	close(x.suspension.ended)
	err := <-ended
	if took := time.Since(woke); took > time.Second {
		x.w.Errorf("suspended while %s and woken while %s, the first process goes on for %s", x.at, phase, took)
	}
	isLast := x.at == move.Done || x.at == move.RolledBack
	if !isLast || err != nil { // the last requests are the release of the locks
		x.w.mustFail(err, "lost Lease journals/kstatus-move in the ")
	}
	if _, is := errors.AsType[*move.InterruptedError](err); !is && !isLast && x.at != x.begins {
		x.w.Errorf("have %#v, want an interruption", err)
	}
	if names := changed(before, x.w.everything(files...)); len(names) > 0 {
		x.w.Errorf("suspended while %s and woken while %s, the first process has changed %q", x.at, phase, names)
	}
}

// Two processes have the same file, and no locks. The first one notices at its next step that the
// other has gone on, and stops.
func TestTwoProcessesWithOneFile(t *testing.T) {
	inBubble(t, "the first one stops", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		var before map[string]string
		_, err := run(t.Context(), at(w.options(), move.Creating, func() {
			o := w.options()
			o.OnEvent = nil
			if _, err := resume(t.Context(), o); err != nil {
				t.Error(err)
			}
			before = w.everything(w.journal)
		}))
		w.mustFail(err, "another process has replaced it: only one process at a time may continue a move")
		w.mustFail(err, "look at the status of the move, and resume it unless another process does")
		if names := changed(before, w.everything(w.journal)); len(names) > 0 {
			t.Errorf("the first process has changed %q", names)
		}
		w.watcher.checkMoved(copied...)
	})
}

// The last write of a suspended process waits in the target, for a slow webhook. The target does not
// execute it after another process has taken over.
func TestWritesThatTheTargetHolds(t *testing.T) {
	inBubble(t, "it drops the write", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		o := with(w.options(), places[1].change)
		w.to.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"patch"}, Resource: "boxs"}, Times: 1, Reply: wiretest.Reply{Delay: 10 * time.Minute}})
		s := newSuspension(0)
		s.last = func(r *http.Request) bool {
			return r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/boxs/") && r.URL.Host == "target"
		}
		x := takeover{w: w, suspension: s, first: run, second: resume}
		first := x.apart(o)
		first.Target.Host = "http://target"
		ended := make(chan error, 1)
		go func() {
			_, err := run(context.Background(), s.of(first))
			ended <- err
		}()
		<-s.begun
		began := time.Now()
		if _, err := resume(t.Context(), x.apart(o)); err != nil {
			t.Fatal(err)
		}
		before := w.everything()
		if took := time.Since(began); took > 9*time.Minute {
			t.Fatalf("the second process took %s, and the write was executed before its end", took)
		}
		bubble.Sleep(10 * time.Minute)
		if names := changed(before, w.everything()); len(names) > 0 {
			t.Errorf("the write has changed %q", names)
		}
		x.at = move.Creating
		x.wake(move.Done, ended, nil)
		w.watcher.checkMoved(copied...)
	})
}
