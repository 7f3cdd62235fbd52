package status_test

import (
	"testing"
	"time"

	"kstatus.dev/status"
)

// A verdict has the time of the condition that decided, whatever the other conditions say.
func TestSince(t *testing.T) {
	const early, late = "2026-01-01T10:00:00Z", "2026-01-01T12:00:00Z"
	at := func(kind, is, message, since string) any {
		return map[string]any{"type": kind, "status": is, "message": message, "lastTransitionTime": since}
	}
	for _, row := range []struct {
		name, version, kind, want string
		profile                   status.Profile
		conditions                any
	}{
		{"it is in the text of another", "example.com/v1", "Lamp", early, status.Profile{}, []any{at("Ready", "False", "no bulb", early), at("Checked", "True", "bulb", late)}},
		{"it has no message", "example.com/v1", "Lamp", early, status.Profile{}, []any{at("Ready", "False", "", early), at("Checked", "True", "Ready is False", late)}},
		{"it is True", "example.com/v1", "Lamp", early, status.Profile{}, []any{at("Ready", "True", "", early), at("Checked", "True", "Ready is True", late)}},
		{"it is the worse of two", "example.com/v1", "Lamp", late, status.Profile{}, []any{at("Ready", "True", "down", early), at("Ready", "False", "down", late)}},
		{"it is in a map", "example.com/v1", "Lamp", early, status.Profile{}, map[string]any{"Ready": at("Ready", "False", "no", early), "Checked": at("Checked", "True", "no", late)}},
		{"it is a standard condition", "example.com/v1", "Lamp", early, status.Profile{}, []any{at("Stalled", "True", "stuck", early), at("Ready", "False", "stuck", late)}},
		{"it is read by a rule", "batch/v1", "Job", early, status.Profile{}, []any{at("Failed", "True", "no luck", early), at("FailureTarget", "True", "no luck", late)}},
		{"it is read as in cli-utils", "example.com/v1", "Lamp", early, status.CompatProfile(), []any{at("Ready", "False", "no bulb", early), at("Checked", "True", "no bulb", late)}},
		{"no condition decides", "v1", "ConfigMap", "", status.Profile{}, []any{at("Ready", "False", "no", early)}},
	} {
		t.Run(row.name, func(t *testing.T) {
			obj := status.Map{"apiVersion": row.version, "kind": row.kind, "metadata": map[string]any{"name": "a"}, "status": map[string]any{"conditions": row.conditions}}
			r, err := status.Evaluator{Profile: row.profile}.Compute(obj)
			have := ""
			if r.Since != 0 {
				have = time.Unix(r.Since, 0).UTC().Format(time.RFC3339)
			}
			if err != nil || have != row.want {
				t.Errorf("%s %s: it is since %q, %v; want %q", r.Status, r.Message, have, err, row.want)
			}
		})
	}
}
