// Package value reads single values of decoded objects, and describes values of the wrong type.
//
// A [MalformedError] names such a field. The functions accept the types of all JSON and YAML
// decoders.
package value

import (
	"encoding/json"
	"fmt"
	"time"

	"kstatus.dev/internal/integer"
	"kstatus.dev/internal/text"
)

// Int returns v as an integer if it is a number without a fraction.
func Int(v any) (int64, bool) { return integer.Of(v) }

// Text returns v as a string if it is a string, or a timestamp of a YAML decoder.
func Text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case time.Time:
		return v.UTC().Format(time.RFC3339), true
	}
	return "", false
}

// List returns v as a list, nil if it is not one.
func List(v any) []any {
	list, _ := v.([]any)
	return list
}

// Generation returns v as a generation, which some kinds write as a decimal string.
func Generation(v any) (int64, bool) { return integer.OfText(v) }

// ObservedGeneration returns the generation that a condition is for, and 0 if it does not say so.
func ObservedGeneration(condition any) int64 {
	m, _ := condition.(map[string]any)
	seen, ok := Generation(m["observedGeneration"])
	if !ok {
		return 0
	}
	return seen
}

// A MalformedError names a field with a value of the wrong type.
type MalformedError struct {
	Path, Want string
	Have       any
}

// Error returns the path, the wanted type, and the value found.
func (e *MalformedError) Error() string {
	return fmt.Sprintf("%s: want %s, have %s", e.Path, e.Want, Shape(e.Have))
}

// First returns the error whose path sorts first, so that the order of map iteration does not
// matter. A MalformedError precedes any other error.
func (e *MalformedError) First(other error) error {
	if old, ok := other.(*MalformedError); ok && old.Path <= e.Path {
		return old
	}
	return e
}

// Shape describes the type of a value in terms of JSON, whatever its decoder returned. It shows
// only as much of the value as is needed to find it.
func Shape(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		const most = 40
		if len(v) > most {
			return fmt.Sprintf("string %q…", text.CutWith(v, most, ""))
		}
		return fmt.Sprintf("string %q", v)
	case map[string]any:
		return "a map of " + text.Count(len(v), "key")
	case []any:
		return "a list of " + text.Count(len(v), "item")
	case bool:
		return fmt.Sprintf("boolean %t", v)
	case float64, json.Number:
		if n, ok := Int(v); ok {
			return fmt.Sprintf("number %d", n)
		}
		return fmt.Sprintf("number %v", v)
	case int, int32, int64, uint64:
		return fmt.Sprintf("number %d", v)
	}
	return fmt.Sprintf("%T %v", v, v)
}
