package main

import (
	"testing"

	"kstatus.dev/status"
)

// What is not there, by no more than its words or by what is known of its kind,
// may be known better by who waits.
func TestGroundsOf(t *testing.T) {
	for _, row := range []struct {
		name, version, kind string
		status              map[string]any
		want                string
	}{
		{"a word", "example.com/v1", "Widget", map[string]any{"phase": "Booting"}, "read from its words"},
		{"a count", "example.com/v1", "Widget", map[string]any{"readyNodes": 1, "totalNodes": 3}, "read from its words"},
		{"a summary", "example.com/v1", "Widget", map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False"}}}, ""},
		{"a summary that is known and not there", "cert-manager.io/v1", "Certificate", map[string]any{"revision": 1}, "by what is known of its kind"},
		{"a rule", "v1", "Pod", map[string]any{"phase": "Pending"}, ""},
	} {
		obj := status.Map{"apiVersion": row.version, "kind": row.kind, "metadata": map[string]any{"name": "x"}, "status": row.status}
		r, err := status.Compute(obj)
		if err != nil {
			t.Fatal(err)
		}
		if got := groundsOf(*r); got != row.want {
			t.Errorf("%s: have %q, want %q, of %s by %s, %s", row.name, got, row.want, r.Reason, r.Rule, r.Confidence)
		}
	}
}
