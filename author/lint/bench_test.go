package lint_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"kstatus.dev/author/lint"
)

// largeBundle returns a definition of about 1 MB, with most of it in the spec, as in real ones.
func largeBundle(b *testing.B) lint.Bundle {
	crd := base(b)
	for _, v := range crd["spec"].(map[string]any)["versions"].([]any) {
		schema := v.(map[string]any)["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
		fields := schema["properties"].(map[string]any)["spec"].(map[string]any)["properties"].(map[string]any)
		for i := range 120 {
			inner := map[string]any{}
			for j := range 40 {
				inner[fmt.Sprintf("field%d", j)] = map[string]any{"type": "string", "maxLength": 64.0, "pattern": "^[a-z]+$",
					"description": "What this field is for is told in some words here, as it is in any definition that is made from Go types, and then in some more."}
			}
			fields[fmt.Sprintf("group%d", i)] = map[string]any{"type": "array", "maxItems": 8.0, "items": map[string]any{"type": "object", "properties": inner}}
		}
		delete(statusOf(crd, 0), "default")
	}
	data, err := json.Marshal(crd)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	return lint.Bundle{Objects: []map[string]any{crd}}
}

func BenchmarkRun(b *testing.B) {
	bundle := largeBundle(b)
	for b.Loop() {
		if found := lint.Run(bundle, lint.Options{}); len(found) != 1 {
			b.Fatalf("found %d, want 1", len(found))
		}
	}
}

func BenchmarkApplyFixes(b *testing.B) {
	bundle := largeBundle(b)
	for b.Loop() {
		if fixed, err := lint.ApplyFixes(bundle, 0, true, lint.Options{}); err != nil || len(fixed.Findings) != 1 {
			b.Fatalf("%d fixes, error %v; want 1", len(fixed.Findings), err)
		}
	}
}

func BenchmarkToolVerdicts(b *testing.B) {
	version := largeBundle(b).CRDs()[0].Versions[0]
	for b.Loop() {
		lint.ToolVerdicts(version)
	}
}
