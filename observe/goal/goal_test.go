package goal_test

import (
	"fmt"
	"strings"
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

func TestCondition(t *testing.T) {
	rows := []struct {
		it    string
		state map[string]any
		met   bool
		wants string
	}{
		{"is met by the value", map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}, true, ""},
		{"is not met without a status", nil, false, "it has no condition Ready"},
		{"is not met by malformed conditions", map[string]any{"conditions": []any{"Ready", nil, map[string]any{"type": 1}}}, false, "it has no condition Ready"},
		{"is not met by conditions of the wrong shape", map[string]any{"conditions": "Ready"}, false, "it has no condition Ready"},
		{"is not met by a condition without a status", map[string]any{"conditions": []any{map[string]any{"type": "Ready"}}}, false, "condition Ready is Unknown"},
		{"is not met by the better of two", map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}, map[string]any{"type": "Ready", "status": "False", "message": "down"}}},
			false, "condition Ready is False: down"},
		{"is not met by a stale condition", map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True", "observedGeneration": int64(1)}}},
			false, "condition Ready is for an earlier generation than 2"},
		{"is not met by a stale status", map[string]any{"observedGeneration": 1.0, "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
			false, "condition Ready is for an earlier generation than 2"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			obj := status.Map{"metadata": map[string]any{"generation": int64(2)}, "status": row.state}
			u := observe.Update{Version: observe.Version{Generation: 2}}
			if row.state["observedGeneration"] != nil {
				u.Version.ObservedGeneration = 1
			}
			met, wants := goal.Condition("Ready", "True").Met(u, obj)
			if met != row.met || wants != row.wants {
				t.Errorf("have %t %q, want %t %q", met, wants, row.met, row.wants)
			}
		})
	}
	web := status.Map{"status": map[string]any{"conditions": []any{map[string]any{"type": "Progressing"}, map[string]any{"type": "Available"}, map[string]any{"type": "Available"}}}}
	if _, wants := goal.Condition("Availble", "True").Met(observe.Update{}, web); wants != "it has no condition Availble; it has Available and Progressing" {
		t.Errorf("it does not name the conditions: %s", wants)
	}
	var many []any
	for i := range 14 {
		many = append(many, map[string]any{"type": fmt.Sprintf("C%02d", i)})
	}
	if _, wants := goal.Condition("X", "True").Met(observe.Update{}, status.Map{"status": map[string]any{"conditions": many}}); !strings.HasSuffix(wants, "C08, C09 and 4 more") {
		t.Errorf("it names all conditions: %s", wants)
	}
	eco := status.Map{"status": map[string]any{"conditions": []any{map[string]any{"type": "Mode", "status": "Eco"}}}}
	if met, wants := goal.Condition("Mode", "Eco").Met(observe.Update{}, eco); !met {
		t.Errorf("a status of another word does not meet it: %s", wants)
	}
	if name := goal.Condition("Ready", "False").Name; name != "condition=Ready=False" {
		t.Errorf("its name is %s", name)
	}
}
