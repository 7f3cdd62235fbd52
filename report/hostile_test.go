package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// hostileText is a text with markup and commands for each format.
const hostileText = "</script><script>alert(1)</script>]]>&<img src=x onerror=alert(1)> | `x` ``` ::error::x\n::set-output name=a::b\r##[add-mask]x " +
	"\x1b[31mred\u009b31m \u202eback\u2066 \x00\x07 \u2028line\u2029 \ufffe \xff @everyone **bold** [link](javascript:alert(1)) <!-- "

// hostileRun returns a run with hostile text in every field from a cluster.
func hostileRun() *Run {
	bad := target(hostileText, hostileText, hostileText, hostileText)
	bad.Cluster = hostileText
	long := target("", "Pod", "shop", "long")
	result := status.Result{Status: status.FailedStatus, Reason: hostileText, Message: hostileText, Warnings: []string{hostileText}, Rule: hostileText, Failure: status.FailureTerminal}
	huge := result
	huge.Message = strings.Repeat(hostileText, 1<<20/len(hostileText))
	reads := []status.Read{{Path: hostileText, Value: hostileText}, {Path: "a", Value: map[string]any{"password": "hunter2"}}, {Path: "b", Value: huge.Message}}
	start := Start{Time: began, Version: hostileText, Command: []string{hostileText}, Goal: []string{hostileText}, Timeout: hostileText, Profile: hostileText, Contexts: []string{hostileText}}
	r, b := recordSteps(start, map[observe.Target]*Source{bad: {hostileText, 1}},
		step{time.Second, observe.Update{Target: bad, Result: result, Progress: observe.ProgressFailed, Unmet: hostileText, Evidence: reads}},
		step{time.Second, observe.Update{Target: long, Result: huge, Progress: observe.ProgressFailed, Unmet: huge.Message, Evidence: reads}})
	at := bad.ID()
	r.AddExplanation(&explain.Explanation{
		Causes: []explain.Cause{{
			Kind: hostileText, Text: hostileText, Count: 2, Objects: []status.ID{at}, Blocks: []status.ID{at}, Changed: []string{hostileText}, Next: []string{hostileText},
			Chain: []explain.Step{{ID: at, Status: status.FailedStatus, Text: hostileText}, {ID: at, Status: status.UnknownStatus, Container: hostileText}},
			Evidence: []explain.Evidence{
				{From: explain.OriginStatus, Object: at, Path: hostileText, Value: hostileText},
				{From: explain.OriginLog, Object: at, Log: hostileText, Lines: []string{hostileText, "```", "~~~", huge.Message}},
				{From: explain.OriginEvent, Object: at, Value: huge.Message},
			},
		}},
		Gaps: []explain.Gap{{Subject: hostileText, Reason: hostileText}},
	})
	r.End(b, Result{Time: timeAt(2 * time.Second), Outcome: "failed", ExitCode: 3, Error: hostileText})
	return r
}

// formats returns all functions that write a run.
func formats(r *Run) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"json": r.JSON, "junit": r.JUnit, "html": r.HTML,
		"md":     func(w io.Writer) error { return r.Markdown(w, 0) },
		"github": func(w io.Writer) error { return r.GitHub(w, "", "/repo") },
	}
}

// Reports of a hostile run are short, contain no secrets, and no text that acts on a terminal or
// a reader.
func TestReportsOfAHostileRun(t *testing.T) {
	r := hostileRun()
	for name, write := range formats(r) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			if len(text) > 200_000 {
				t.Errorf("%d bytes, of messages of 1 MB", len(text))
			}
			if strings.Contains(text, "hunter2") {
				t.Error("it holds what a map holds")
			}
			if !utf8.ValidString(text) {
				t.Error("it is not valid UTF-8")
			}
			for i, c := range text {
				if unicode.IsControl(c) && c != '\n' && !(name == "html" && c == '\t') || unicode.Is(unicode.Bidi_Control, c) || c == '\u2028' || c == '\u2029' {
					t.Fatalf("%q at %d: …%q", c, i, text[max(0, i-40):min(len(text), i+40)])
				}
			}
		})
	}
}

