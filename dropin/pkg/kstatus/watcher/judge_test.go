package watcher_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/internal/bubble"
)

// A slowReader judges when a test allows it.
type slowReader struct {
	engine.StatusReader
	waits   func(*unstructured.Unstructured) bool // reports whether an object waits; nil: all do
	allow   chan struct{}
	running atomic.Int32
}

func (r *slowReader) ReadStatusForObject(ctx context.Context, cr engine.ClusterReader, u *unstructured.Unstructured) (*event.ResourceStatus, error) {
	if r.waits != nil && !r.waits(u) {
		return r.StatusReader.ReadStatusForObject(ctx, cr, u)
	}
	r.running.Add(1)
	defer r.running.Add(-1)
	select {
	case <-r.allow:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return r.StatusReader.ReadStatusForObject(ctx, cr, u)
}

// slow makes a watcher judge slowly.
func slow(workers int, waits func(*unstructured.Unstructured) bool) (*slowReader, func(*watcher.DefaultStatusWatcher)) {
	r := &slowReader{waits: waits, allow: make(chan struct{})}
	return r, func(d *watcher.DefaultStatusWatcher) {
		r.StatusReader = d.StatusReader
		d.StatusReader, d.StatusComputeWorkers = r, workers
	}
}

func TestWorkersJudgeAtOnce(t *testing.T) {
	for workers, want := range map[int]int32{0: 1, 1: 1, 4: 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			inBubble(t, func(w *wire) {
				var targets, current []string
				for i := range 10 {
					targets, current = append(targets, clustertest.ConfigMap(fmt.Sprint("c", i))), append(current, fmt.Sprintf("c%d Current", i))
				}
				w.Apply(targets...)
				reader, slowly := slow(workers, nil)
				r := w.watch(dropin.Compat, slowly, targets...)
				synctest.Wait()
				if have := reader.running.Load(); have != want {
					t.Errorf("%d readers run at once, want %d", have, want)
				}
				close(reader.allow)
				r.ExpectAnyOrder(append(current, "Sync")...)
			})
		})
	}
}

// While the status of an object is computed, its newest state waits. With one worker, each state
// waits, up to the limit of the queue. So do the events for the caller.
func TestStatesWait(t *testing.T) {
	for _, row := range []struct{ workers, least, most int }{{workers: 4, least: 2, most: 2}, {workers: 1, least: 64, most: 65}} {
		t.Run(fmt.Sprint(row.workers), func(t *testing.T) {
			inBubble(t, func(w *wire) {
				w.Apply(clustertest.ConfigMap("a"))
				reader, slowly := slow(row.workers, func(u *unstructured.Unstructured) bool { return len(u.GetAnnotations()) > 0 })
				r := w.watch(dropin.Compat, slowly, clustertest.ConfigMap("a"))
				r.Expect("a Current", "Sync")
				u := clustertest.Decode(t, clustertest.ConfigMap("a"))
				for i := range 200 {
					u.SetAnnotations(map[string]string{"number": fmt.Sprint(i)})
					w.Put(u)
					synctest.Wait()
				}
				close(reader.allow)
				if have := len(r.Received()); have < row.least || have > row.most {
					t.Errorf("%d events, want %d to %d", have, row.least, row.most)
				}
				if have := r.Last("a").Resource.Resource.GetAnnotations()["number"]; have != "199" {
					t.Errorf("the last event has the state %s, want 199", have)
				}
			})
		})
	}
}

func TestErrorOfAReaderNamesTheObject(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"))
		r := w.watch(mode, func(d *watcher.DefaultStatusWatcher) { d.StatusReader = failing{d.StatusReader, errors.New("broken")} }, clustertest.ConfigMap("a"))
		r.Within(time.Second, "Error: failed to compute object status: default_a__ConfigMap: broken")
	})
}

// A failing reader returns an error, or nothing at all.
type failing struct {
	engine.StatusReader
	err error
}

func (f failing) ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error) {
	return nil, f.err
}

func TestReaderWithoutAStatus(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"))
		r := w.watch(mode, func(d *watcher.DefaultStatusWatcher) { d.StatusReader = failing{d.StatusReader, nil} }, clustertest.ConfigMap("a"))
		r.Expect("Sync")
	})
}

// The statuses of the objects that exist come first, then that others are deleted.
func TestNotFoundFollowsTheFirstStatuses(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"), pod("p", "{phase: Running}"))
		reader, slowly := slow(1, func(u *unstructured.Unstructured) bool { return u.GetKind() == "Pod" })
		r := w.watch(mode, slowly, clustertest.ConfigMap("a"), pod("p", "{}"))
		r.Expect("a Current")
		w.Remove(clustertest.ConfigMap("a"))
		bubble.Sleep(time.Second)
		r.Expect()
		close(reader.allow)
		r.Expect("p ", "a NotFound", "Sync")
	})
}

// A flakyReader returns an error at its first call, which is the timeout of a request.
type flakyReader struct {
	engine.StatusReader
	calls atomic.Int32
}

