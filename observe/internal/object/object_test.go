package object

import (
	"testing"
	"time"

	"kstatus.dev/status"
)

func TestDecidedAt(t *testing.T) {
	const early, late = "2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z"
	condition := func(kind, state, message, at string) any {
		return map[string]any{"type": kind, "status": state, "message": message, "lastTransitionTime": at}
	}
	for _, row := range []struct {
		name, message, want string
		conditions          []any
	}{
		{"its message", "JobFailed: no luck", early, []any{condition("Failed", "True", "no luck", early), condition("Ready", "False", "other", late)}},
		{"the later of two", "no luck", late, []any{condition("FailureTarget", "True", "no luck", early), condition("Failed", "True", "no luck", late)}},
		{"type and status", "Ready is False", early, []any{condition("Ready", "False", "", early)}},
		{"type and status before a message", "Ready is False: Waiting: so", early, []any{condition("Ready", "False", "", early)}},
		{"another type", "Ready is Falsely", "", []any{condition("Ready", "False", "", early)}},
		{"a rollout", "1/3 updated", "", []any{condition("Available", "True", "Deployment has minimum availability.", early)}},
		{"no time", "no luck", "", []any{condition("Failed", "True", "no luck", "soon")}},
		{"odd shapes", "no luck", "", []any{nil, "x", map[string]any{"type": 3, "status": true}}},
		{"none", "no luck", "", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			want, _ := time.Parse(time.RFC3339, row.want)
			obj := status.Map{"status": map[string]any{"conditions": row.conditions}}
			if have := DecidedAt(obj, row.message); !have.Equal(want) {
				t.Errorf("it is %s, want %s", have, want)
			}
		})
	}
}

func TestWithout(t *testing.T) {
	obj := status.Map{"status": map[string]any{"a": 1, "b": 2}}
	less, had := Without(obj, "status", "a")
	if state, _ := less["status"].(map[string]any); !had || len(state) != 1 || state["b"] != 2 {
		t.Errorf("it is %v, %v", less, had)
	}
	if _, had := Without(obj, "status", "c"); had || len(obj["status"].(map[string]any)) != 2 {
		t.Errorf("the object is %v", obj)
	}
}
