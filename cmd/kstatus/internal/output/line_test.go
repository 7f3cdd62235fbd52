package output

import (
	"math"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ value, want any }{
		{int64(3), int64(3)},
		{nil, nil},
		{true, true},
		{"text", "text"},
		{strings.Repeat("é", 400), strings.Repeat("é", 250) + "…"},
		{1.5, 1.5},
		{math.NaN(), "NaN"},
		{math.Inf(1), "+Inf"},
		{map[string]any{"password": "hunter2"}, "a map of 1 key"},
		{[]any{"hunter2", 2}, "a list of 2 items"},
	} {
		if got := printable(c.value); got != c.want {
			t.Errorf("printable(%v) = %v, want %v", c.value, got, c.want)
		}
	}
}
