package value_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kstatus.dev/status/internal/value"
)

func TestGeneration(t *testing.T) {
	for _, c := range []struct {
		it   string
		v    any
		want int64
		ok   bool
	}{
		{"reads an integer", int64(3), 3, true},
		{"reads a number without a fraction", 3.0, 3, true},
		{"reads a json.Number", json.Number("3"), 3, true},
		{"reads a decimal string", "123456789", 123456789, true},
		{"rejects a hash", "1234567890", 0, false},
		{"rejects a word", "three", 0, false},
		{"rejects an empty string", "", 0, false},
		{"rejects a fraction", 3.5, 0, false},
		{"rejects a boolean", true, 0, false},
		{"reads nothing", nil, 0, false},
	} {
		t.Run(c.it, func(t *testing.T) {
			if got, ok := value.Generation(c.v); ok != c.ok || ok && got != c.want {
				t.Errorf("Generation(%#v) = %d, %t, want %d, %t", c.v, got, ok, c.want, c.ok)
			}
		})
	}
}

func TestText(t *testing.T) {
	at := time.Date(2024, 5, 1, 12, 0, 0, 0, time.FixedZone("", 2*60*60))
	for _, c := range []struct {
		it   string
		v    any
		want string
		ok   bool
	}{
		{"reads a string", "x", "x", true},
		{"reads an empty string", "", "", true},
		{"formats a time like the API", at, "2024-05-01T10:00:00Z", true},
		{"rejects a number", 3, "", false},
		{"reads nothing", nil, "", false},
	} {
		t.Run(c.it, func(t *testing.T) {
			if got, ok := value.Text(c.v); got != c.want || ok != c.ok {
				t.Errorf("Text(%#v) = %q, %t, want %q, %t", c.v, got, ok, c.want, c.ok)
			}
		})
	}
}

func TestShape(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "null"},
		{"x", `string "x"`},
		{"a\nb", `string "a\nb"`},
		{strings.Repeat("x", 40), `string "` + strings.Repeat("x", 40) + `"`},
		{strings.Repeat("x", 41), `string "` + strings.Repeat("x", 40) + `"…`},
		{map[string]any{"a": 1}, "a map of 1 key"},
		{[]any{}, "a list of 0 items"},
		{true, "boolean true"},
		{3, "number 3"},
		{uint64(math.MaxUint64), "number 18446744073709551615"},
		{3.0, "number 3"},
		{1e6, "number 1000000"},
		{3.5, "number 3.5"},
		{json.Number("7"), "number 7"},
		{time.Second, "time.Duration 1s"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := value.Shape(c.v); got != c.want {
				t.Errorf("Shape(%#v) = %s, want %s", c.v, got, c.want)
			}
		})
	}
}

func TestMalformedError(t *testing.T) {
	a := &value.MalformedError{Path: "status.a", Want: "a list", Have: "x"}
	b := &value.MalformedError{Path: "status.b", Want: "a map", Have: nil}
	if want := `status.a: want a list, have string "x"`; a.Error() != want {
		t.Errorf("Error() = %s, want %s", a, want)
	}
	for _, c := range []struct {
		it         string
		err        *value.MalformedError
		other, was error
	}{
		{"keeps the first path", a, b, a},
		{"replaces a later path", b, a, a},
		{"replaces no error", b, nil, b},
		{"replaces another error", b, errors.New("x"), b},
	} {
		t.Run(c.it, func(t *testing.T) {
			if got := c.err.First(c.other); got != c.was {
				t.Errorf("First = %v, want %v", got, c.was)
			}
		})
	}
}

// Shape returns one short, valid line for every string.
func FuzzShape(f *testing.F) {
	f.Add("ready")
	f.Add(strings.Repeat("ü\x1b", 30))
	f.Fuzz(func(t *testing.T, s string) {
		got := value.Shape(s)
		if len(got) > 4*40+len(`string ""…`) || strings.ContainsAny(got, "\n\r\x1b") || !utf8.ValidString(got) {
			t.Errorf("Shape(%q) = %s", s, got)
		}
	})
}
