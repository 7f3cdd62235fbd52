package status_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"kstatus.dev/status"
)

func allCases(t testing.TB) []testCase {
	return cases(t, defaultCases...)
}

// The order of conditions and of other list items never changes a verdict, and neither does an
// unknown field.
func TestOrderNeverMatters(t *testing.T) {
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		rnd := rand.New(rand.NewPCG(1, uint64(c.line)))
		e := c.evaluator(t)
		want := formatResult(e.Compute(status.Map(c.obj)))
		for range 5 {
			obj := transformed(c.obj, func(v any) any {
				list, ok := v.([]any)
				if !ok || !allMaps(list) {
					return v
				}
				list = append([]any(nil), list...)
				rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
				return list
			})
			obj["unrelated"] = "field"
			if got := formatResult(e.Compute(status.Map(obj))); got != want {
				t.Errorf("%s:%d: shuffled: have %s, want %s", c.file, c.line, got, want)
			}
		}
	})
}

// allMaps reports whether all items of a list are maps. Lists of texts, and lists with malformed
// items whose index is part of a message, keep their order.
func allMaps(list []any) bool {
	for _, v := range list {
		if _, ok := v.(map[string]any); !ok {
			return false
		}
	}
	return true
}

// A number means the same in every type that a decoder may return.
func TestNumberFormsNeverMatter(t *testing.T) {
	forms := map[string]func(float64) any{
		"int":         func(x float64) any { return int(x) },
		"int64":       func(x float64) any { return int64(x) },
		"json.Number": func(x float64) any { b, _ := json.Marshal(x); return json.Number(b) },
	}
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		e := c.evaluator(t)
		want, _ := e.Compute(status.Map(c.obj))
		for name, form := range forms {
			obj := transformed(c.obj, func(v any) any {
				if x, ok := v.(float64); ok && x == float64(int64(x)) {
					return form(x)
				}
				return v
			})
			got, _ := e.Compute(status.Map(obj))
			if want != nil && (got.Status != want.Status || got.Reason != want.Reason) {
				t.Errorf("%s:%d: as %s: have %s, want %s", c.file, c.line, name, formatResult(got, nil), formatResult(want, nil))
			}
		}
	})
}

// transformed returns a copy of v with f applied to every value, children first.
func transformed(obj map[string]any, f func(any) any) map[string]any {
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			m := make(map[string]any, len(v))
			for k, x := range v {
				m[k] = walk(x)
			}
			return f(m)
		case []any:
			l := make([]any, len(v))
			for i, x := range v {
				l[i] = walk(x)
			}
			return f(l)
		}
		return f(v)
	}
	m, _ := walk(obj).(map[string]any)
	return m
}

// A higher generation alone never makes an object Current. An object with an observed generation
// is InProgress until its controller has observed the new one, unless it is paused. If an object
// is Current with an observed generation of 0, its controller writes none.
func TestRaisingTheGenerationNeverCompletes(t *testing.T) {
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		e := c.evaluator(t)
		before, err := e.Compute(status.Map(c.obj))
		if err != nil {
			return
		}
		raised := merged(c.obj, map[string]any{"metadata": map[string]any{"generation": float64(1000)}})
		if _, ok := c.obj["metadata"].(map[string]any); !ok {
			return
		}
		after, err := e.Compute(status.Map(raised))
		if err != nil {
			t.Fatal(err)
		}
		if before.Status == status.InProgressStatus && after.Status == status.CurrentStatus {
			t.Errorf("%s:%d: generation 1000 makes %s of %s", c.file, c.line, formatResult(after, nil), formatResult(before, nil))
		}
		if before.Suspended != "" && after.Reason == before.Reason {
			return
		}
		if meta, _ := c.obj["metadata"].(map[string]any); strings.Contains(c.expect, "no-subresource") && (meta["managedFields"] != nil || c.obj["spec"] == nil) {
			return // writes of its status raise the generation, and the last writer is known
		}
		st, _ := c.obj["status"].(map[string]any)
		if before.Status == status.CurrentStatus && before.Reason != "NoStatusExpected" && number(st["observedGeneration"]) && after.Status != status.InProgressStatus {
			t.Errorf("%s:%d: generation 1000 leaves it at %s", c.file, c.line, formatResult(after, nil))
		}
	})
}

func number(v any) bool {
	n, is := v.(float64)
	return is && n != 0
}

// An explanation does not change the verdict, and has the fields that were read.
func TestExplainAgreesWithCompute(t *testing.T) {
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		e := c.evaluator(t)
		want, err := e.Compute(status.Map(c.obj))
		x, reads, err2 := e.Explain(status.Map(c.obj))
		if (err == nil) != (err2 == nil) {
			t.Errorf("%s:%d: errors differ: %v, %v", c.file, c.line, err, err2)
			return
		}
		if err != nil {
			return
		}
		if !reflect.DeepEqual(want, x) {
			t.Errorf("%s:%d: Explain says %s, Compute %s", c.file, c.line, formatResult(x, nil), formatResult(want, nil))
		}
		seen := map[string]bool{}
		for _, r := range reads {
			if seen[r.Path] {
				t.Errorf("%s:%d: %s is told twice", c.file, c.line, r.Path)
			}
			seen[r.Path] = true
		}
	})
}

// Equal objects have equal evidence, in an equal order.
func TestExplainIsDeterministic(t *testing.T) {
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		e := c.evaluator(t)
		_, want, _ := e.Explain(status.Map(c.obj))
		for range 10 {
			if _, got, _ := e.Explain(status.Map(c.obj)); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s:%d: read %v, then %v", c.file, c.line, want, got)
			}
		}
	})
}

// Every verdict of the cases has a reason of the closed set that fits its status, and the
// condition that it implies.
func TestVerdictsAreWhole(t *testing.T) {
	known := map[string]status.Reason{}
	for _, r := range (status.Profile{}).Reasons() {
		known[r.Name] = r
	}
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		r, err := c.evaluator(t).Compute(status.Map(c.obj))
		if err != nil {
			return
		}
		d, ok := known[r.Reason]
		young := r.Failure == status.FailureRecoverable && r.Status == status.InProgressStatus
		moved := c.profile != "" // a profile may override the status of a reason
		if !ok || d.Status != r.Status && !young && !moved {
			t.Errorf("%s:%d: reason %q does not go with %s", c.file, c.line, r.Reason, r.Status)
		}
		if (r.Failure != "") != (r.Status == status.FailedStatus) && !young {
			t.Errorf("%s:%d: %s with failure %q", c.file, c.line, r.Status, r.Failure)
		}
		if r.Rule == "" || r.Message == "" || r.Confidence == "" || r.Conditions == nil {
			t.Errorf("%s:%d: the verdict lacks a field: %+v", c.file, c.line, *r)
		}
		if young && r.Recheck <= 0 && d.Status == status.FailedStatus && r.Reason != "Unschedulable" {
			t.Errorf("%s:%d: a young failure does not say when to look again: %s", c.file, c.line, formatResult(r, nil))
		}
	})
}
