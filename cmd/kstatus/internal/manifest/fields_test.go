package manifest

import (
	"testing"
)

func TestIntegerAt(t *testing.T) {
	for _, c := range []struct {
		value any
		want  int64
		none  bool
	}{
		{value: int64(3), want: 3},
		{value: 3, want: 3},
		{value: 3.0, want: 3},
		{value: "3", want: 3},
		{value: 3.5, none: true},
		{value: "three", none: true},
		{value: nil, none: true},
		{value: []any{3}, none: true},
	} {
		got := IntegerAt(map[string]any{"a": map[string]any{"b": c.value}}, "a", "b")
		if c.none != (got == nil) || got != nil && *got != c.want {
			t.Errorf("%v as a whole number = %v, want %d", c.value, got, c.want)
		}
	}
	if got := IntegerAt(map[string]any{"a": "b"}, "a", "b"); got != nil {
		t.Errorf("a field of a text = %d, want none", *got)
	}
}
