package applied

import (
	"slices"
	"testing"
)

func spec(image string, fields map[string]any) map[string]any {
	s := map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"image": image}}}}}
	for field, v := range fields {
		s[field] = v
	}
	return s
}

func TestCompare(t *testing.T) {
	cron := func(image string) map[string]any {
		return map[string]any{"jobTemplate": map[string]any{"spec": spec(image, nil)}}
	}
	for _, row := range []struct {
		it           string
		applied, now map[string]any
		replaced     string
		changed      []string
	}{
		{"is equal", spec("web:1", nil), spec("web:1", nil), "", nil},
		{"has another image", spec("web:2", nil), spec("web:1", nil), "spec.template.spec.containers[0].image is web:1, and web:2 was applied", []string{"spec.template.metadata"}},
		{"has another image in the Pods of its Jobs", cron("a"), cron("b"),
			"spec.jobTemplate.spec.template.spec.containers[0].image is b, and a was applied", []string{"spec.jobTemplate"}},
		{"is scaled", spec("a", map[string]any{"replicas": int64(1)}), spec("a", map[string]any{"replicas": int64(2)}), "", nil},
		{"has a number that another decoder has read", spec("a", map[string]any{"limit": int64(1)}), spec("a", map[string]any{"limit": 1.0}), "", nil},
		{"has an added field", spec("a", nil), spec("a", map[string]any{"limit": int64(1)}), "", nil},
		{"lacks fields, of which three are named", map[string]any{"a": 1, "b": 1, "c": 1, "d": 1}, map[string]any{}, "", []string{"spec.a", "spec.b", "spec.c"}},
		{"has no template", map[string]any{}, spec("a", nil), "", nil},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := Replaced(row.applied, row.now, false); have != row.replaced {
				t.Errorf("replaced: have %q, want %q", have, row.replaced)
			}
			if have := Changed(row.applied, row.now, false); !slices.Equal(have, row.changed) {
				t.Errorf("changed: have %q, want %q", have, row.changed)
			}
			x, known := TemplateOf(row.applied)
			if y, _ := TemplateOf(row.now); known && (x == y) != (row.replaced == "") {
				t.Errorf("the templates are %v and %v", x, y)
			}
		})
	}
}
