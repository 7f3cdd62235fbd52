package move_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// busy has both servers answer each request with a long time to wait.
func busy(w *world, _ *line) (end func()) {
	much := tooMany
	much.RetryAfter = 3600
	source, target := on(source, 0, much, "")(w, nil), on(target, 0, much, "")(w, nil)
	return func() { source(); target() }
}

// endless has both servers begin each list and never end it.
func endless(w *world, _ *line) (end func()) {
	half := wiretest.Reply{Bytes: 10, End: wiretest.Hang}
	source, target := on(source, 0, half, "", "list")(w, nil), on(target, 0, half, "", "list")(w, nil)
	return func() { source(); target() }
}

// silent has servers never answer.
func silent(sides ...int) func(*world, *line) func() {
	return func(_ *world, l *line) func() {
		l.hush(sides...)
		return func() { l.hush() }
	}
}

// troubles are what servers may do when a call is interrupted.
var troubles = []struct {
	it    string
	begin func(*world, *line) (end func())
}{
	{"both servers answer", func(*world, *line) func() { return func() {} }},
	{"no server answers", silent(source, target)},
	{"the source does not answer", silent(source)},
	{"the target does not answer", silent(target)},
	{"both servers answer that the client is too fast", busy},
	{"no list ends", endless},
}

// An interruption ends the context of a call, and measures how long the call still takes.
type interruption struct {
	cancel context.CancelCauseFunc
	at     time.Time // zero before it
}

func (i *interruption) now() {
	i.at = time.Now()
	i.cancel(errors.New("stopped by the test"))
}

// check fails the test if the call has taken too long.
func (i *interruption) check(t *testing.T) {
	t.Helper()
	if took := time.Since(i.at); !i.at.IsZero() && took > time.Second {
		t.Errorf("the call ends %s after its context", took)
	}
}

// A way is one of the ways in which a call is interrupted. Each has a number.
type way struct {
	trouble func(*world, *line) func()
	after   time.Duration // between the trouble and the end of the context
	change  func(*move.Options)
	it      string
}

func wayOf(n int) way {
	trouble, place, after := troubles[n%len(troubles)], places[n/12%2], time.Duration(n/2%2)*3*time.Second
	return way{trouble.begin, after, place.change, fmt.Sprintf("%s later, with the journal in %s, while %s", after, place.it, trouble.it)}
}

// interrupt calls do, and ends its context after a request. It reports whether there was such a
// request.
func (w *world) interrupt(at int, by way, do func(context.Context, *line) error) (reached bool, err error) {
	w.Helper()
	ctx, cancel := context.WithCancelCause(w.Context())
	defer cancel(nil)
	i, l, end := &interruption{cancel: cancel}, &line{w: w, at: at}, func() {}
	var timer *time.Timer
	l.do = func() {
		end = by.trouble(w, l)
		if by.after == 0 {
			i.now()
			return
		}
		timer = time.AfterFunc(by.after, i.now)
	}
	err = do(ctx, l)
	i.check(w.T)
	if timer != nil {
		timer.Stop()
	}
	end()
	l.up()
	return l.sent >= at, err
}

// Each call is interrupted at a request, with servers that answer or do not. It ends within a second,
// and another process goes on.
func TestCallsEndWithinASecondOfAnInterruption(t *testing.T) {
	fail := func(side int, verb, name string) func(*world, move.Options) bool {
		return func(w *world, o move.Options) bool {
			repair := reject(side, verb, name)(w, nil)
			_, err := run(w.Context(), o)
			w.mustFail(err, "no room for "+name)
			repair()
			return true
		}
	}
	for _, row := range []struct {
		it      string
		stride  int
		prepare func(*world, move.Options) bool
		call    func(context.Context, move.Options) (*move.Result, error)
		goOn    func(*world, move.Options) error
	}{
		{"a move", 7, func(*world, move.Options) bool { return true }, run, func(w *world, o move.Options) error { return w.settle(o, false) }},
		{"a resume of the creation", 11, fail(target, "create", "web-1-x"), resume, func(w *world, o move.Options) error { return w.settle(o, false) }},
		{"a resume of the deletion", 7, fail(source, "delete", "web-1"), resume, func(w *world, o move.Options) error { return w.settle(o, false) }},
		{"a rollback", 5, fail(target, "create", "web-1-x"), rollBack, func(w *world, o move.Options) error {
			_, err := rollBack(w.Context(), o)
			w.watcher.checkRolledBack()
			return err
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			for at, n, reached := 1, 0, true; reached && !t.Failed(); at, n = at+row.stride, n+1 {
				way := wayOf(n)
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
					row.prepare(w, with(w.options(), way.change))
					var err error
					reached, err = w.interrupt(at, way, func(ctx context.Context, l *line) error {
						_, err := row.call(ctx, l.through(with(w.options(), way.change)))
						return err
					})
					if err != nil {
						err = row.goOn(w, with(w.options(), way.change))
					}
					if err != nil || t.Failed() {
						t.Errorf("%v, interrupted at request %d, %s", err, at, way.it)
					}
				})
				if !reached {
					t.Logf("%d interruptions in %d requests", n, at)
				}
			}
		})
	}
}

