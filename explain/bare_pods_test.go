package explain

import (
	"fmt"
	"testing"
	"time"

	"kstatus.dev/status"
)

// Pods without an owner that run the same program and fail equally have one cause, as the Pods of a
// Deployment have. Pods with other images do not.
func TestBarePodsWithOneCause(t *testing.T) {
	facts := &Facts{Now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}
	var ids []status.ID
	for i := range 50 {
		name, image := fmt.Sprintf("pod-%02d", i), "worker:1"
		if i == 49 {
			image = "kafka:3"
		}
		id := status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: name}
		ids = append(ids, id)
		facts.Objects = append(facts.Objects, ObjectFact{ID: id, Result: status.Result{Status: status.FailedStatus, Reason: "CrashLoop"}, Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": name, "namespace": "shop"},
			"spec": map[string]any{"nodeName": "n", "containers": []any{map[string]any{"name": "app", "image": image}}},
			"status": map[string]any{"phase": "Running", "containerStatuses": []any{map[string]any{
				"name": "app", "restartCount": int64(4), "state": map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff"}},
				"lastState": map[string]any{"terminated": map[string]any{"exitCode": int64(1), "reason": "Error"}},
			}}},
		}})
	}
	var have []string
	for _, c := range Explain(facts, ids...).Causes {
		have = append(have, fmt.Sprintf("%d: %s", c.Count, c.Text))
	}
	want := `[49: container "app" exits with code 1 1: container "app" exits with code 1]`
	if fmt.Sprint(have) != want {
		t.Errorf("have %s, want %s", have, want)
	}
}
