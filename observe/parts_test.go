package observe_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// pod returns a Pod as a part of an object, with containers in a state.
func pod(of observe.Target, name string, states map[string]any) observe.Event {
	var containers []any
	for _, container := range []string{"api", "sidecar"} {
		if state, ok := states[container].(map[string]any); ok {
			state["name"] = container
			containers = append(containers, state)
		}
	}
	return observe.Event{
		Target: observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: name}, Of: of,
		Object: status.Map{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"name": name, "namespace": "shop", "uid": name},
			"spec":     map[string]any{"nodeName": "n1", "containers": []any{map[string]any{"name": "api"}, map[string]any{"name": "sidecar"}}},
			"status": map[string]any{"phase": "Pending", "startTime": time.Now().UTC().Format(time.RFC3339), "containerStatuses": containers,
				"conditions": []any{map[string]any{"type": "PodScheduled", "status": "True"}, map[string]any{"type": "Ready", "status": "False", "reason": "ContainersNotReady"}}},
		}}
}

func crashLoopPod(of observe.Target, name string, restarts int) observe.Event {
	return pod(of, name, map[string]any{"api": map[string]any{"restartCount": restarts,
		"state":     map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff"}},
		"lastState": map[string]any{"terminated": map[string]any{"exitCode": 1, "reason": "Error"}}}})
}

func waitingPod(of observe.Target, name, reason string) observe.Event {
	return pod(of, name, map[string]any{"api": map[string]any{"state": map[string]any{"waiting": map[string]any{"reason": reason, "message": "text of " + reason}}}})
}

func creatingPod(of observe.Target, name string) observe.Event { return pod(of, name, nil) }

// readyPod returns a ready Pod.
func readyPod(of observe.Target, name string) observe.Event {
	s := pod(of, name, nil)
	s.Object.UnstructuredContent()["status"] = map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}
	return s
}

// failedPod returns a Pod that has ended with an error.
func failedPod(of observe.Target, name string) observe.Event {
	s := pod(of, name, map[string]any{"api": map[string]any{"state": map[string]any{"terminated": map[string]any{"exitCode": 7}}}})
	s.Object.UnstructuredContent()["status"].(map[string]any)["phase"] = "Failed"
	return s
}

