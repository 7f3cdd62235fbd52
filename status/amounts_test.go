package status

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestAmountsAreReadFromEveryNumberType(t *testing.T) {
	for _, v := range []any{"2k", 2000, int32(2000), int64(2000), uint64(2000), 2000.0, json.Number("2e3")} {
		t.Run(fmt.Sprintf("%T %v", v, v), func(t *testing.T) {
			ev := newEvaluation(map[string]any{"want": map[string]any{"size": "2000.0"}, "have": map[string]any{"size": v}})
			if _, right, order := ev.object.amounts("want", "have", "size"); right == "" || order != 0 || ev.err != nil {
				t.Errorf("have %q, %d, %v", right, order, ev.err)
			}
		})
	}
	for _, v := range []any{true, map[string]any{}, []any{}, "much", json.Number("much"), uint64(1) << 63} {
		for _, paths := range [][2]string{{"want", "have"}, {"have", "want"}} {
			t.Run(fmt.Sprintf("%T %v, %s first", v, v, paths[0]), func(t *testing.T) {
				ev := newEvaluation(map[string]any{"want": map[string]any{"size": "2000"}, "have": map[string]any{"size": v}})
				if left, right, order := ev.object.amounts(paths[0], paths[1], "size"); left != "" && right != "" || order != 0 || ev.err == nil {
					t.Errorf("have %q, %q, %d, %v", left, right, order, ev.err)
				}
			})
		}
	}
}
