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

func TestRepairEndsWhereNothingIsFound(t *testing.T) {
	b := Bundle{Objects: []map[string]any{crdOf(map[string]any{"type": "object", "properties": map[string]any{}})}}
	edits, mended, err := Repair(b, 0, false, Options{})
	if err != nil || len(edits) == 0 {
		t.Fatalf("edits %v, error %v; want some edits and no error", edits, err)
	}
	again, _, err := Repair(mended, 0, false, Options{})
	if err != nil || len(again) != 0 {
		t.Errorf("a second repair made %v, error %v; want nothing", again, err)
	}
}
