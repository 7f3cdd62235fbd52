package move_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// on answers requests to a server with a rule, and returns a function that removes it.
func on(side int, times int, reply wiretest.Reply, resource string, verbs ...string) func(*world, *line) func() {
	return func(w *world, _ *line) func() {
		return w.server(side).On(wiretest.Rule{Match: wiretest.Match{Verbs: verbs, Resource: resource}, Times: times, Reply: reply})
	}
}

// server returns the server of a side.
func (w *world) server(side int) *wiretest.Server {
	if side == target {
		return w.to
	}
	return w.from
}

// restarts cuts the network for a time.
func restarts(d time.Duration) func(*world, *line) func() {
	return func(_ *world, l *line) func() {
		l.down()
		time.AfterFunc(d, l.up)
		return func() {}
	}
}

// The answers of a server that has problems.
var (
	unavailable = wiretest.Reply{Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable}
	tooMany     = wiretest.Reply{Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests, RetryAfter: 2}
	conflict    = wiretest.Reply{Code: http.StatusConflict, Reason: metav1.StatusReasonConflict}
	cut         = wiretest.Reply{Bytes: 10, End: wiretest.Cut}
)

// reject has the target reject an object, unless the request is a dry run.
func reject(side int, verb, name string) func(*world, *line) func() {
	return func(w *world, _ *line) func() {
		return w.server(side).Admit(func(r wiretest.Request, u *unstructured.Unstructured) error {
			if r.Verb == verb && u.GetName() == name && !r.DryRun {
				return errors.New("no room for " + name)
			}
			return nil
		})
	}
}

// Something goes wrong when a phase begins. The move goes on by itself, or is resumed after the
// repair.
func TestFaults(t *testing.T) {
	for _, row := range []struct {
		it    string
		phase move.Phase
		fault func(*world, *line) (repair func())
		want  string // in the error; empty: the move succeeds
	}{
		{"waits for servers that restart during the pause", move.Pausing, restarts(10 * time.Second), ""},
		{"waits for servers that restart while objects are created", move.Creating, restarts(10 * time.Second), ""},
		{"waits for servers that restart while copies are compared", move.Verifying, restarts(10 * time.Second), ""},
		{"waits for servers that restart while objects are deleted", move.Deleting, restarts(10 * time.Second), ""},
		{"waits for servers that restart during the end of the pause", move.Unpausing, restarts(10 * time.Second), ""},
		{"waits for servers that restart while marks are removed", move.Cleaning, restarts(10 * time.Second), ""},
		{"repeats requests to a target that is unavailable", move.Creating, on(target, 8, unavailable, ""), ""},
		{"repeats requests to a target that is overloaded", move.Creating, on(target, 20, tooMany, ""), ""},
		{"repeats requests to a source that is unavailable", move.Deleting, on(source, 8, unavailable, ""), ""},
		{"repeats requests to a source that is overloaded", move.Deleting, on(source, 20, tooMany, ""), ""},
		{"repeats requests whose answer is cut", move.Creating, on(target, 10, cut, "", "create", "patch", "get"), ""},
		{"repeats deletions whose answer is cut", move.Deleting, on(source, 5, cut, "", "delete", "patch"), ""},
		{"repeats patches after conflicts", move.Deleting, on(source, 8, conflict, "", "patch"), ""},
		{"repeats deletions after conflicts", move.Deleting, on(source, 8, conflict, "", "delete"), ""},
		{"stops without the permission to create", move.Creating, on(target, 0, wiretest.Forbidden, "machines", "create"), "create machines in shop: forbidden"},
		{"stops without the permission to patch", move.Creating, on(target, 0, wiretest.Forbidden, "boxs", "patch"), "patch boxs in shop"},
		{"stops without the permission to delete", move.Deleting, on(source, 0, wiretest.Forbidden, "machines", "delete"), "delete machines in shop"},
		{"stops without the permission to read the target", move.Verifying, on(target, 0, wiretest.Forbidden, "machines", "list"), "list machines in shop"},
		{"stops without the permission to clean", move.Cleaning, on(target, 0, wiretest.Forbidden, "machines", "patch"), "patch machines in shop"},
		{"stops if the target rejects an object", move.Creating, reject(target, "create", "web-1-x"), "no room for web-1-x"},
		{"stops if the source rejects a deletion", move.Deleting, reject(source, "delete", "web-1"), "no room for web-1"},
		{"stops if the network is cut while objects are created", move.Creating, restarts(time.Hour), "connection refused"},
		{"stops if the network is cut while copies are compared", move.Verifying, restarts(time.Hour), "connection refused"},
		{"stops if the network is cut while objects are deleted", move.Deleting, restarts(time.Hour), "connection refused"},
		{"stops if the network is cut while objects are unpaused", move.Unpausing, restarts(time.Hour), "connection refused"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			l := &line{w: w}
			repair := func() { t.Error("the phase was not reached") }
			_, err := run(t.Context(), at(l.through(w.options()), row.phase, func() { repair = row.fault(w, l) }))
			repair()
			l.up()
			if row.want == "" && err != nil {
				t.Fatal(err)
			}
			if row.want == "" {
				w.watcher.checkMoved(copied...)
				return
			}
			interrupted, is := errors.AsType[*move.InterruptedError](err)
			if !is || interrupted.Phase != row.phase {
				t.Errorf("have %#v, want an interruption while %s", err, row.phase)
			}
			w.mustFail(err, row.want)
			w.checkStatus(row.phase, row.want)
			if err := w.settle(w.options(), false); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkStatus checks what the journal says about a move that has stopped in a phase.
func (w *world) checkStatus(phase move.Phase, failure string) {
	w.Helper()
	s, err := move.ReadStatus(w.Context(), move.Options{Journal: w.journal})
	if err != nil || s.Phase != phase || !s.MayResume || !strings.Contains(s.Failure, failure) {
		w.Errorf("the status is %+v: %v", s, err)
	}
	isLate := phase == move.Unpausing || phase == move.Cleaning
	if s != nil && s.MayRollBack == isLate {
		w.Errorf("while %s, a rollback is possible: %t", phase, s.MayRollBack)
	}
}

// A list in pages takes longer than the source keeps old versions. It begins again.
func TestListsExpire(t *testing.T) {
	inBubble(t, "lists all objects at once", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		for n := range 501 {
			w.put(w.from, fmt.Sprintf("Secret shop/unrelated-%03d", n))
		}
		w.watcher = newWatcher(w)
		w.from.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list"}, Resource: "secrets", Continued: true}, Reply: wiretest.Expired})
		r := w.mustRun(w.options())
		isExpired := func(q wiretest.Request) bool { return q.Resource == "secrets" && q.Continue != "" }
		if !slices.ContainsFunc(w.from.Requests(), isExpired) || r.Kept < 501 {
			t.Errorf("no list has expired, or %d objects were kept", r.Kept)
		}
		w.watcher.checkMoved(copied...)
	})
}
