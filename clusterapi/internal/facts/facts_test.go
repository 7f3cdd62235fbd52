package facts_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/internal/facts"
)

// The condition Paused is read as in a verdict: the worst of several counts, in every form.
func TestPaused(t *testing.T) {
	const at = "2026-01-01T00:00:00Z"
	since, _ := time.Parse(time.RFC3339, at)
	paused := func(status any) any {
		return map[string]any{"type": "Paused", "status": status, "observedGeneration": 2.0, "lastTransitionTime": at}
	}
	for _, row := range []struct {
		name   string
		status map[string]any
		want   facts.Condition
	}{
		{"it is absent", nil, facts.Condition{Observed: -1}},
		{"it is in the list", map[string]any{"conditions": []any{paused("True")}}, facts.Condition{Status: "True", Observed: 2, Changed: since}},
		{"it is there twice", map[string]any{"conditions": []any{paused("True"), paused("False")}}, facts.Condition{Status: "False", Observed: 2, Changed: since}},
		{"it is a boolean", map[string]any{"conditions": []any{paused(true)}}, facts.Condition{Status: "True", Observed: 2, Changed: since}},
		{"it is in a map", map[string]any{"conditions": map[string]any{"Paused": paused("True")}}, facts.Condition{Status: "True", Observed: 2, Changed: since}},
		{"it is in the list of v1beta2", map[string]any{"v1beta2": map[string]any{"conditions": []any{paused("True")}}}, facts.Condition{Status: "True", Observed: 2, Changed: since}},
		{"it has no status", map[string]any{"conditions": []any{map[string]any{"type": "Paused"}}}, facts.Condition{Status: "Unknown", Observed: -1}},
	} {
		t.Run(row.name, func(t *testing.T) {
			u := &unstructured.Unstructured{Object: map[string]any{"status": row.status}}
			if have := facts.Of(u).Paused; have != row.want {
				t.Errorf("it is %+v, want %+v", have, row.want)
			}
		})
	}
}

// The work of a controller is its status without the condition Paused, in every form.
func TestWorkHash(t *testing.T) {
	object := func(conditions any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"conditions": conditions}}}
	}
	paused := func(message string) map[string]any {
		return map[string]any{"type": "Paused", "status": "True", "message": message}
	}
	for _, row := range []struct {
		name          string
		before, after any
	}{
		{"a list", []any{paused("a")}, []any{paused("b")}},
		{"a map", map[string]any{"Paused": paused("a")}, map[string]any{"Paused": paused("b")}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if facts.WorkHash(object(row.before)) != facts.WorkHash(object(row.after)) {
				t.Error("another message of Paused counts as work")
			}
		})
	}
}
