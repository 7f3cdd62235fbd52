package integer_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"kstatus.dev/internal/integer"
)

func TestOf(t *testing.T) {
	for _, row := range []struct {
		have any
		want int64
		ok   bool
	}{
		{int64(-3), -3, true}, {3, 3, true}, {int32(3), 3, true}, {uint64(3), 3, true}, {3.0, 3, true}, {-3.0, -3, true},
		{json.Number("3"), 3, true}, {json.Number("3.0"), 3, true}, {json.Number("1e3"), 1000, true},
		{int64(math.MaxInt64), math.MaxInt64, true}, {float64(1 << 62), 1 << 62, true},
		{3.5, 0, false}, {math.NaN(), 0, false}, {math.Inf(1), 0, false}, {math.Inf(-1), 0, false},
		{float64(1 << 63), 0, false}, {-float64(1 << 63), 0, false}, {1e300, 0, false}, {uint64(1 << 63), 0, false},
		{json.Number("3.5"), 0, false}, {json.Number("1e300"), 0, false}, {json.Number("1e400"), 0, false}, {json.Number("three"), 0, false},
		{"3", 0, false}, {nil, 0, false}, {true, 0, false}, {[]any{3}, 0, false}, {map[string]any{}, 0, false},
	} {
		t.Run(fmt.Sprintf("%T %v", row.have, row.have), func(t *testing.T) {
			if n, ok := integer.Of(row.have); n != row.want || ok != row.ok {
				t.Errorf("it is %d, %t; want %d, %t", n, ok, row.want, row.ok)
			}
		})
	}
}

func TestOfVersion(t *testing.T) {
	for version, want := range map[string]uint64{"": 0, "12": 12, "-1": 0, "1e3": 0, "a": 0, "18446744073709551615": math.MaxUint64, "18446744073709551616": 0} {
		if have := integer.OfVersion(version); have != want {
			t.Errorf("%q: have %d, want %d", version, have, want)
		}
	}
}
