package observe_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func TestEachTargetHasOneUpdateBeforeSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := sendPaced(widget("a", "False", "1", nil), missing("b"), unreadable("c", "Forbidden"), widget("a", "True", "", nil))
		got := collectAll(t, observe.Watcher{Source: source}, target("a"), target("b"), target("c"), target("a"))
		expect(t, got,
			"a InProgress open",
			"b NotFound missing",
			"c Unknown barred, synced",
			"a Current met after InProgress, synced")
	})
}

func TestIdenticalVerdictsAreNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := sendPaced(
			widget("a", "False", "working", nil),
			widget("a", "False", "working", map[string]any{"resourceVersion": "2"}),
			widget("a", "False", "working", map[string]any{"labels": map[string]any{"x": "y"}}),
			widget("a", "False", "another message", nil),
			widget("stranger", "True", "", nil))
		got := collectAll(t, observe.Watcher{Source: source}, target("a"))
		expect(t, got, "a InProgress open, synced", "a InProgress open after InProgress, synced")
	})
}

func TestSlowReaderSeesTheLastOfEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var delivered atomic.Bool
		source := scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
			report(widget("a", "False", "0", nil))
			report(widget("b", "False", "0", nil))
			for _, message := range []string{"1", "2", "3"} {
				bubble.Sleep(time.Second)
				report(widget("a", "False", message, nil))
				report(widget("b", "False", message, nil))
			}
			report(widget("b", "False", "0", nil)) // equal to the last one that the reader has, so it causes no update
			delivered.Store(true)
			return nil
		})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var got []string
		for u, err := range (observe.Watcher{Source: source}).Updates(ctx, target("a"), target("b")) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, u.Target.Name+" "+u.Result.Message)
			if len(got) == 2 {
				bubble.Sleep(time.Minute) // meanwhile the source does not wait
				if !delivered.Load() {
					t.Error("the source was kept waiting")
				}
				stop() // updates that are queued by now are still yielded
			}
		}
		expect(t, got, "a Ready is False: 0", "b Ready is False: 0", "a Ready is False: 3")
	})
}

func TestNoGoroutineOutlivesTheRange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails if a goroutine remains
		var ended atomic.Bool
		source := scriptedSource(func(ctx context.Context, report func(observe.Event) bool) error {
			report(widget("a", "False", "", nil))
			<-ctx.Done()
			bubble.Sleep(time.Second) // a source that needs time to end
			report(widget("a", "True", "", nil))
			ended.Store(true)
			return nil
		})
		w := observe.Watcher{Source: source, Heartbeat: time.Hour}
		for range w.Updates(t.Context(), target("a")) {
			break
		}
		if !ended.Load() {
			t.Error("the range ended before its source")
		}
		for range w.Updates(t.Context()) {
			t.Error("an update without a target")
		}
	})
}

func TestErrorsOfASource(t *testing.T) {
	broken := errors.New("credentials lost")
	rows := []struct {
		it     string
		source scriptedSource
		want   error
	}{
		{"ends with the source's error", func(_ context.Context, report func(observe.Event) bool) error {
			report(missing("a"))
			return broken
		}, broken},
		{"reports an error that comes at once", func(context.Context, func(observe.Event) bool) error { return broken }, broken},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				outcome, _, err := observe.Watcher{Source: row.source}.Wait(t.Context(), observe.Policy{}, target("a"))
				if !errors.Is(err, row.want) || outcome != observe.OutcomeUnknown {
					t.Errorf("have %v, %v", outcome, err)
				}
			})
		})
	}
}

func TestSourceThatStopsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, err := observe.Watcher{Source: silentSource{}}.Wait(t.Context(), observe.Policy{}, target("a"))
		if err == nil || err.Error() != "wait: the source stopped by itself" {
			t.Error(err)
		}
	})
}

func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, ticks := time.Now(), 0
		w := observe.Watcher{Source: sendAll(widget("a", "False", "", nil)), Heartbeat: 25 * time.Second}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		board := new(observe.Board)
		for u, err := range w.Updates(ctx, target("a")) {
			if err != nil {
				t.Fatal(err)
			}
			board.Add(u)
			if u.Target == (observe.Target{}) {
				ticks++
				if after := time.Since(start); after != time.Duration(ticks)*25*time.Second || !u.Synced {
					t.Errorf("sign of life after %s, synced %t", after, u.Synced)
				}
			}
		}
		if ticks != 2 || board.Len() != 1 {
			t.Errorf("have %d signs of life and %d rows, want 2 and 1", ticks, board.Len())
		}
	})
}

