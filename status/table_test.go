package status

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// Every row of the table has a rule in a rule file. Every rule file has a file of cases, with a
// case for each of its kinds. No file is left over.
func TestRulesRowsAndFixturesBelongTogether(t *testing.T) {
	kindsOf := map[string][]Kind{} // rule file without its ending → kinds
	for kind, entry := range builtin {
		if entry.Rule == nil {
			t.Errorf("%s has a row but no rule", kind)
			continue
		}
		file, _ := runtime.FuncForPC(reflect.ValueOf(entry.Rule).Pointer()).FileLine(reflect.ValueOf(entry.Rule).Pointer())
		name, ok := strings.CutPrefix(strings.TrimSuffix(filepath.Base(file), ".go"), "rule_")
		if !ok {
			t.Errorf("the rule of %s is in %s, not in a rule file", kind, filepath.Base(file))
			continue
		}
		kindsOf[name] = append(kindsOf[name], kind)
	}
	for name, kinds := range kindsOf {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/rules/" + name + ".cases")
			if err != nil {
				t.Fatalf("rule_%s.go has no fixture: %v", name, err)
			}
			for _, kind := range kinds {
				t.Run(kind.String(), func(t *testing.T) {
					if !mentions(string(data), kind) {
						t.Errorf("testdata/rules/%s.cases has no case for %s", name, kind)
					}
				})
			}
		})
	}
	for _, pattern := range []string{"rule_*.go", "testdata/rules/*.cases"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			t.Run(filepath.Base(f), func(t *testing.T) {
				name := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)), "rule_")
				if kindsOf[name] == nil {
					t.Errorf("%s belongs to no row of the table", f)
				}
			})
		}
	}
}

// mentions reports whether a fixture holds an object of the kind.
func mentions(fixture string, k Kind) bool {
	for line := range strings.Lines(fixture) {
		kind := `"kind": "` + k.Kind + `"`
		if end, all := strings.CutPrefix(k.Kind, "*"); all {
			kind = end + `", "metadata`
		}
		if strings.Contains(line, kind) &&
			(k.Group == "" && strings.Contains(line, `"apiVersion": "v1"`) || k.Group != "" && strings.Contains(line, strings.TrimPrefix(`"apiVersion": "`+k.Group, `"apiVersion": "*.`)+`/`)) {
			return true
		}
	}
	return false
}

// The table has every reason once, with all its texts, and the profiles' tables
// contain only reasons of it. TestVerdictsAreWhole checks that verdicts have no
// other reasons.
func TestReasonsAreAClosedSet(t *testing.T) {
	rows := map[string]int{}
	for _, r := range reasons {
		rows[r.Name]++
	}
	for _, r := range reasons {
		t.Run(r.Name, func(t *testing.T) {
			if n := rows[r.Name]; n != 1 {
				t.Errorf("%d rows have the reason, want 1", n)
			}
			if r.Doc == "" || r.Status == "" || r.Healthy == "" {
				t.Error("the row lacks a column")
			}
		})
	}
	for _, p := range []Profile{profileDefault, profileStrict, profileStarted} {
		t.Run(p.name, func(t *testing.T) {
			for name := range p.windows {
				if rows[name] == 0 {
					t.Errorf("the profile has a window for %s, which is no reason", name)
				}
			}
			for name := range p.words {
				if rows[name] == 0 {
					t.Errorf("the profile has a word for %s, which is no reason", name)
				}
			}
		})
	}
}
