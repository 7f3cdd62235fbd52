package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

func TestWorse(t *testing.T) {
	order := []exitCode{exitFailed, exitFindings, exitForbidden, exitUncertain, exitMissing, exitTimeout, exitOK}
	for i, worst := range order {
		for _, other := range order[i:] {
			if a, b := worse(worst, other), worse(other, worst); a != worst || b != worst {
				t.Errorf("of %d and %d the worse is %d or %d, want %d", worst, other, a, b, worst)
			}
		}
	}
	if got := worse(exitInterrupted, exitUsage); got != exitInterrupted {
		t.Errorf("of interrupted and usage the worse is %d", got)
	}
}

func TestCodeOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want exitCode
	}{
		{nil, exitOK},
		{errors.New("x"), exitUncertain},
		{usagef("x"), exitUsage},
		{fmt.Errorf("wrapped: %w", exitWith(exitFailed)), exitFailed},
		{exitWith(exitOK), exitOK},
	} {
		if got := codeOf(c.err); got != c.want {
			t.Errorf("code of %v = %d, want %d", c.err, got, c.want)
		}
	}
	if got := exitCode(99).outcome(); got != "error" {
		t.Errorf("outcome of an unknown code = %q, want error", got)
	}
	if err := usageError(fs.ErrNotExist); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v hides its cause", err)
	}
}

func TestTallyCode(t *testing.T) {
	word := func(s status.Status) verdict { return verdict{objectLine: objectLine{Status: s}} }
	broken := verdict{objectLine: objectLine{Status: status.UnknownStatus, Error: "x"}}
	for _, c := range []struct {
		name string
		all  []verdict
		want exitCode
	}{
		{"nothing", nil, exitMissing},
		{"current", []verdict{word(status.CurrentStatus)}, exitOK},
		{"in progress", []verdict{word(status.CurrentStatus), word(status.InProgressStatus)}, exitTimeout},
		{"unknown", []verdict{word(status.UnknownStatus)}, exitTimeout},
		{"not found", []verdict{word(status.NotFoundStatus), word(status.InProgressStatus)}, exitMissing},
		{"unjudged", []verdict{broken, word(status.NotFoundStatus)}, exitUncertain},
		{"failed", []verdict{broken, word(status.FailedStatus), word(status.NotFoundStatus)}, exitFailed},
	} {
		var all tally
		for _, v := range c.all {
			all.add(v)
		}
		if got := all.code(); got != c.want {
			t.Errorf("exit code of %s = %d, want %d", c.name, got, c.want)
		}
	}
}

func TestCalledAs(t *testing.T) {
	for _, c := range []struct {
		args, rest []string
		name       string
	}{
		{nil, []string{}, "kstatus"},
		{[]string{"/usr/bin/kstatus", "get"}, []string{"get"}, "kstatus"},
		{[]string{"kubectl-kstatus", "get"}, []string{"get"}, "kubectl kstatus"},
		{[]string{"kubectl-kstatus.exe"}, []string{}, "kubectl kstatus"},
		{[]string{"kubectl_complete-kstatus", "ge"}, []string{"__complete", "ge"}, "kubectl kstatus"},
	} {
		if name, rest := calledAs(c.args); name != c.name || !slices.Equal(rest, c.rest) {
			t.Errorf("called as %q: %q %q, want %q %q", c.args, name, rest, c.name, c.rest)
		}
	}
}

func TestVersionText(t *testing.T) {
	info := &debug.BuildInfo{
		Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"},
		},
	}
	for want, read := range map[string]func() (*debug.BuildInfo, bool){
		"kstatus unknown go": func() (*debug.BuildInfo, bool) { return nil, false },
		"kstatus v1.2.3 go":  func() (*debug.BuildInfo, bool) { return &debug.BuildInfo{Main: info.Main}, true },
		"kstatus v1.2.3 (commit 0123456789ab, modified) go": func() (*debug.BuildInfo, bool) { return info, true },
	} {
		if got := versionText(read); !strings.HasPrefix(got, want) {
			t.Errorf("version text = %q, want it to begin with %q", got, want)
		}
	}
}

// TestSchemaNamesEveryField: what the lines have, the published schema has.
func TestSchemaNamesEveryField(t *testing.T) {
	text, err := os.ReadFile("../../docs/output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	type shape struct {
		Properties map[string]json.RawMessage
		Items      json.RawMessage
	}
	var schema struct {
		Defs map[string]shape `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	sub := func(s shape, name string) (inner shape) {
		if err := json.Unmarshal(s.Properties[name], &inner); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return inner
	}
	object := schema.Defs["object"]
	var item shape
	if err := json.Unmarshal(sub(object, "evidence").Items, &item); err != nil {
		t.Fatal(err)
	}
	for line, has := range map[reflect.Type]shape{
		reflect.TypeFor[startLine]():  schema.Defs["start"],
		reflect.TypeFor[objectLine](): object,
		reflect.TypeFor[waitLine]():   object,
		reflect.TypeFor[identity]():   schema.Defs["id"],
		reflect.TypeFor[source]():     sub(object, "source"),
		reflect.TypeFor[evidence]():   item,
		reflect.TypeFor[resultLine](): schema.Defs["result"],

		reflect.TypeFor[explain.Cause]():    schema.Defs["cause"],
		reflect.TypeFor[explain.Link]():     schema.Defs["link"],
		reflect.TypeFor[explain.Evidence](): schema.Defs["fact"],
		reflect.TypeFor[explain.ID]():       schema.Defs["id"],
		reflect.TypeFor[explain.LogWish]():  schema.Defs["log"],
		reflect.TypeFor[explain.Gap]():      schema.Defs["gap"],
	} {
		for _, field := range reflect.VisibleFields(line) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.IsExported() || field.Anonymous && name == "" {
				continue
			}
			if has.Properties[name] == nil {
				t.Errorf("%s has %q, which docs/output.schema.json does not name", line, name)
			}
		}
	}
}

func TestErrorsDoNoHarmToTerminals(t *testing.T) {
	var said strings.Builder
	environment{err: &said}.complain(errors.New("no kind \x1b[2Jx\u202e\nand\tmore"))
	if want := "error: no kind \ufffd[2Jx\ufffd\nand more\n"; said.String() != want {
		t.Errorf("it says %q, want %q", said.String(), want)
	}
}
