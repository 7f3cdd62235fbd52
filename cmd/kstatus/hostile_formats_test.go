package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/internal/text"
)

// hostileTexts are texts that an attacker may write into objects.
var hostileTexts = []string{
	"::error::x", "x\n::error::y\n ::warning::z", "x\r::add-mask::y", "\u3000::error::x", "##[add-mask]x", "x ##vso[task.setvariable variable=a]y", "##teamcity[x]", "::stop-commands::x",
	"\x1b[2J\x1b]0;mine\x07", "\u009b1m\u0085", "\u202eback\u2066", "zero\u200bwidth\ufeff", "tag\U000e0041", "soft\u00adhyphen", "a\ufe0fb\U000e0101", "\u3164", "\u2028x\u2029", "\x00\x7f", "\ufffe\uffff", "\ufdd0", "\xff\xfe", "\xed\xa0\x80",
	"]]>", "</script><!--", "- a: b\n# c", "---\na: b\n...", "'\"\\", "{\"a\": 1}\n{\"b\": 2}", "`x` | y", " --server=https://evil.example", "$(reboot)", "a%sb%d%!", "\t\tx", "| x", "yes", "0x1", "~",
}

// hostileManifest returns objects with a hostile text in each field that others may write.
func hostileManifest(t *testing.T, hostile string) []byte {
	t.Helper()
	meta := func(name string) map[string]any {
		return map[string]any{
			"name": name, "namespace": "shop", "uid": name + hostile, "generation": 1, "labels": map[string]any{"app": hostile}, "annotations": map[string]any{hostile: hostile},
			"creationTimestamp": "2026-01-01T00:00:00Z", "finalizers": []any{"x" + hostile},
		}
	}
	condition := map[string]any{"type": "Ready", "status": "False", "reason": hostile, "message": hostile}
	available := map[string]any{"type": "Available", "status": "False", "reason": "R", "message": hostile}
	spec := map[string]any{"replicas": 1, "nodeName": hostile, "containers": []any{map[string]any{"name": "c" + hostile, "image": hostile}}}
	list := []any{
		map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta("web"), "spec": spec, "status": map[string]any{"conditions": []any{available}}},
		map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": meta("web-1"), "spec": spec, "status": map[string]any{
			"phase": "Pending", "reason": hostile, "message": hostile, "conditions": []any{map[string]any{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": hostile}},
			"containerStatuses": []any{map[string]any{"name": "c" + hostile, "restartCount": 7, "state": map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff", "message": hostile}}}},
		}},
		map[string]any{"apiVersion": "v1", "kind": "Event", "metadata": meta("e"), "type": "Warning", "reason": "Failed" + hostile, "message": hostile, "count": 3,
			"involvedObject": map[string]any{"kind": "Pod", "namespace": "shop", "name": "web-1", "uid": "web-1" + hostile}},
		map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": meta("w"), "status": map[string]any{"conditions": []any{condition, condition}, "phase": hostile, hostile: "x"}},
		map[string]any{"apiVersion": "example.com/v1", "kind": "W" + hostile, "metadata": meta("k"), "status": map[string]any{"conditions": []any{condition}}},
		map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": meta("n" + hostile), "status": map[string]any{"conditions": []any{condition}}},
		map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "lamps.example.com", "annotations": map[string]any{"a": hostile}}, "spec": map[string]any{
			"group": "example.com", "names": map[string]any{"kind": "Lamp" + hostile, "plural": "lamps", "singular": hostile}, "scope": "Namespaced",
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true, "additionalPrinterColumns": []any{map[string]any{"name": hostile, "type": "string", "jsonPath": ".status." + hostile}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "description": hostile, "properties": map[string]any{
					"status": map[string]any{"type": "object", "properties": map[string]any{hostile: map[string]any{"type": "string"}, "conditions": map[string]any{"type": "array", "description": hostile, "items": map[string]any{"type": "object"}}}},
				}}},
			}},
		}},
	}
	manifest, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": list})
	if err != nil {
		t.Fatal(err)
	}
	return manifest
}

