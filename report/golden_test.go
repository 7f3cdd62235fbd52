package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the reports in testdata")

// TestReports compares the reports of a failed run with the files in testdata. Of other runs it
// compares only the JSON, which another test validates by its schema.
func TestReports(t *testing.T) {
	r := failing()
	for name, write := range map[string]func(io.Writer) error{
		"failed.json":   r.JSON,
		"hostile.json":  hostileRun().JSON,
		"empty.json":    empty().JSON,
		"failed.xml":    r.JUnit,
		"failed.md":     func(w io.Writer) error { return r.Markdown(w, 0) },
		"failed.github": func(w io.Writer) error { return r.GitHub(w, "/repo", "/repo/shop") },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.Bytes())
		})
	}
}

func golden(t *testing.T, name string, have []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, have, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is not as expected; go test ./report -update rewrites it. Have:\n%s", file, have)
	}
}
