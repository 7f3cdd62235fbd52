package status

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every hint has a file of cases with an object of its kind, or of its group.
func TestHintsHaveCases(t *testing.T) {
	for file, hints := range hintFiles {
		data, err := os.ReadFile("testdata/hints/" + file + ".cases")
		if err != nil {
			t.Errorf("hints_%s.go has no cases: %v", file, err)
			continue
		}
		for k := range hints {
			group := strings.TrimPrefix(k.Group, "*.")
			want := fmt.Sprintf("%s/", group)
			if !strings.Contains(string(data), want) || k.Kind != "" && !mentions(string(data), k) {
				t.Errorf("testdata/hints/%s.cases has no case for %s %s", file, k.Group, k.Kind)
			}
		}
	}
	files, _ := filepath.Glob("testdata/hints/*.cases")
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".cases"); hintFiles[name] == nil {
			t.Errorf("%s belongs to no table of hints", f)
		}
	}
}

// No kind has a hint in two tables, or a hint beside a rule.
func TestHintsAreForOneKindEach(t *testing.T) {
	seen := map[Kind]string{}
	for file, hints := range hintFiles {
		for k := range hints {
			if seen[k] != "" {
				t.Errorf("%s has a hint in hints_%s.go and in hints_%s.go", k, seen[k], file)
			}
			if builtin[k].Rule != nil {
				t.Errorf("%s has a hint in hints_%s.go, and a rule", k, file)
			}
			seen[k] = file
		}
	}
}
