package observe_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A verdict keeps what the watch has seen.
func TestWhatWasSeenIsKept(t *testing.T) {
	a := target("a")
	busy := widget("a", "False", "0/1", nil)
	failed := func(generation int64) observe.Event {
		e := widget("a", "False", "0/1", map[string]any{"generation": generation})
		e.Object.UnstructuredContent()["status"] = map[string]any{"phase": "Gone"}
		return e
	}
	pulling := func(message string) observe.Event {
		return pod(a, "p", map[string]any{"api": map[string]any{"state": map[string]any{"waiting": map[string]any{"reason": "ErrImagePull", "message": message}}}})
	}
	waiting := pod(a, "p", map[string]any{"api": map[string]any{"state": map[string]any{"waiting": map[string]any{"reason": "ImagePullBackOff", "message": `Back-off pulling image "x:1"`}}}})
	exited := pod(a, "p", map[string]any{"api": map[string]any{"restartCount": 1, "state": map[string]any{"terminated": map[string]any{"exitCode": 3}}}})
	rule := func(o *status.Fields) status.Result {
		if o.Text("status.phase", "") == "Gone" {
			return status.FailedTerminal("JobFailed", "it has failed")
		}
		return status.InProgress("Running", "0/1")
	}
	for _, row := range []struct {
		it     string
		events []observe.Event
		want   string
	}{
		{"the crash of a part that was deleted", []observe.Event{busy, crashLoopPod(a, "p", 4), notCounted(crashLoopPod(a, "p", 4)), failed(1)},
			"it has failed; Pod p: CrashLoopBackOff: container api exits with code 1 (4 restarts) (it was deleted)"},
		{"the last exit of a part that ran again", []observe.Event{busy, exited, readyPod(a, "p"), notCounted(exited), failed(1)},
			"it has failed; Pod p: container api has exited with code 3; restart pending (it was deleted)"},
		{"the pull of a part that was deleted", []observe.Event{busy, pulling("no such host"), notCounted(exited), failed(1)},
			"it has failed; Pod p: ErrImagePull: container api: no such host (it was deleted)"},
		{"no problem that was solved", []observe.Event{busy, pulling("no such host"), readyPod(a, "p"), notCounted(exited), failed(1)}, "it has failed"},
		{"no problem of an earlier generation", []observe.Event{busy, crashLoopPod(a, "p", 4), notCounted(exited), failed(2)}, "it has failed"},
		{"no problem of a part before it fails", []observe.Event{busy, crashLoopPod(a, "p", 4), notCounted(exited)}, "0/1"},
		{"the error of a pull while the kubelet waits", []observe.Event{busy, pulling("no such host"), waiting}, "0/1; Pod p: ImagePullBackOff: container api: no such host"},
		{"the error of a pull while the kubelet waits again", []observe.Event{busy, pulling("no such host"), waiting, waiting}, "0/1; Pod p: ImagePullBackOff: container api: no such host"},
		{"the last error of a pull", []observe.Event{busy, pulling("no such host"), waiting, pulling("not found"), waiting}, "0/1; Pod p: ImagePullBackOff: container api: not found"},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rules := status.Rules{{Group: "example.com", Kind: "Widget"}: {Rule: rule}}
				w := observe.Watcher{Source: sendPaced(row.events...), Evaluator: status.Evaluator{Rules: rules}}
				var last observe.Update
				for u := range w.Updates(minute(t), a) {
					last = u
				}
				if last.Message() != row.want {
					t.Errorf("have %q, want %q", last.Message(), row.want)
				}
			})
		})
	}
}

// A status of the second of its spec counts at once if the watch has seen that it was written later.
func TestStatusWithinTheSecondOfItsSpec(t *testing.T) {
	written := func(message string, statusAt time.Duration) observe.Event {
		now := time.Now().UTC()
		e := widget("a", "True", message, map[string]any{"generation": int64(2), "managedFields": []any{
			map[string]any{"manager": "kubectl", "time": now.Format(time.RFC3339), "fieldsV1": map[string]any{"f:spec": map[string]any{}}},
			map[string]any{"manager": "c", "subresource": "status", "time": now.Add(statusAt).Format(time.RFC3339), "fieldsV1": map[string]any{"f:status": map[string]any{}}},
		}})
		return e
	}
	for _, row := range []struct {
		it     string
		events func() []observe.Event
		want   string // the first time at which it is Current, and whether there is a caveat
	}{
		{"waits if only that status was seen", func() []observe.Event { return []observe.Event{written("old", 0)} }, "10s, caveat false"},
		{"does not wait if the status was changed", func() []observe.Event { return []observe.Event{written("old", 0), written("new", 0)} }, "0s, caveat false"},
		{"waits if only metadata was changed", func() []observe.Event { return []observe.Event{written("old", 0), written("old", 0)} }, "10s, caveat false"},
		{"has a caveat if the controller never writes", func() []observe.Event { return []observe.Event{written("old", -time.Minute)} }, "10s, caveat true"},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				w := observe.Watcher{Source: sendAll(row.events()...)}
				for u := range w.Updates(minute(t), target("a")) {
					if u.Result.Status != status.CurrentStatus {
						continue
					}
					if have := fmt.Sprintf("%s, caveat %t", time.Since(start), u.Result.Caveat != ""); have != row.want {
						t.Errorf("have %s, want %s", have, row.want)
					}
					return
				}
				t.Error("it is never Current")
			})
		})
	}
}
