package importers

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The package compiles with the façades after rewrite, and is the same again after rewrite -back.
func TestRewrittenImportersCompile(t *testing.T) {
	dir := t.TempDir()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	before := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
		absolute, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		overlay.Replace[absolute] = filepath.Join(dir, name)
		before[name] = string(text)
	}
	run(t, "run", "kstatus.dev/dropin/cmd/rewrite", dir)
	file := filepath.Join(t.TempDir(), "overlay.json")
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "build", "-overlay", file, ".")
	deps := run(t, "list", "-overlay", file, "-f", `{{join .Imports "\n"}}`, ".")
	if !strings.Contains(deps, "kstatus.dev/dropin/fluxcd/pkg/object") || !strings.Contains(deps, "kstatus.dev/dropin/sigs/pkg/object") || strings.Contains(deps, "/cli-utils/") {
		t.Errorf("have the imports\n%s", deps)
	}
	run(t, "run", "kstatus.dev/dropin/cmd/rewrite", "-back", dir)
	for name, want := range before {
		have, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != want {
			t.Errorf("%s is another file after rewrite -back:\n%s", name, have)
		}
	}
}

// run runs the go command, and returns its output.
func run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
