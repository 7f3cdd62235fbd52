package status

import (
	"reflect"
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