// A move is interrupted at each moment at which anything changes, and a little later, when it waits.
func TestInterruptionsAtEachMoment(t *testing.T) {
	for n, place := range places {
		var times []time.Time
		for _, m := range record(t, place.change).moments {
			times = append(times, m.at)
		}
		times = slices.Compact(times)
		t.Logf("%d times with the journal in %s", len(times), place.it)
		for k, at := range times {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				i, l, end := &interruption{cancel: cancel}, &line{w: w}, func() {}
				timer := time.AfterFunc(time.Until(at)+time.Duration(k%3)*7*time.Millisecond, func() {
					end = troubles[(k+n)%2].begin(w, l)
					i.now()
				})
				_, err := run(ctx, l.through(with(w.options(), place.change)))
				i.check(t)
				timer.Stop()
				end()
				if err == nil {
					w.watcher.checkMoved(copied...)
				} else if err := w.settle(with(w.options(), place.change), false); err != nil {
					t.Error(err)
				}
				if t.Failed() {
					t.Errorf("interrupted at %s, with the journal in %s, while %s", at.Format("05.000"), place.it, troubles[(k+n)%2].it)
				}
			})
			if t.Failed() {
				return
			}
		}
	}
}

// A server stops to answer at a request. The move ends after the timeout.
// The source is restored and the journal saved in thirty seconds, and each lock released in ten.
func TestTimeoutsEndAMove(t *testing.T) {
	const stride, last, release = 17, 30 * time.Second, 10 * time.Second
	for at, n, reached := 1, 0, true; reached && !t.Failed(); at, n = at+stride, n+1 {
		trouble, place := troubles[1+n%(len(troubles)-1)], places[n/(len(troubles)-1)%2]
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			l, began, end := &line{w: w, at: at}, time.Time{}, func() {}
			l.do = func() { began, end = time.Now(), trouble.begin(w, l) }
			_, err := run(t.Context(), l.through(with(w.options(), place.change)))
			if reached = !began.IsZero(); !reached {
				t.Logf("%d timeouts in %d requests", n, at)
				return
			}
			if took := time.Since(began); took > w.options().Timeout+time.Second+last+2*release {
				t.Errorf("it ends %s after the trouble: %v", took, err)
			}
			end()
			l.up()
			if err != nil {
				err = w.settle(with(w.options(), place.change), false)
			}
			if err != nil || t.Failed() {
				t.Errorf("%v, since request %d, with the journal in %s, while %s", err, at, place.it, trouble.it)
			}
		})
	}
}

// The move waits for something that does not come, and then the source answers no more. The wait ends
// at its timeout nevertheless.
func TestWaitsEndAtTheTimeout(t *testing.T) {
	for _, row := range []struct {
		it    string
		phase move.Phase
		begin func(w *world, ctx context.Context, running *sync.WaitGroup)
		want  string
	}{
		{"of the deletion", move.Deleting, func(w *world, _ context.Context, _ *sync.WaitGroup) {
			// Few objects are read one by one after their deletion.
			w.from.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}, Resource: "boxs", Name: "web-1-x"}, Reply: wiretest.Reply{Body: fmt.Sprintf(
				`{"apiVersion": "infrastructure.cluster.x-k8s.io/v1", "kind": "Box", "metadata": {"namespace": "shop", "name": "web-1-x", "uid": %q}}`,
				w.find(w.from, "Box shop/web-1-x").GetUID())}})
		}, "the deletion does not end within 1m"},
		{"for a source that does not change", move.Verifying, func(w *world, ctx context.Context, running *sync.WaitGroup) {
			w.editAllTheTime(ctx, running)
		}, "the source does not settle within 1m"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			defer running.Wait()
			defer stop()
			l, began := &line{w: w}, time.Time{}
			_, err := run(t.Context(), at(l.through(w.options()), row.phase, func() {
				began = time.Now()
				row.begin(w, ctx, &running)
				time.AfterFunc(50*time.Second, func() { l.hush(source) })
			}))
			w.mustFail(err, row.want)
			if took := time.Since(began); took > w.options().Timeout+time.Second {
				t.Errorf("the wait ends after %s", took)
			}
		})
	}
}

