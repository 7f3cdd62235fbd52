package main

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"kstatus.dev/status"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ value, want any }{
		{int64(3), int64(3)},
		{nil, nil},
		{true, true},
		{"text", "text"},
		{strings.Repeat("é", 400), strings.Repeat("é", 250) + "…"},
		{1.5, 1.5},
		{math.NaN(), "NaN"},
		{math.Inf(1), "+Inf"},
		{map[string]any{"password": "hunter2"}, "a map of 1 keys"},
		{[]any{"hunter2", 2}, "a list of 2 items"},
	} {
		if got := printable(c.value); got != c.want {
			t.Errorf("printable(%v) = %v, want %v", c.value, got, c.want)
		}
	}
}

func TestWholeAt(t *testing.T) {
	for _, c := range []struct {
		value any
		want  int64
		none  bool
	}{
		{value: int64(3), want: 3},
		{value: 3, want: 3},
		{value: 3.0, want: 3},
		{value: "3", want: 3},
		{value: 3.5, none: true},
		{value: "three", none: true},
		{value: nil, none: true},
		{value: []any{3}, none: true},
	} {
		got := wholeAt(map[string]any{"a": map[string]any{"b": c.value}}, "a", "b")
		if c.none != (got == nil) || got != nil && *got != c.want {
			t.Errorf("%v as a whole number = %v, want %d", c.value, got, c.want)
		}
	}
	if got := wholeAt(map[string]any{"a": "b"}, "a", "b"); got != nil {
		t.Errorf("a field of a text = %d, want none", *got)
	}
}

const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"

// A full is a disk without room.
type full struct{ room int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestGetTellsThatItCannotPrint(t *testing.T) {
	for _, format := range formatNames() {
		var said strings.Builder
		env := environment{in: strings.NewReader(widget), out: &full{10}, err: &said, now: time.Now}
		code := run(t.Context(), env, []string{"kstatus", "get", "--local", "-f", "-", "-o", format})
		if code != exitUncertain || said.String() != "error: print: no space left on device\n" {
			t.Errorf("-o %s on a full disk: exit code %d, %q", format, code, said.String())
		}
	}
}

func TestStatusText(t *testing.T) {
	for want, line := range map[string]objectLine{
		"Current":           {Status: status.CurrentStatus, Confidence: status.Strong},
		"Current (assumed)": {Status: status.CurrentStatus, Confidence: status.Assumed},
		"Failing":           {Status: status.InProgressStatus, Failure: status.Recoverable},
		"Failed":            {Status: status.FailedStatus, Failure: status.Recoverable},
		"Unknown":           {Status: status.UnknownStatus, Confidence: status.Assumed},
	} {
		if got := statusText(verdict{objectLine: line}); got != want {
			t.Errorf("text of %s = %q, want %q", line.Status, got, want)
		}
	}
	line := objectLine{Message: "there", Warnings: []string{"odd", "old"}}
	if got := messageWithWarnings(verdict{objectLine: line}); got != "there; warning: odd; warning: old" {
		t.Errorf("message with warnings = %q", got)
	}
}
