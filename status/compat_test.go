package status_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kstatus.dev/status"
)

// The directory of a case names its profile.
func TestCompatCases(t *testing.T) {
	eachCase(t, compatCases, func(t *testing.T, c testCase) {
		c.profile = filepath.Base(filepath.Dir(c.file))
		e := c.evaluator(t)
		c.obj = wholeAs(c.obj, func(n int64) any { return n })
		res, err := e.Compute(status.Map(c.obj))
		if err != nil {
			t.Fatalf("%s:%d: %v", c.file, c.line, err)
		}
		if got := formatCompat(res); got != c.want {
			t.Errorf("%s:%d:\n have %s\n want %s", c.file, c.line, got, c.want)
		}
		explained, reads, err := e.Explain(status.Map(c.obj))
		if err != nil || formatCompat(explained) != c.want || len(reads) == 0 && res.Status != status.UnknownStatus {
			t.Errorf("%s:%d: explained as %+v, %v", c.file, c.line, explained, err)
		}
	})
}

// compatCases are the files of cases for the compat profiles.
var compatCases = []string{"testdata/compat*/*.cases"}

// formatCompat formats what is compared with kstatus in cli-utils, with the rest in brackets.
func formatCompat(r *status.Result) string {
	words := []string{string(r.Status)}
	if r.Reason != "" {
		words = append(words, r.Reason)
	}
	if extra := remarks(r); len(extra) > 0 {
		words = append(words, "["+strings.Join(extra, ", ")+"]")
	}
	out := strings.TrimSpace(strings.Join(words, " ") + ": " + r.Message)
	for _, c := range r.Conditions {
		out += strings.TrimRight(fmt.Sprintf(" | %s=%s %s", c.Type, c.Status, c.Reason), " ") + strings.TrimRight(": "+c.Message, " ")
	}
	for _, w := range r.Warnings {
		out += " | " + w
	}
	return out
}

// wholeAs returns an object with its whole numbers in another type. encoding/json decodes them as
// float64, Kubernetes as int64.
func wholeAs(obj map[string]any, convert func(int64) any) map[string]any {
	return transformed(obj, func(v any) any {
		if x, ok := v.(float64); ok && x == float64(int64(x)) {
			return convert(int64(x))
		}
		return v
	})
}

// Every integer means the same, whatever type its decoder returns.
func TestCompatNumberFormsNeverMatter(t *testing.T) {
	forms := map[string]func(int64) any{
		"int": func(n int64) any { return int(n) },
		"float64": func(n int64) any {
			if int64(float64(n)) != n || n == math.MinInt64 {
				return n // no float is exact, or known to be
			}
			return float64(n)
		},
		"int32": func(n int64) any {
			if int64(int32(n)) != n {
				return n
			}
			return int32(n)
		},
		"text": func(n int64) any { return json.Number(strconv.FormatInt(n, 10)) },
	}
	for _, name := range []string{"compat", "compat-0.0.2"} {
		t.Run(name, func(t *testing.T) {
			eachCase(t, compatCases, func(t *testing.T, c testCase) {
				c.profile = name
				e := c.evaluator(t)
				want, err := e.Compute(status.Map(wholeAs(c.obj, func(n int64) any { return n })))
				if err != nil {
					t.Fatalf("%s:%d: %v", c.file, c.line, err)
				}
				for form, convert := range forms {
					got, err := e.Compute(status.Map(wholeAs(c.obj, convert)))
					if err != nil || formatCompat(got) != formatCompat(want) {
						t.Errorf("%s:%d: with numbers as %s: %v, %v; want %v", c.file, c.line, form, got, err, want)
					}
				}
			})
		})
	}
}
