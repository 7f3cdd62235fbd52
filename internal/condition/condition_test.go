package condition_test

import (
	"fmt"
	"testing"

	"kstatus.dev/internal/condition"
)

// Of two conditions of a type the worse counts, whatever their order.
func TestCompare(t *testing.T) {
	for _, row := range []struct {
		name         string
		worse, other map[string]any
	}{
		{"False before Unknown", map[string]any{"status": "False"}, map[string]any{"status": "Unknown"}},
		{"Unknown before True", map[string]any{}, map[string]any{"status": "True"}},
		{"an earlier generation", map[string]any{"status": "True", "observedGeneration": "1"}, map[string]any{"status": "True", "observedGeneration": int64(2)}},
		{"any generation before none", map[string]any{"status": "True", "observedGeneration": 7.0}, map[string]any{"status": "True"}},
		{"a reason", map[string]any{"status": "True", "reason": "A"}, map[string]any{"status": "True", "reason": "B"}},
		{"a message", map[string]any{"status": "True", "message": "a"}, map[string]any{"status": "True", "message": "b"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, b := condition.Read("Ready", row.worse), condition.Read("Ready", row.other)
			if condition.Compare(a, b) >= 0 || condition.Compare(b, a) <= 0 || fmt.Sprint(condition.Worse(a, b)) != fmt.Sprint(condition.Worse(b, a)) {
				t.Errorf("%+v is not before %+v", a, b)
			}
		})
	}
}

func TestNormalized(t *testing.T) {
	ready, broken := map[string]any{"type": "Ready", "status": "True"}, map[string]any{"type": "Ready", "status": "False"}
	for _, row := range []struct {
		name, want string
		status     any
	}{
		{"keeps the usual form", "map[conditions:[map[status:True type:Ready]]]", map[string]any{"conditions": []any{ready}}},
		{"keeps items that are not conditions", "map[conditions:[text]]", map[string]any{"conditions": []any{"text"}}},
		{"keeps conditions that are booleans", "map[conditions:map[ready:true]]", map[string]any{"conditions": map[string]any{"ready": true}}},
		{"does not invent a status", "map[conditions:[map[type:Ready]]]", map[string]any{"conditions": []any{map[string]any{"type": "Ready"}}}},
		{"takes the worse of two", "map[conditions:[map[status:False type:Ready]]]", map[string]any{"conditions": []any{ready, broken}}},
		{"makes a list of a map", "map[conditions:[map[status:False type:Ready]]]", map[string]any{"conditions": map[string]any{"Ready": map[string]any{"status": false}}}},
		{"reads parts too", "map[parents:[map[conditions:[map[status:True type:Ready]]]]]",
			map[string]any{"parents": []any{map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": true}}}}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := fmt.Sprint(row.status)
			if have := fmt.Sprint(condition.Normalized(map[string]any{"status": row.status})["status"]); have != row.want {
				t.Errorf("it is %s, want %s", have, row.want)
			}
			if after := fmt.Sprint(row.status); after != before {
				t.Errorf("the object was changed to %s", after)
			}
		})
	}
}
