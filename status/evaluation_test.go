package status

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"kstatus.dev/status/schema"
)

// A released evaluation has no data of the object.
func TestReleaseClearsTheEvaluation(t *testing.T) {
	ev := newEvaluation(map[string]any{
		"apiVersion": "v1", "kind": "Widget", "metadata": map[string]any{"generation": "odd"}, "spec": "odd",
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": true}, "odd"}},
	})
	ev.profile, ev.clock, ev.trace = profileStrict.profileData, time.Now, func(Read) {}
	ev.entry = KindRule{Rule: noStatus}
	ev.expectation = schema.Expectation{Source: "a schema"}
	ev.object.Condition("Ready")
	ev.object.Int("metadata.generation", 0)
	ev.object.Text("spec.size", "")
	for range ev.object.Each("status.conditions") {
		break
	}
	if ev.err == nil || len(ev.warnings) != 2 || !ev.malformedSection {
		t.Fatalf("the evaluation of an odd object: %v, %q, %t", ev.err, ev.warnings, ev.malformedSection)
	}
	ev.release()
	rest := *ev
	rest.object.eval = nil
	if !reflect.ValueOf(rest).IsZero() {
		t.Errorf("after release there is %+v", rest)
	}
}

// Conditions beyond the first eight, whose types the index holds, are found too.
func TestManyConditions(t *testing.T) {
	var list []any
	for _, kind := range []string{"A", "B", "C", "D", "E", "F", "G", "H", "I"} {
		list = append(list, map[string]any{"type": kind, "status": "True"})
	}
	list = append(list,
		map[string]any{"type": "Reconciling", "status": "True", "reason": "NotAvailable", "lastUpdateTime": "2026-01-01T12:00:00Z"},
		map[string]any{"type": "OutOfDiskPressure", "status": "True"},
		"odd",
		map[string]any{"type": "I", "status": "False"},
		map[string]any{"type": "Ready", "status": "True"})
	ev := newEvaluation(map[string]any{"status": map[string]any{"conditions": list}})
	for kind, want := range map[string]ConditionStatus{"A": conditionTrue, "H": conditionTrue, "I": conditionFalse, "Ready": conditionTrue, "Reconciling": "", "J": ""} {
		t.Run(string(kind), func(t *testing.T) {
			if got := ev.object.Condition(kind); got.Status != want {
				t.Errorf("condition %s = %+v, want %q", kind, got, want)
			}
		})
	}
	conditionSignals(&ev.object, new(signals))
	want := []string{"status.conditions[11] is not a condition: string \"odd\"", "condition I exists more than once with different statuses; the worst counts"}
	for _, w := range want {
		if !slices.Contains(ev.warnings, w) {
			t.Errorf("warnings %q lack %q", ev.warnings, w)
		}
	}
}

// Files do not show how long a failure has lasted, so the newest time in them proves nothing.
func TestFailureInASnapshot(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	object := Map{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "a"}, "status": map[string]any{"conditions": []any{
		map[string]any{"type": "Ready", "status": "False", "reason": "Error", "message": "no route", "lastTransitionTime": now.Format(time.RFC3339)}}}}
	for _, row := range []struct {
		snapshot bool
		want     Status
	}{{false, InProgressStatus}, {true, FailedStatus}} {
		r, err := Evaluator{Now: func() time.Time { return now }, Snapshot: row.snapshot}.Compute(object)
		if err != nil || r.Status != row.want || r.Failure != FailureRecoverable {
			t.Errorf("snapshot %t: have %v, %v, want %s", row.snapshot, r, err, row.want)
		}
	}
}