// imagePullPod returns a Pod that is unable to pull its image from now on.
func imagePullPod() (observe.Target, observe.Event) {
	pod := observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "p"}
	return pod, observe.Event{Target: pod, Object: status.Map{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "p", "namespace": "shop", "creationTimestamp": time.Now().UTC().Format(time.RFC3339)},
	}}
}

// failAfterTenSeconds is a rule by which an object fails once it is ten seconds old.
func failAfterTenSeconds(o *status.Fields) status.Result {
	if left := 10*time.Second - o.Age(); left > 0 {
		r := status.InProgress("ImagePullBackOff", "image cannot be pulled")
		r.Failure, r.Recheck = status.FailureRecoverable, left
		return r
	}
	return status.FailedRecoverable("ImagePullBackOff", "image cannot be pulled")
}

func TestVerdictsThatDependOnTimeAreRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pod, s := imagePullPod()
		w := observe.Watcher{Source: sendAll(s), Evaluator: status.Evaluator{Rules: status.Rules{pod.Kind: {Rule: failAfterTenSeconds}}}}
		start := time.Now()
		var got []string
		outcome, _, err := w.Wait(t.Context(), observe.Policy{}, pod)
		if err != nil || outcome != observe.OutcomeFailure || time.Since(start) != 10*time.Second {
			t.Errorf("have %s, %v after %s, want a failure after 10s", outcome, err, time.Since(start))
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		_, s = imagePullPod()
		w.Source, start = sendAll(s), time.Now()
		for u := range w.Updates(ctx, pod) {
			line := time.Since(start).String() + " " + string(u.Result.Status) + " " + string(u.Progress)
			if !u.FailsAt.IsZero() {
				line += ", fails after " + u.FailsAt.Sub(start).String()
			}
			got = append(got, line)
		}
		expect(t, got, "0s InProgress failing, fails after 10s", "10s Failed failed")
	})
}

func TestObjectsAreNotRetained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen weak.Pointer[map[string]any]
		source := scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
			s := widget("a", "False", "", nil)
			s.Object.UnstructuredContent()["ballast"] = make([]any, 1<<10)
			content := s.Object.UnstructuredContent()
			seen = weak.Make(&content)
			s.Object = retained{&content}
			report(s)
			return nil
		})
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		board := new(observe.Board)
		for u := range (observe.Watcher{Source: source}).Updates(ctx, target("a")) {
			board.Add(u)
		}
		runtime.GC()
		if seen.Value() != nil {
			t.Error("the object is still held after its verdict")
		}
		if board.Len() != 1 {
			t.Error("the board has no verdict")
		}
	})
}

// retained is an object that keeps its content alive.
type retained struct{ content *map[string]any }

func (h retained) UnstructuredContent() map[string]any { return *h.content }

func TestReadsAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plain := sendAll(widget("a", "True", "", nil), observe.Event{Target: target("b"), Object: status.Map{"kind": 1}})
		for _, explain := range []bool{false, true} {
			w := observe.Watcher{Source: plain, Evidence: explain}
			for u, err := range w.Updates(t.Context(), target("a"), target("b")) {
				if err != nil {
					t.Fatal(err)
				}
				if reported := len(u.Evidence) > 0; reported != (explain && u.Target.Name == "a") {
					t.Errorf("explain %t: %s has the reads %v", explain, u.Target, u.Evidence)
				}
				if u.Synced {
					break
				}
			}
		}
	})
}

func TestTargetsWithoutAKind(t *testing.T) {
	untouched := scriptedSource(func(context.Context, func(observe.Event) bool) error {
		t.Error("the source is asked")
		return nil
	})
	for _, nobody := range []observe.Target{{}, {Namespace: "shop", Name: "a"}} {
		outcome, _, err := observe.Watcher{Source: untouched}.Wait(t.Context(), observe.Policy{}, target("a"), nobody)
		if err == nil || outcome != observe.OutcomeUnknown || err.Error() != "wait: observe: target 2 of 2: want a kind, have none" {
			t.Errorf("%+v: have %s, %v", nobody, outcome, err)
		}
	}
}
