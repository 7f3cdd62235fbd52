package status

import (
	"time"

	"kstatus.dev/internal/integer"
)

// whole returns v as an integer if it is a number without a fraction.
func whole(v any) (int64, bool) { return integer.Of(v) }

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
