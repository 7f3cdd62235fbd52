package explain

import (
	"strings"
	"testing"

	"kstatus.dev/explain/internal/show"
)

// Messages of a megabyte are cut, and do not change the causes.
func TestLongMessagesAreCut(t *testing.T) {
	long := strings.Repeat(` 1 Insufficient cpu, secret "a" failed: `, 1<<20/40)
	for _, name := range []string{"image_not_found", "crash_at_start", "unschedulable", "quota_exceeded", "readiness_probe", "pod_sandbox", "provisioning_failed", "pod_failure_policy"} {
		t.Run(name, func(t *testing.T) {
			f, requested := readCase(t, "testdata/"+name+".case")
			want := Explain(f, requested...).Causes[0].Kind
			for i := range f.Objects {
				lengthen(map[string]any(f.Objects[i].Object), long)
			}
			for i := range f.Events {
				f.Events[i].Message += long
			}
			e := Explain(f, requested...)
			if have := e.Causes[0].Kind; have != want {
				t.Errorf("finds %s, want %s", have, want)
			}
			for _, l := range e.Lines(f.Now) {
				if len(l.Text) > 3*show.MaxText {
					t.Errorf("a line of %d bytes: %.100s", len(l.Text), l.Text)
				}
			}
		})
	}
}

// lengthen appends a text to each message in a value.
func lengthen(v any, long string) {
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			if s, ok := item.(string); ok && key == "message" {
				v[key] = s + long
			}
			lengthen(item, long)
		}
	case []any:
		for _, item := range v {
			lengthen(item, long)
		}
	}
}