// The commands of CI systems in a log.
var (
	lineCommand     = regexp.MustCompile(`(?m)(^|\r)[\s\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*::`)
	inlineCommand   = regexp.MustCompile(`##[A-Za-z]*\[`)
	workflowCommand = regexp.MustCompile(`(?m)^::(error|warning|notice) title=[^:,\n]*(,file=[^:,\n]*,line=[0-9]+,col=[0-9]+)?::.*$`)
)

// For any text in objects, all commands print valid output in all formats. The output hides no
// text, and contains no command of a CI system.
func TestHostileFormats(t *testing.T) {
	rows := []struct {
		args   string
		format string
	}{
		{"get --local", "text"}, {"get --local -o wide", "text"}, {"get --local -o name", "text"}, {"get --local --tree", "text"}, {"get --local -o json", "json"}, {"get --local -o yaml", "yaml"},
		{"explain --local", "text"}, {"explain --local -o json", "json"},
		{"lint", "text"}, {"lint -o json", "json"}, {"lint -o sarif", "document"}, {"lint -o github", "commands"},
		{"capi check", "text"}, {"capi check -o json", "json"}, {"capi check -o sarif", "document"}, {"capi check -o github", "commands"},
		{"wait --timeout 0 --server https://127.0.0.1:1 --report none", "text"}, {"rbac --server https://127.0.0.1:1", "text"},
	}
	file := filepath.Join(t.TempDir(), "objects.json")
	for i, hostile := range hostileTexts {
		if err := os.WriteFile(file, hostileManifest(t, hostile), 0o600); err != nil {
			t.Fatal(err)
		}
		lines := map[string]int{}
		for _, row := range rows {
			if isCheck := strings.HasPrefix(row.args, "lint") || strings.HasPrefix(row.args, "capi"); isCheck && i%3 > 0 {
				continue // they are slow
			}
			var out, stderr strings.Builder
			env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &stderr, Environ: []string{"GITHUB_ACTIONS=true", "KUBECONFIG=" + os.DevNull}, Now: time.Now}
			code := run(t.Context(), env, append(strings.Fields("kstatus "+row.args), "-f", file))
			what := fmt.Sprintf("%s of %q", row.args, hostile)
			if out.Len()+stderr.Len() < 20 || code == 2 || strings.Contains(stderr.String(), "has a bug") {
				t.Errorf("%s exits with %d and prints %q, %q", what, code, out.String(), stderr.String())
			}
			checkPrinted(t, what, stderr.String())
			printed := out.String()
			if row.format == "commands" {
				printed = workflowCommand.ReplaceAllString(printed, "")
			}
			checkPrinted(t, what, printed)
			n, err := countParts(row.format, out.String())
			if err != nil {
				t.Errorf("%s: %v: %q", what, err, out.String())
			}
			lines[row.args] = n
		}
		if as := lines["get --local -o yaml"]; as != lines["get --local -o json"] || as < 5 {
			t.Errorf("of %q, get prints %d documents and %d lines", hostile, as, lines["get --local -o json"])
		}
	}
}

// checkPrinted checks that a log hides no text and contains no command.
func checkPrinted(t *testing.T, what, printed string) {
	t.Helper()
	for i, r := range printed {
		if r != '\n' && text.Unsafe(r) {
			t.Errorf("%s: %U is printed: %q", what, r, printed[max(0, i-30):min(len(printed), i+30)])
			break
		}
	}
	for _, command := range []*regexp.Regexp{lineCommand, inlineCommand} {
		if at := command.FindStringIndex(printed); at != nil {
			t.Errorf("%s: it is a command: %q", what, printed[at[0]:min(len(printed), at[1]+30)])
		}
	}
	if !utf8.ValidString(printed) {
		t.Errorf("%s: it is not UTF-8", what)
	}
}

// countParts parses an output in its format, and returns the number of its parts.
func countParts(format, output string) (n int, err error) {
	var value map[string]any
	switch format {
	case "json":
		for line := range strings.Lines(output) {
			if err := json.Unmarshal([]byte(line), &value); err != nil {
				return n, err
			}
			n++
		}
	case "yaml":
		for document := range strings.SplitSeq(output, "\n---\n") {
			if err := yaml.Unmarshal([]byte(document), &value); err != nil {
				return n, err
			}
			n++
		}
	case "document":
		return 1, json.Unmarshal([]byte(output), &value)
	}
	return n, nil
}