// Reports contain no secrets from messages or fields.
func TestReportsContainNoSecret(t *testing.T) {
	const leak = "cannot log in with password=hunter2 at https://me:hunter2@db.example.com"
	pod := target("", "Pod", "shop", "web")
	result := status.Result{Status: status.FailedStatus, Reason: "Error", Message: leak, Failure: status.FailureTerminal, Warnings: []string{leak}}
	r, b := recordSteps(Start{Time: began}, nil, step{time.Second, observe.Update{
		Target: pod, Result: result, Progress: observe.ProgressFailed, Unmet: leak, Evidence: []status.Read{{Path: "status.message", Value: leak}},
	}})
	r.End(b, Result{Time: timeAt(time.Minute), Outcome: "failed", ExitCode: 3, Error: leak})
	for name, write := range formats(r) {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := write(&out); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "hunter2") || !strings.Contains(out.String(), "cannot log in") {
				t.Errorf("%s", out.String())
			}
		})
	}
}

// The JSON report has the text of the cluster, cut but otherwise unchanged.
func TestJSONKeepsTexts(t *testing.T) {
	var b bytes.Buffer
	if err := hostileRun().JSON(&b); err != nil {
		t.Fatal(err)
	}
	var have Run
	if err := json.Unmarshal(b.Bytes(), &have); err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(hostileText, "\xff", "\ufffd")
	for _, o := range have.Objects {
		switch {
		case o.ID.Name == "long" && len(o.Message) > 2*maxMessage:
			t.Errorf("a message of %d bytes", len(o.Message))
		case o.ID.Name != "long" && o.Message != want:
			t.Errorf("message %q, want %q", o.Message, want)
		}
	}
}

// In the page, no text of the run is markup, and no text ends the data.
func TestHTMLEscapesTexts(t *testing.T) {
	var b bytes.Buffer
	if err := hostileRun().HTML(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, bad := range []string{"<img", "<script>alert", "<!-- ", "javascript:alert(1)\""} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
	if n := strings.Count(text, "</script>"); n != 2 {
		t.Errorf("%d scripts end, want 2", n)
	}
	for _, sum := range []string{digest(script()), digest(pageFile("page.css"))} {
		if !strings.Contains(html.UnescapeString(text), sum) {
			t.Errorf("the policy does not name %s", sum)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		it, text string
		most     int
		want     string
	}{
		{"keeps a short text", "short", 10, "short"},
		{"adds the length of the text", strings.Repeat("x", 100), 30, strings.Repeat("x", 15) + "… (100 bytes)"},
		{"cuts between runes", strings.Repeat("é", 50), 31, strings.Repeat("é", 8) + "… (100 bytes)"},
		{"accepts invalid UTF-8", strings.Repeat("\xbf", 100), 40, "… (100 bytes)"},
	} {
		t.Run(c.it, func(t *testing.T) {
			if have := cut(c.text, c.most); have != c.want {
				t.Errorf("have %q, want %q", have, c.want)
			}
		})
	}
}

// An object that changes without end keeps its first and its last changes.
func TestAddUpdateLimitsChanges(t *testing.T) {
	web := target("apps", "Deployment", "shop", "web")
	r := New(Start{Time: began})
	for i := range 1000 {
		u := observe.Update{Target: web, Result: status.Result{Status: status.InProgressStatus, Message: fmt.Sprint(i)}, Progress: observe.ProgressPending}
		r.AddUpdate(u, timeAt(time.Duration(i)*time.Second))
		r.AddUpdate(u, timeAt(time.Duration(i)*time.Second)) // the same verdict again
	}
	o := r.Objects[0]
	if len(o.Changes) != maxChanges || o.Omitted != 1000-maxChanges || o.Changes[0].Message != "0" ||
		o.Changes[keptFirstChanges].Message != fmt.Sprint(1000-maxChanges+keptFirstChanges) || o.Changes[maxChanges-1].Message != "999" {
		t.Errorf("%d changes, %d left out, of which the 11th is %s", len(o.Changes), o.Omitted, o.Changes[keptFirstChanges].Message)
	}
}
