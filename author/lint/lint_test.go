package lint

import "testing"

func crdOf(status map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "lamps.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced",
			"names": map[string]any{"kind": "Lamp", "plural": "lamps"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object",
					"properties": map[string]any{"status": status}}}}},
		},
	}
}

func TestApplyFixesEndsWithoutFindings(t *testing.T) {
	b := Bundle{Objects: []map[string]any{crdOf(map[string]any{"type": "object", "properties": map[string]any{}})}}
	fixed, err := ApplyFixes(b, 0, false, Options{})
	edits, after := fixed.Edits(), fixed.Bundle
	if err != nil || len(edits) == 0 {
		t.Fatalf("edits %v, error %v; want some edits and no error", edits, err)
	}
	again, err := ApplyFixes(after, 0, false, Options{})
	if err != nil || len(again.Findings) != 0 {
		t.Errorf("a second run made %v, error %v; want nothing", again.Edits(), err)
	}
}
