package object

import (
	"testing"

	"kstatus.dev/status"
)

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
