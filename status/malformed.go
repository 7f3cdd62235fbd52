package status

import (
	"encoding/json"
	"fmt"

	safetext "kstatus.dev/internal/text"
)

// malformed notes a field of the wrong shape, which makes the verdict Unknown.
// Of several the one whose path sorts first is told, so that the order in
// which a map is walked never matters.
func (f *Fields) malformed(path, want string, have any) {
	e := &malformedError{Path: f.path(path), Want: want, Have: have}
	if old, ok := f.eval.err.(*malformedError); !ok || e.Path < old.Path {
		f.eval.err = e
	}
}

// A malformedError names a field that is not of the shape its API gives it.
type malformedError struct {
	Path, Want string
	Have       any
}

func (e *malformedError) Error() string {
	return fmt.Sprintf("%s: want %s, have %s", e.Path, e.Want, shape(e.Have))
}

// shape describes a value without showing more of it than is needed to find it,
// in the words of JSON, whatever its decoder made of it.
func shape(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		const most = 40
		if len(v) > most {
			return fmt.Sprintf("string %q…", safetext.CutWith(v, most, ""))
		}
		return fmt.Sprintf("string %q", v)
	case map[string]any:
		return fmt.Sprintf("a map of %d keys", len(v))
	case []any:
		return fmt.Sprintf("a list of %d items", len(v))
	case bool:
		return fmt.Sprintf("boolean %t", v)
	case float64, json.Number:
		if n, ok := asInt(v); ok {
			return fmt.Sprintf("number %d", n)
		}
		return fmt.Sprintf("number %v", v)
	case int, int32, int64, uint64:
		return fmt.Sprintf("number %d", v)
	}
	return fmt.Sprintf("%T %v", v, v)
}
