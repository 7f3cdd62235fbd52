package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	object = "github.com/fluxcd/cli-utils/pkg/object"
	ours   = "kstatus.dev/dropin/fluxcd/pkg/object"
)

// Only the paths of imports change, and -back restores each file.
func TestRewriteAndBack(t *testing.T) {
	for name, text := range map[string]string{
		"one import":           "package a\n\nimport \"" + object + "\"\n\nvar _ object.ObjMetadata\n",
		"a raw string":         "package a\n\nimport _ `" + object + "`\n",
		"several in one line":  "package a; import _ \"" + object + "\"; import o \"" + object + "\"; var _ o.ObjMetadata\n",
		"line breaks of DOS":   "package a\r\n\r\nimport (\r\n\t_ \"os\"\r\n\t_ \"" + object + "\"\r\n)\r\n",
		"a byte order mark":    "\ufeffpackage a\n\nimport _ \"" + object + "\"\n",
		"a line directive":     "package a\n\n//line other.go:100\nimport _ \"" + object + "\"\n",
		"cgo":                  "package a\n\n// int x;\nimport \"C\"\n\nimport _ \"" + object + "\"\n",
		"no line break at end": "package a\n\nimport _ \"" + object + "\"",
		"comments in a block":  "package a\n\nimport (\n\t_ \"fmt\" // one\n\n\t// two\n\t_ \"" + object + "\" // three\n\t_ \"os\"    // four\n)\n",
		"imports that move":    "package a\n\nimport (\n\t_ \"" + object + "\"\n\t_ \"k8s.io/api\" // kept beside\n\t_ \"kstatus.dev/status\"\n\t_ \"sigs.k8s.io/yaml\"\n)\n",
		"not formatted":        "package a\nimport (\n  _ \"sigs.k8s.io/yaml\"\n  _ \"" + object + "\"\n)\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.go")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			after := runOn(t, options{}, file)
			if strings.Contains(after, object) || strings.Count(after, ours) != strings.Count(text, object) {
				t.Errorf("have\n%s", after)
			}
			if strings.Count(after, "\r") != strings.Count(text, "\r") {
				t.Error("the line breaks are others")
			}
			if back := runOn(t, options{back: true}, file); back != text {
				t.Errorf("after -back: have\n%s\nwant\n%s", back, text)
			}
		})
	}
}

// runOn rewrites a file, and returns its text.
func runOn(t *testing.T, o options, file string) string {
	t.Helper()
	if err := o.run([]string{file}, io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A path in a string, and a longer path that begins in the same way, are no imports of an original.
func TestOtherTextsStay(t *testing.T) {
	const text = "package a\n\nimport _ \"github.com/fluxcd/cli-utils-more/pkg/object\"\n\nconst s = `import \"" + object + "\"`\n"
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if have := runOn(t, options{}, file); have != text {
		t.Errorf("have\n%s", have)
	}
}

// A dot import has the names of the package without a selector.
func TestDotImportWithOmittedName(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	text := "package a\n\nimport . \"sigs.k8s.io/cli-utils/pkg/testutil\"\n\nvar _ = VerifyEvents\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err := options{}.run([]string{file}, &out)
	if err == nil || !strings.Contains(out.String(), "has no VerifyEvents") {
		t.Errorf("have %v and\n%s", err, out.String())
	}
}

func TestDiff(t *testing.T) {
	const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	for after, want := range map[string]string{
		"1\n2\n3\n4\nfive\n6\n7\n8\n9\n": "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
		"one\n2\n3\n4\n5\n6\n7\n8\n9\n":  "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n",
		"1\n2\n3\n4\n5\n6\n7\n8\n":       "@@ -6,4 +6,3 @@\n 6\n 7\n 8\n-9\n",
	} {
		if have := diff("a.go", []byte(before), []byte(after)); have != "--- a.go\n+++ a.go\n"+want {
			t.Errorf("have\n%s\nwant\n%s", have, want)
		}
	}
}