func unscheduledPod(of observe.Target, name string) observe.Event {
	s := pod(of, name, nil)
	s.Object.UnstructuredContent()["spec"] = map[string]any{}
	s.Object.UnstructuredContent()["status"] = map[string]any{"phase": "Pending", "conditions": []any{
		map[string]any{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes are available:\n3 Insufficient cpu"}}}
	return s
}

// notCounted returns the Event that a part no longer counts.
func notCounted(s observe.Event) observe.Event {
	s.Object = nil
	return s
}

func TestPartsExplainVerdict(t *testing.T) {
	a := target("a")
	busy, ready := widget("a", "False", "1/3", nil), widget("a", "True", "", nil)
	working := "Ready is False: 1/3"
	rows := []struct {
		it     string
		parent observe.Event
		parts  []observe.Event
		want   string
	}{
		{"adds the verdict of a part", busy, []observe.Event{crashLoopPod(a, "p", 4)},
			"InProgress/CrashLoop failing " + working + "; Pod p: CrashLoopBackOff: container api exits with code 1 (4 restarts)"},
		{"counts parts with the same cause and names the first", busy, []observe.Event{crashLoopPod(a, "p3", 4), crashLoopPod(a, "p1", 5), crashLoopPod(a, "p2", 6)},
			"InProgress/CrashLoop failing " + working + "; 3 Pods, such as p1: CrashLoopBackOff: container api exits with code 1 (5 restarts)"},
		{"prefers the worst cause to the most frequent one", busy, []observe.Event{creatingPod(a, "p1"), creatingPod(a, "p2"), waitingPod(a, "p3", "InvalidImageName"), crashLoopPod(a, "p4", 4)},
			"InProgress/InvalidImage failing " + working + "; Pod p3: InvalidImageName: container api: text of InvalidImageName"},
		{"prefers the most frequent of equally bad causes", busy, []observe.Event{waitingPod(a, "p1", "ErrImagePull"), unscheduledPod(a, "p2"), unscheduledPod(a, "p3")},
			"InProgress/Unschedulable failing " + working + "; 2 Pods, such as p2: 0/3 nodes are available: 3 Insufficient cpu"},
		{"shows parts that are in progress, without a failure", busy, []observe.Event{creatingPod(a, "p1"), creatingPod(a, "p2")},
			"InProgress/SummaryConditionNotTrue open " + working + "; 2 Pods, such as p1: its containers are being created"},
		{"ignores the verdict of a completed Pod", busy, []observe.Event{failedPod(a, "p1"), creatingPod(a, "p2")},
			"InProgress/SummaryConditionNotTrue open " + working + "; Pod p1: container api has exited with code 7"},
		{"does not override a Current object", ready, []observe.Event{crashLoopPod(a, "p", 4)}, "Current/Reconciled met Ready is True"},
		{"explains a failed object", stalled("a"), []observe.Event{waitingPod(a, "p", "ErrImagePull")},
			"Failed/Stalled failed gave up; Pod p: ErrImagePull: container api: text of ErrImagePull"},
		{"omits parts that have recovered", busy, []observe.Event{crashLoopPod(a, "p", 4), notCounted(crashLoopPod(a, "p", 4))},
			"InProgress/SummaryConditionNotTrue open " + working},
		{"gives no verdict for metadata", busy, []observe.Event{{Of: a, Object: status.Map{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": map[string]any{"name": "r"}},
			Target: observe.Target{Kind: status.Kind{Group: "apps", Kind: "ReplicaSet"}, Namespace: "shop", Name: "r"}}},
			"InProgress/SummaryConditionNotTrue open " + working},
		{"warns once that parts cannot be read", busy, []observe.Event{{Of: a, Target: observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop"},
			Err: &observe.Unreadable{Reason: "Forbidden", Text: "bob may not list pods"}}},
			"InProgress/SummaryConditionNotTrue open " + working + " [its reason may be incomplete, because its parts cannot be read: bob may not list pods]"},
		{"omits unreachable parts", busy, []observe.Event{crashLoopPod(a, "p", 4), {Of: a, Target: crashLoopPod(a, "p", 4).Target, Err: fmt.Errorf("cut off")}},
			"InProgress/CrashLoop failing " + working + "; Pod p: CrashLoopBackOff: container api exits with code 1 (4 restarts)"},
		{"ignores the parts of an earlier generation", generation("a", 2, 1), []observe.Event{crashLoopPod(a, "p", 4)},
			"InProgress/LatestGenerationNotObserved open generation is 2, its controller has observed 1"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: sendAll(append([]observe.Event{row.parent}, row.parts...)...)}
				var last observe.Update
				for u := range w.Updates(second(t), a) {
					last = u
				}
				have := fmt.Sprintf("%s/%s %s %s", last.Result.Status, last.Result.Reason, last.Progress, last.Message())
				if len(last.Result.Warnings) > 0 {
					have += fmt.Sprint(" ", last.Result.Warnings)
				}
				if have != row.want {
					t.Errorf("\nhave %s\nwant %s", have, row.want)
				}
			})
		})
	}
}

// Messages of parts are separate from the object's own message.
func TestPartsAreData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := target("a")
		var last observe.Update
		w := observe.Watcher{Source: sendAll(widget("a", "False", "Reconciling...", nil), crashLoopPod(a, "p1", 5), crashLoopPod(a, "p2", 6))}
		for u := range w.Updates(second(t), a) {
			last = u
		}
		want := status.Parts{Count: 2, Kind: "Pod", Name: "p1", Reason: "CrashLoop", Message: "CrashLoopBackOff: container api exits with code 1 (5 restarts)"}
		if last.Parts == nil || *last.Parts != want {
			t.Errorf("have the parts %+v, want %+v", last.Parts, want)
		}
		if own := "Ready is False: Reconciling.."; last.Result.Message != own || last.Message() != want.AppendTo(own) {
			t.Errorf("have the message %q, in whole %q", last.Result.Message, last.Message())
		}
	})
}

func TestPartsTextIsOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := waitingPod(target("a"), "p", "ErrImagePull")
		state := s.Object.UnstructuredContent()["status"].(map[string]any)["containerStatuses"].([]any)[0].(map[string]any)["state"].(map[string]any)
		state["waiting"].(map[string]any)["message"] = strings.Repeat("wörter\n", 1000)
		for u := range (observe.Watcher{Source: sendAll(widget("a", "False", "", nil), s)}).Updates(second(t), target("a")) {
			if m := u.Message(); len(m) > 300 || strings.Contains(m, "\n") || strings.ContainsRune(m, '\uFFFD') {
				t.Errorf("%d bytes: %q", len(m), m)
			}
		}
	})
}

// When many parts change one after another, their owner is not judged again for each of
// them, but always for the last one.
func TestManyPartsAreMerged(t *testing.T) {
	const many = 1000
	synctest.Test(t, func(t *testing.T) {
		a := target("a")
		source := scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
			report(widget("a", "False", "1/3", nil))
			for i := range many {
				bubble.Sleep(time.Millisecond)
				report(waitingPod(a, fmt.Sprintf("p%03d", i), "ErrImagePull"))
			}
			return nil
		})
		var messages []string
		for u := range (observe.Watcher{Source: source}).Updates(contextWithTimeout(t, 10*time.Second), a) {
			messages = append(messages, u.Message())
		}
		if n := len(messages); n > many/2 || n == 0 || !strings.Contains(messages[n-1], "; 1000 Pods, such as p000: ") {
			t.Errorf("have %d updates, the last: %s", n, messages[max(n-1, 0):])
		}
	})
}