type timeoutError struct{}

func (timeoutError) Error() string        { return "request timed out" }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

func (r *flakyReader) ReadStatusForObject(ctx context.Context, cr engine.ClusterReader, u *unstructured.Unstructured) (*event.ResourceStatus, error) {
	if r.calls.Add(1) == 1 {
		return nil, timeoutError{}
	}
	return r.StatusReader.ReadStatusForObject(ctx, cr, u)
}

func TestStatusFollowsTheTimeoutOfARequest(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"))
		r := w.watch(mode, func(d *watcher.DefaultStatusWatcher) { d.StatusReader = &flakyReader{StatusReader: d.StatusReader} }, clustertest.ConfigMap("a"))
		r.Expect("Sync")
		bubble.Sleep(5 * time.Second)
		r.Expect("a Current")
	})
}

// A status of an object that has been deleted is not sent for the next one with its name.
func TestStatusOfADeletedObjectIsDropped(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"))
		reader, slowly := slow(4, func(u *unstructured.Unstructured) bool { return len(u.GetLabels()) > 0 })
		r := w.watch(mode, slowly, clustertest.ConfigMap("a"))
		r.Expect("a Current", "Sync")
		w.Apply(labeled("a"))
		synctest.Wait()
		w.Remove(labeled("a"))
		r.Expect("a NotFound")
		next := clustertest.Decode(t, clustertest.ConfigMap("a"))
		next.SetUID("another")
		w.Put(next)
		synctest.Wait()
		close(reader.allow)
		r.Expect("a Current")
		if have := r.Last("a").Resource.Resource.GetUID(); have != "another" {
			t.Errorf("the event has the object %s, want the next one", have)
		}
	})
}

// All statuses are repeated at the interval. While a repetition is not complete, at most one more
// waits.
func TestResync(t *testing.T) {
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			inModes(t, func(w *wire, mode dropin.Mode) {
				w.Apply(clustertest.ConfigMap("a"), clustertest.ConfigMap("b"), clustertest.Secret("s"))
				var isSlow atomic.Bool
				reader, slowly := slow(workers, func(u *unstructured.Unstructured) bool { return isSlow.Load() && u.GetKind() == "ConfigMap" })
				r := w.watch(mode, func(d *watcher.DefaultStatusWatcher) {
					slowly(d)
					d.ResyncPeriod = 10 * time.Second
				}, clustertest.ConfigMap("a"), clustertest.ConfigMap("b"), clustertest.Secret("s"))
				r.Within(time.Second, "Sync")
				bubble.Sleep(10 * time.Second)
				r.ExpectAnyOrder("a Current", "b Current", "s Current")
				isSlow.Store(true)
				bubble.Sleep(time.Minute)
				r.Expect(slices.Repeat([]string{"s Current"}, 6)...)
				isSlow.Store(false)
				close(reader.allow)
				synctest.Wait()
				have := r.Received()
				if len(have) < 2 || len(have) > 4 {
					t.Errorf("events %q after a minute, want one or two for each object", have)
				}
			})
		})
	}
}

// A Pod for which no node fits fails with time in the mode compat, although no event follows. That of a
// set does not count, but is in the event of the set.
func TestUnschedulablePod(t *testing.T) {
	const status = "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: no node fits}]"
	for _, row := range []struct {
		it     string
		mode   dropin.Mode
		target string // in addition to the Pod; empty: the Pod
		first  string
		later  []string
	}{
		{it: "is a Pod", mode: dropin.Compat, first: "db-x InProgress: Pod has not been scheduled", later: []string{"db-x Failed: Pod could not be scheduled"}},
		{it: "is of a set", mode: dropin.Compat, target: clustertest.StatefulSet("db", 0), first: "db InProgress: Ready: 0/1", later: []string{"db InProgress: Ready: 0/1"}},
		{it: "is a Pod", mode: dropin.Right, first: "db-x InProgress: [Unschedulable] no node fits"},
		{it: "is of a set", mode: dropin.Right, target: clustertest.StatefulSet("db", 0), first: "db InProgress: [Unschedulable] 0/1 ready: Pod db-x: no node fits"},
	} {
		t.Run(row.it+" in the mode "+row.mode.String(), func(t *testing.T) {
			inBubble(t, func(w *wire) {
				u := clustertest.Decode(t, clustertest.Pod("StatefulSet", "db", "db", status))
				u.SetCreationTimestamp(metav1.Now())
				w.Put(u)
				target := clustertest.Pod("StatefulSet", "db", "db", status)
				if row.target != "" {
					target = row.target
					w.Apply(target)
				}
				r := w.watch(row.mode, nil, target)
				r.Expect(row.first, "Sync")
				bubble.Sleep(14 * time.Second)
				r.Expect()
				bubble.Sleep(20 * time.Second)
				r.Expect(row.later...)
				bubble.Sleep(30 * time.Minute)
				r.Expect()
				if row.target != "" && row.mode == dropin.Compat {
					r.ExpectGenerated("db", "db-x Failed")
				}
			})
		})
	}
}
