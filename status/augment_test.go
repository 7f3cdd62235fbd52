package status_test

import (
	"encoding/json"
	"testing"
	"time"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

func parsed(t *testing.T, doc string) status.Map {
	t.Helper()
	var m status.Map
	if err := json.Unmarshal([]byte(doc), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAugment(t *testing.T) {
	const widget = `"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}`
	const written = `"lastTransitionTime": "2026-01-01T12:00:00Z", "lastUpdateTime": "2026-01-01T12:00:00Z"`
	for _, test := range []struct{ name, in, want string }{
		{"adds Reconciling while it is in progress",
			`{` + widget + `, "status": {"conditions": [{"type": "Ready", "status": "False", "message": "m"}]}}`,
			`[{"message":"m","status":"False","type":"Ready"},{"lastTransitionTime":"2026-01-01T12:00:00Z","lastUpdateTime":"2026-01-01T12:00:00Z","message":"Ready is False: m","reason":"SummaryConditionNotTrue","status":"True","type":"Reconciling"}]`},
		{"removes its own conditions when it is current",
			`{` + widget + `, "status": {"conditions": [{"type": "Ready", "status": "True"},
				{"type": "Reconciling", "status": "True", "reason": "SummaryConditionNotTrue", ` + written + `}]}}`,
			`[{"status":"True","type":"Ready"}]`},
		{"replaces Reconciling with Stalled when it fails",
			`{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "status": {"replicas": 1, "conditions": [
				{"type": "Reconciling", "status": "True", "reason": "NotAvailable", ` + written + `},
				{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "m"}]}}`,
			`[{"message":"m","reason":"ProgressDeadlineExceeded","status":"False","type":"Progressing"},{"lastTransitionTime":"2026-01-01T12:00:00Z","lastUpdateTime":"2026-01-01T12:00:00Z","message":"m","reason":"ProgressDeadlineExceeded","status":"True","type":"Stalled"}]`},
		{"keeps the times of unchanged conditions",
			`{` + widget + `, "status": {"conditions": [{"type": "Ready", "status": "False", "message": "m"},
				{"type": "Reconciling", "status": "True", "reason": "SummaryConditionNotTrue", "message": "Ready is False: m", "lastTransitionTime": "2025-01-01T00:00:00Z", "lastUpdateTime": "2025-02-01T00:00:00Z"}]}}`,
			`[{"message":"m","status":"False","type":"Ready"},{"lastTransitionTime":"2025-01-01T00:00:00Z","lastUpdateTime":"2025-02-01T00:00:00Z","message":"Ready is False: m","reason":"SummaryConditionNotTrue","status":"True","type":"Reconciling"}]`},
		{"keeps the controller's own condition",
			`{` + widget + `, "status": {"conditions": [{"type": "Stalled", "status": "True", "reason": "ChartNotFound", "observedGeneration": 1}]}}`,
			`[{"observedGeneration":1,"reason":"ChartNotFound","status":"True","type":"Stalled"}]`},
		{"gives no status to a kind without status",
			`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}`,
			`null`},
		{"gives no status to a current object without one",
			`{` + widget + `}`,
			`null`},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := parsed(t, test.in)
			if err := (status.Evaluator{Now: noonClock}).Augment(m); err != nil {
				t.Fatal(err)
			}
			st, _ := m["status"].(map[string]any)
			got, _ := json.Marshal(st["conditions"])
			if string(got) != test.want {
				t.Errorf("have %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestAugmentCreatesTheStatusThatAKindPromises(t *testing.T) {
	m := parsed(t, `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}`)
	e := status.Evaluator{Now: noonClock, Expect: func(string, string) schema.Expectation {
		return schema.Expectation{Status: schema.TristateYes}
	}}
	for range 2 {
		if err := e.Augment(m); err != nil {
			t.Fatal(err)
		}
	}
	st, _ := m["status"].(map[string]any)
	if list, _ := st["conditions"].([]any); len(list) != 1 {
		t.Errorf("want one condition, have %v", m["status"])
	}
}

func TestAugmentNamesWhatIsMalformed(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"a status that is a text", `{"apiVersion": "example.com/v1", "kind": "Widget", "status": "x"}`,
			`augment: status: want a map, have string "x"`},
		{"conditions that are a text", `{"apiVersion": "example.com/v1", "kind": "Widget", "status": {"conditions": "x"}}`,
			`augment: status.conditions: want a list of conditions, have string "x"`},
		{"no version", `{"kind": "Widget"}`, `augment: compute status: apiVersion is missing`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := (status.Evaluator{}).Augment(parsed(t, test.in)); err == nil || err.Error() != test.want {
				t.Errorf("Augment(%s) = %v, want %s", test.in, err, test.want)
			}
		})
	}
}

// Without a clock, Compute uses the wall clock.
func TestComputeUsesTheWallClock(t *testing.T) {
	m := parsed(t, `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "w", "generation": 1}, "spec": {"replicas": 1},
		"status": {"observedGeneration": 1, "conditions": [{"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate"}]}}`)
	st := m["status"].(map[string]any)
	c := st["conditions"].([]any)[0].(map[string]any)
	for ago, want := range map[time.Duration]status.Status{0: status.InProgressStatus, time.Hour: status.FailedStatus} {
		t.Run(ago.String(), func(t *testing.T) {
			c["lastTransitionTime"] = time.Now().Add(-ago).Format(time.RFC3339)
			if r, err := status.Compute(m); err != nil || r.Status != want {
				t.Errorf("have %v, %v, want %s", r, err, want)
			}
		})
	}
}