// A problem of parts fails their owner after it has lasted: first for the window of the
// parts' own rule, then for the grace.
func TestPartFailuresHaveGrace(t *testing.T) {
	a := target("a")
	busy, ready := widget("a", "False", "1/3", nil), widget("a", "True", "", nil)
	fresh := func(make func(observe.Target, string) observe.Event, name string) func() observe.Event {
		return func() observe.Event { return make(a, name) }
	}
	crash := func(of observe.Target, name string) observe.Event { return crashLoopPod(of, name, 4) }
	image := func(of observe.Target, name string) observe.Event { return waitingPod(of, name, "ErrImagePull") }
	type event struct {
		at time.Duration
		do func() observe.Event
	}
	see := func(s observe.Event) func() observe.Event { return func() observe.Event { return s } }
	gone := func(name string) func() observe.Event { return see(notCounted(crash(a, name))) }
	rows := []struct {
		it     string
		events []event
		want   []string
	}{
		{"has half a minute for a crash", []event{{0, fresh(crash, "p")}},
			[]string{"0s a InProgress/CrashLoop failing, fails at 30s", "30s a Failed/CrashLoop failed"}},
		{"has a minute for an image", []event{{0, fresh(image, "p")}},
			[]string{"0s a InProgress/ImagePullBackOff failing, fails at 1m0s", "1m0s a Failed/ImagePullBackOff failed"}},
		{"has five minutes for want of a node", []event{{0, fresh(unscheduledPod, "p")}},
			[]string{"0s a InProgress/Unschedulable failing, fails at 5m0s", "5m0s a Failed/Unschedulable failed"}},
		{"continues when another failing Pod replaces the first", []event{{0, fresh(crash, "p")}, {20 * time.Second, gone("p")}, {22 * time.Second, fresh(crash, "q")}},
			[]string{"0s a InProgress/CrashLoop failing, fails at 30s", "20s a InProgress/SummaryConditionNotTrue open",
				"22s a InProgress/CrashLoop failing, fails at 30s", "30s a Failed/CrashLoop failed"}},
		{"continues while one of several Pods is replaced", []event{{0, fresh(crash, "p")}, {5 * time.Second, fresh(crash, "q")}, {20 * time.Second, gone("p")}},
			[]string{"0s a InProgress/CrashLoop failing, fails at 30s", "5s a InProgress/CrashLoop failing, fails at 30s",
				"20s a InProgress/CrashLoop failing, fails at 30s", "30s a Failed/CrashLoop failed"}},
		{"restarts after the object was Current", []event{{0, fresh(crash, "p")}, {20 * time.Second, see(ready)}, {21 * time.Second, see(busy)}},
			[]string{"0s a InProgress/CrashLoop failing, fails at 30s", "20s a Current/Reconciled met",
				"21s a InProgress/CrashLoop failing, fails at 51s", "51s a Failed/CrashLoop failed"}},
		{"restarts after a time without failures", []event{{0, fresh(crash, "p")}, {20 * time.Second, gone("p")}, {60 * time.Second, fresh(crash, "q")}},
			[]string{"0s a InProgress/CrashLoop failing, fails at 30s", "20s a InProgress/SummaryConditionNotTrue open",
				"1m0s a InProgress/CrashLoop failing, fails at 1m30s", "1m30s a Failed/CrashLoop failed"}},
		{"restarts once the part has recovered", []event{{0, fresh(crash, "p")}, {20 * time.Second, fresh(creatingPod, "p")}, {21 * time.Second, fresh(crash, "p")}},
			[]string{"0s a InProgress/CrashLoop failing, fails at 30s", "20s a InProgress/SummaryConditionNotTrue open",
				"21s a InProgress/CrashLoop failing, fails at 51s", "51s a Failed/CrashLoop failed"}},
		{"restarts once the part is ready", []event{{0, fresh(crash, "p")}, {10 * time.Second, fresh(readyPod, "p")}, {10 * time.Second, gone("p")}, {31 * time.Second, fresh(crash, "q")}},
			[]string{"0s a InProgress/CrashLoop failing, fails at 30s", "10s a InProgress/SummaryConditionNotTrue open",
				"31s a InProgress/CrashLoop failing, fails at 1m1s", "1m1s a Failed/CrashLoop failed"}},
		{"restarts with a change of the object", []event{{0, fresh(crash, "p")}, {20 * time.Second, gone("p")},
			{21 * time.Second, see(widget("a", "False", "1/3", map[string]any{"generation": int64(2)}))}, {22 * time.Second, fresh(crash, "q")}},
			[]string{"0s a InProgress/CrashLoop failing, fails at 30s", "20s a InProgress/SummaryConditionNotTrue open", "21s a InProgress/SummaryConditionNotTrue open",
				"22s a InProgress/CrashLoop failing, fails at 52s", "52s a Failed/CrashLoop failed"}},
		{"never fails for a completed part", []event{{0, fresh(failedPod, "p")}}, []string{"0s a InProgress/SummaryConditionNotTrue open"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
					start := time.Now()
					report(busy)
					synctest.Wait() // until that has been yielded
					for _, e := range row.events {
						bubble.Sleep(e.at - time.Since(start))
						report(e.do())
					}
					return nil
				})
				want := append([]string{"0s a InProgress/SummaryConditionNotTrue open"}, row.want...)
				expect(t, history(t, observe.Watcher{Source: source}, a), want...)
			})
		})
	}
}

// A Job's controller counts itself how often its Pods may fail.
func TestAJobIsNotFailedByItsPods(t *testing.T) {
	rows := []struct {
		it   string
		part observe.Event
		want []string
	}{
		{"is explained by a failed Pod", failedPod(jobTarget, "p"), []string{"1s a InProgress/Running open"}},
		{"is explained by a Pod that restarts repeatedly", crashLoopPod(jobTarget, "p", 5), []string{"1s a InProgress/Running open"}},
		{"fails by Pods that its controller does not count", waitingPod(jobTarget, "p", "InvalidImageName"),
			[]string{"1s a InProgress/InvalidImage failing, fails at 1m1s", "1m1s a Failed/InvalidImage failed"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: sendPaced(job("Running", nil, nil), row.part)}
				want := append([]string{"0s a InProgress/Running open"}, row.want...)
				expect(t, history(t, w, jobTarget), want...)
			})
		})
	}
}
