package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// The annotations of a live object do not change how a wait ends, unless the user allows it. The
// annotations in the user's manifest do. The wait prints a note about both.
func TestAnnotationsOfObjects(t *testing.T) {
	pod := runningPod("web")
	pod["metadata"].(map[string]any)["annotations"] = map[string]any{
		"kstatus.dev/ignore": "true", "kstatus.dev/timeout": "1s", "kstatus.dev/rule": "current: 'true'",
	}
	pod["status"] = map[string]any{"phase": "Failed", "reason": "Evicted", "message": "no room"}
	kubeconfig := podServer(t, pod, runningPod("ok"))
	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	plain := file("plain.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n")
	asking := file("asking.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, annotations: {kstatus.dev/ignore: \"true\"}}\n")
	odd := file("odd.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: ok, namespace: shop, annotations: {kstatus.dev/ignore: \"maybe\"}}\n")
	const (
		noRule      = `NOTE +Pod/shop/web: the rule in its annotation kstatus.dev/rule was not used; --object-rules uses it`
		noDirective = `NOTE +Pod/shop/web: its annotations kstatus.dev/ignore, kstatus.dev/timeout were not used; kstatus wait uses them with --object-directives`
	)
	for _, c := range []struct {
		name   string
		args   []string
		code   exit.Code
		lines  []string // patterns of the output
		absent string   // a text that is not in the output; may be empty
	}{
		{"is not heard", []string{"pod"}, exit.Failed, []string{noRule, noDirective, `RESULT +failed`}, ""},
		{"is not heard by a name", []string{"pod/web"}, exit.Failed, []string{noRule, noDirective}, ""},
		{"is not heard by a manifest that does not say so", []string{"-f", plain}, exit.Failed, []string{noRule, noDirective}, ""},
		{"is what the manifest says", []string{"-f", asking}, exit.OK, []string{`Failed +Pod/shop/web: .*; ignored\n`, `WARNING +Pod/shop/web: it is ignored, and is Failed`}, "kstatus.dev/ignore"},
		{"is not understood", []string{"-f", odd}, exit.OK, []string{`note: .*odd.yaml:1: annotation kstatus.dev/ignore: want true or false, have "maybe"`}, ""},
		{"is obeyed with a flag", []string{"pod", "--object-directives"}, exit.OK, []string{
			`Failed +Pod/shop/web: .*; ignored by its annotation kstatus.dev/ignore`, `NOTE +Pod/shop/web: it is not waited for, by its annotation kstatus.dev/ignore`,
			`WARNING +Pod/shop/web: it is ignored by its annotation kstatus.dev/ignore, and is Failed`, noRule,
		}, ""},
		{"is a rule that counts with a flag", []string{"pod", "--object-rules"}, exit.OK, []string{
			`Current +Pod/shop/web: by the rule in its annotation kstatus.dev/rule: current: true`,
			`WARNING +Pod/shop/web: current by the rule in its annotation kstatus.dev/rule`, noDirective,
		}, "annotation kstatus.dev/rule was not used"},
		{"is in the lines of JSON", []string{"pod/web", "-o", "json"}, exit.Failed,
			[]string{`"rule":"kind","warnings":\["the rule in its annotation [^"]*--object-rules uses it","its annotations [^"]*uses them with --object-directives"\]`}, "ruleSource"},
		{"is in the lines of JSON where it counts", []string{"pod/web", "-o", "json", "--object-rules", "--object-directives"}, exit.OK,
			[]string{`"rule":"object rule","ruleSource":"its annotation kstatus.dev/rule","warnings":\["it is not waited for, by its annotation kstatus.dev/ignore"`, `"ignored":true`}, "was not used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			report := filepath.Join(t.TempDir(), "report.json")
			env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &out, Now: time.Now}
			args := append([]string{"kstatus", "wait", "--kubeconfig", kubeconfig, "--timeout", "1m", "--keep-going", "--report", "json=" + report}, c.args...)
			if code := run(t.Context(), env, args); code != c.code {
				t.Errorf("it exits with %d, want %d", code, c.code)
			}
			for _, line := range c.lines {
				if !regexp.MustCompile(line).MatchString(out.String()) {
					t.Errorf("it does not print %s", line)
				}
			}
			if c.absent != "" && strings.Contains(out.String(), c.absent) {
				t.Errorf("it prints %s", c.absent)
			}
			if text, err := os.ReadFile(report); err != nil || strings.Contains(out.String(), "NOTE") != strings.Contains(string(text), `"warnings":`) && !strings.Contains(c.name, "JSON") {
				t.Errorf("the report is %s, %v", text, err)
			}
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}

// Notes about annotations are printed once per kind, for any number of objects.
func TestNotesAreFew(t *testing.T) {
	var pods []map[string]any
	for _, name := range []string{"a", "b", "c"} {
		pod := runningPod(name)
		pod["metadata"].(map[string]any)["annotations"] = map[string]any{"kstatus.dev/ignore": "true"}
		pods = append(pods, pod)
	}
	var out bytes.Buffer
	env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &out, Now: time.Now}
	code := run(t.Context(), env, []string{"kstatus", "wait", "pod", "--kubeconfig", podServer(t, pods...), "--timeout", "1m"})
	if n := strings.Count(out.String(), "NOTE"); code != exit.OK || n != 1 {
		t.Errorf("it exits with %d and has %d notes, want 1:\n%s", code, n, out.String())
	}
}
