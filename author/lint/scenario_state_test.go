package lint

import (
	"testing"

	"kstatus.dev/internal/decoded"
)

// A kind that reports a word for its state, and no conditions, is played with its words.
func TestStatesInScenarios(t *testing.T) {
	version := func(words ...any) Version {
		return Bundle{Objects: []map[string]any{{
			"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "pumps.example.com"},
			"spec": map[string]any{"group": "example.com", "names": map[string]any{"kind": "Pump", "plural": "pumps"}, "scope": "Namespaced", "versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true, "subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{
					"spec":   map[string]any{"type": "object"},
					"status": map[string]any{"type": "object", "properties": map[string]any{"state": map[string]any{"type": "string", "enum": words}}},
				}}},
			}}},
		}}}.CRDs()[0].Versions[0]
	}
	for _, row := range []struct {
		words         []any
		ready, output string
		failing       string
	}{
		{[]any{"Provisioning", "Provisioned", "Failed"}, "Provisioned", "Current", "Failed"},
		{[]any{"Provisioning", "Ready", "Bound"}, "Ready", "Current", ""},
		{[]any{"Pending", "Frobbed"}, "Frobbed", "Unknown", ""},
	} {
		for _, verdict := range ToolVerdicts(version(row.words...)) {
			state := decoded.Text(verdict.Object, "status", "state")
			switch {
			case verdict.Tool != "kstatus":
			case verdict.Scenario.Name == "ready" && (state != row.ready || verdict.Output != row.output):
				t.Errorf("%v, ready: have %q with state %q, want %q with %q: %s", row.words, verdict.Output, state, row.output, row.ready, verdict.Why)
			case verdict.Scenario.Name == "failing" && state != row.failing:
				t.Errorf("%v, failing: have state %q, want %q", row.words, state, row.failing)
			}
		}
	}
}