// The lock belongs to a process of the same move that has crashed, for an hour. The wait for it ends
// at the timeout, and with the context.
func TestWaitsForLocksEnd(t *testing.T) {
	for _, row := range []struct {
		it    string
		after time.Duration // when the context ends
		hush  time.Duration // when the source stops to answer; 0: never
		most  time.Duration
		want  string
	}{
		{"at the timeout", time.Hour, 0, 61 * time.Second, "not within 1m"},
		{"at the timeout, during a request", time.Hour, 50 * time.Second, 61 * time.Second, "not within 1m"},
		{"with the context", 7 * time.Second, 0, 8 * time.Second, "stopped by the test"},
		{"with the context, during a request", 27 * time.Second, 5 * time.Second, 28 * time.Second, "stopped by the test"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			w.from.Put(clusterapitest.NewNamespace("journals", ""))
			w.from.Put(&unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": map[string]any{"namespace": "journals", "name": "kstatus-move"},
				"spec": map[string]any{
					"holderIdentity": management.ByMove("film"), "leaseDurationSeconds": int64(3600), "renewTime": time.Now().UTC().Format(time.RFC3339),
				},
			}})
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			began := time.Now()
			time.AfterFunc(row.after, func() { cancel(errors.New("stopped by the test")) })
			l := &line{w: w}
			if row.hush > 0 {
				time.AfterFunc(row.hush, func() { l.hush(source) })
			}
			_, err := run(ctx, l.through(with(w.options(), places[1].change)))
			w.mustFail(err, row.want)
			if took := time.Since(began); took > row.most {
				t.Errorf("it ends after %s, want at most %s", took, row.most)
			}
		})
	}
}

// A call that ends between two requests for a Lease says why, although the next request cannot.
func TestSaysWhyItStopsTakingALock(t *testing.T) {
	inBubble(t, "it is stopped by the test", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		w.from.Put(clusterapitest.NewNamespace("journals", ""))
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		w.from.Admit(func(r wiretest.Request, _ *unstructured.Unstructured) error {
			if r.Resource != "leases" {
				return nil
			}
			cancel(errors.New("stopped by the test"))
			return apierrors.NewAlreadyExists(schema.GroupResource{Resource: r.Resource}, r.Name) // so that it is read again
		})
		_, err := run(ctx, with(w.options(), places[1].change))
		w.mustFail(err, "take Lease journals/kstatus-move in the source: stopped by the test")
	})
}

// The pause fails, and the source does not answer when it is to be restored. The call ends in time,
// the file has the journal, and the error says that the source may be paused.
func TestStopDoesNotWaitForever(t *testing.T) {
	for _, row := range []struct {
		it    string
		after time.Duration // from the failure to the interruption; 0: none
		most  time.Duration
	}{
		{"ends thirty seconds after the timeout of the pause", 0, 91 * time.Second},
		{"ends within a second of an interruption of the pause", 2 * time.Second, 3 * time.Second},
		{"ends within a second of an interruption", 70 * time.Second, 71 * time.Second},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			var failed time.Time
			l := &line{w: w}
			// The source has an object that is not paused, and answers no more.
			w.from.Admit(func(r wiretest.Request, _ *unstructured.Unstructured) error {
				if r.Verb != "patch" || r.Name != "own" {
					return nil
				}
				failed = time.Now()
				l.hush(source)
				if row.after > 0 {
					time.AfterFunc(row.after, func() { cancel(errors.New("stopped by the test")) })
				}
				return errors.New("no room for own")
			})
			_, err := run(ctx, l.through(w.options()))
			if took := time.Since(failed); failed.IsZero() || took > row.most {
				t.Errorf("it ends %s after the failure, want at most %s", took, row.most)
			}
			w.mustFail(err, "stopped while pausing: ")
			w.mustFail(err, "Clusters of the source may still be paused: resume it, or roll it back")
			w.mustFail(err, "the source could not be restored")
			s, err := move.ReadStatus(t.Context(), move.Options{Journal: w.journal})
			if err != nil || s.Phase != move.Pausing || s.Failure == "" {
				t.Errorf("the status is %+v: %v", s, err)
			}
			l.up()
		})
	}
}
