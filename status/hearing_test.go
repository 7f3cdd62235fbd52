package status

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// What is used again for the next object holds nothing of the last.
func TestNothingStaysInAHearing(t *testing.T) {
	h := hear(map[string]any{
		"apiVersion": "v1", "kind": "Widget", "metadata": map[string]any{"generation": "odd"}, "spec": "odd",
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": true}, "odd"}},
	})
	h.profile, h.clock, h.trace = profileStrict.reading, time.Now, func(Read) {}
	h.entry = Entry{Rule: noStatus}
	h.expectation = Expectation{Source: "a schema"}
	h.root.Condition("Ready")
	h.root.Int("metadata.generation", 0)
	h.root.Text("spec.size", "")
	for range h.root.Each("status.conditions") {
		break
	}
	if h.err == nil || len(h.warnings) != 2 || !h.odd {
		t.Fatalf("the hearing of an odd object: %v, %q, %t", h.err, h.warnings, h.odd)
	}
	h.dismiss()
	rest := *h
	rest.root.hearing, rest.profile, rest.generation = nil, nil, 0
	if !reflect.ValueOf(rest).IsZero() {
		t.Errorf("after the hearing there is %+v", rest)
	}
}

// Beyond the types that a hearing keeps, conditions are found as well.
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
	h := hear(map[string]any{"status": map[string]any{"conditions": list}})
	for kind, want := range map[ConditionType]Truth{"A": True, "H": True, "I": False, "Ready": True, "Reconciling": "", "J": ""} {
		t.Run(string(kind), func(t *testing.T) {
			if got := h.root.Condition(kind); got.Status != want {
				t.Errorf("condition %s = %+v, want %q", kind, got, want)
			}
		})
	}
	conditionSigns(&h.root, new(signs))
	want := []string{"status.conditions[11] is not a condition: string \"odd\"", "condition I stands more than once with different statuses; the worst counts"}
	for _, w := range want {
		if !slices.Contains(h.warnings, w) {
			t.Errorf("warnings %q lack %q", h.warnings, w)
		}
	}
}
