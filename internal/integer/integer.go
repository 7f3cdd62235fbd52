// Package integer reads integers of decoded objects.
package integer

import (
	"encoding/json"
	"math"
	"strconv"
)

// Of returns an integer from any type that decoders of JSON and YAML return. It
// returns zero and false for other values. A float counts if it has no fraction
// and fits. A string never counts.
func Of(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case int32:
		return int64(v), true
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v), true
		}
	case float64:
		return ofFloat(v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, true
		}
		if f, err := v.Float64(); err == nil {
			return ofFloat(f)
		}
	}
	return 0, false
}

// OfText is [Of] for a generation, which some kinds write as a decimal string. A longer string of
// digits is a hash.
func OfText(v any) (int64, bool) {
	if s, ok := v.(string); ok {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil && len(s) < 10
	}
	return Of(v)
}

// ofFloat compares before it converts, because the conversion of a value that
// does not fit depends on the processor.
func ofFloat(f float64) (int64, bool) {
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f), true
	}
	return 0, false
}

// OfVersion returns a resourceVersion as a number, which orders the versions of a server. It returns
// zero for one that is not a number, as some aggregated APIs have: it cannot be compared.
func OfVersion(resourceVersion string) uint64 {
	n, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
