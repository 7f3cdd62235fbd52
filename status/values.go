package status

import (
	"time"

	"kstatus.dev/internal/integer"
)

// asInt returns v as an integer if it is a number without a fraction.
func asInt(v any) (int64, bool) { return integer.Of(v) }

// asText returns v as a string.
func asText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case time.Time: // YAML decoders resolve unquoted timestamps
		return v.UTC().Format(time.RFC3339), true
	}
	return "", false
}
