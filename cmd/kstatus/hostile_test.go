package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/cli"
)

// Texts that control a terminal, and a secret.
const (
	controlText = "a\x1b[2J\x1b]0;mine\x07\x1b[31mb\u009b1mc\x00d\x7fe\rf\ng\u202eh\u2066i\u200fj\u2028k\xffl"
	secret      = "hunter2-correct-horse"
)

// hostileObjects returns a failing Deployment with its Pod and events, and a custom resource.
// Their text fields contain control sequences, and a text of a megabyte.
func hostileObjects(t *testing.T) []byte {
	t.Helper()
	huge := strings.Repeat("x\u202e\x1b[0m ", 1<<17) + controlText
	meta := func(name, uid, owner, kind string) map[string]any {
		m := map[string]any{
			"name": name, "namespace": "shop" + controlText, "uid": uid, "generation": 1,
			"annotations": map[string]any{
				"deployment.kubernetes.io/revision":                "1",
				"kubectl.kubernetes.io/last-applied-configuration": `{"env":"` + secret + `"}`,
				"note": controlText,
			},
		}
		if owner != "" {
			m["ownerReferences"] = []any{map[string]any{"kind": kind, "name": owner, "uid": owner + "-uid", "controller": true}}
		}
		return m
	}
	spec := map[string]any{
		"replicas": 1,
		"containers": []any{map[string]any{
			"name": "web" + controlText, "image": "shop/web" + controlText, "args": []any{"--password=" + secret},
			"env": []any{map[string]any{"name": "DB_PASSWORD", "value": secret}},
		}},
	}
	condition := func(kind string) map[string]any {
		return map[string]any{"conditions": []any{map[string]any{"type": kind, "status": "False", "reason": "Bad" + controlText, "message": huge}}}
	}
	objects := []any{
		map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta("web"+controlText, "web-uid", "", ""), "spec": spec, "status": condition("Available")},
		map[string]any{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": meta("web-1", "rs-uid", "web", "Deployment"), "spec": spec, "status": condition("Available")},
		map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": meta("web-1-x", "pod-uid", "rs", "ReplicaSet"), "spec": spec, "status": map[string]any{
			"phase": "Pending", "containerStatuses": []any{map[string]any{
				"name": "web" + controlText, "restartCount": 7,
				"state":     map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff", "message": huge}},
				"lastState": map[string]any{"terminated": map[string]any{"exitCode": 1, "reason": controlText, "message": huge}},
			}},
		}},
		map[string]any{"apiVersion": "v1", "kind": "Event", "metadata": meta("e", "e-uid", "", ""), "type": "Warning", "reason": "BackOff" + controlText, "message": huge, "count": 3,
			"involvedObject": map[string]any{"kind": "Pod", "namespace": "shop" + controlText, "name": "web-1-x", "uid": "pod-uid"}},
		map[string]any{"apiVersion": "example.com/v1", "kind": "Widget" + controlText, "metadata": meta("left", "w-uid", "", ""), "status": condition("Ready")},
		map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": meta("creds", "s-uid", "", ""), "data": map[string]any{"password": secret}},
		map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta("settings", "c-uid", "", ""), "data": map[string]any{"password": secret}},
	}
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": objects})
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(text, []byte(`\ufffdl`), []byte("\xffl")) // keep bytes that are not UTF-8
}

// TestHostileContent prints such objects with every command and format.
func TestHostileContent(t *testing.T) {
	dir := t.TempDir()
	saved := filepath.Join(dir, "saved.json")
	if err := os.WriteFile(saved, hostileObjects(t), 0o600); err != nil {
		t.Fatal(err)
	}
	got, why := filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "why.ndjson")
	rows := []struct {
		it   string
		args string
		json bool
	}{
		{"prints a table", "get --local -f " + saved, false},
		{"prints a wide table", "get --local -o wide -f " + saved, false},
		{"prints names", "get --local -o name -f " + saved, false},
		{"prints lines", "get --local -o json -f " + saved, true},
		{"prints a tree", "get --local --tree -f " + saved, false},
		{"records a table", "get --local --record " + got + " -f " + saved, false},
		{"shows a recorded table", "get --local -f " + got, false},
		{"shows recorded lines", "get --local -o json -f " + got, true},
		{"explains", "explain --local -f " + saved, false},
		{"explains in colour", "explain --local --color always -f " + saved, false},
		{"explains for programs", "explain --local -o json -f " + saved, true},
		{"explains and records", "explain --local --record " + why + " -f " + saved, false},
		{"explains what was recorded", "explain --local -f " + why, false},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			var out, stderr strings.Builder
			env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &stderr, Now: time.Now}
			run(t.Context(), env, strings.Fields("kstatus "+row.args))
			if len(out.String()) < 50 {
				t.Errorf("it prints %q, %q", out.String(), stderr.String())
			}
			const manyLines, longLine = 200, 5000
			checkHarmless(t, stderr.String(), longLine)
			if row.json {
				checkHarmless(t, out.String(), 4<<20)
				return
			}
			checkHarmless(t, ansi.Strip(out.String()), longLine)
			if !strings.Contains(row.args, "always") && strings.Contains(out.String(), "\x1b") {
				t.Errorf("it prints an escape")
			}
			if n := strings.Count(out.String(), "\n"); n > manyLines {
				t.Errorf("it prints %d lines", n)
			}
		})
	}
	for _, name := range []string{got, why} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		checkHarmless(t, string(text), 1<<20)
		if len(text) > 4<<20 {
			t.Errorf("%s is %d bytes large", name, len(text))
		}
	}
}

// checkHarmless checks that a text has no control characters, no line longer than longest, and no
// secret.
func checkHarmless(t *testing.T, text string, longest int) {
	t.Helper()
	if strings.Contains(text, secret) {
		t.Errorf("a secret is told")
	}
	if !utf8.ValidString(text) {
		t.Errorf("it is not UTF-8")
	}
	for i, r := range text {
		if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' {
			t.Errorf("%U stands in %q", r, text[max(0, i-30):min(len(text), i+30)])
			break
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > longest {
			t.Errorf("a line has %d bytes: %q…", len(line), line[:80])
			break
		}
	}
}
