package status

import (
	"encoding/json"
	"math"
	"time"
)

// whole returns v as an integer if it is a number without a fraction.
func whole(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case int32:
		return int64(v), true
	case uint64:
		return int64(v), v <= math.MaxInt64
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<63
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, true
		}
		x, err := v.Float64()
		return int64(x), err == nil && x == math.Trunc(x) && math.Abs(x) < 1<<63
	}
	return 0, false
}

// text returns v as a string.
func text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case time.Time: // YAML decoders resolve unquoted timestamps
		return v.UTC().Format(time.RFC3339), true
	}
	return "", false
}
