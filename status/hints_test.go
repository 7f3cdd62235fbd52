package status

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every hint has a file of cases with an object of its kind, or of its group.
func TestHintsHaveCases(t *testing.T) {
	for file, hints := range hintFiles {
		t.Run(file, func(t *testing.T) {
			data, err := os.ReadFile("testdata/hints/" + file + ".cases")
			if err != nil {
				t.Fatalf("hints_%s.go has no cases: %v", file, err)
			}
			for k := range hints {
				t.Run(k.String(), func(t *testing.T) {
					group := strings.TrimPrefix(k.Group, "*.") + "/"
					if !strings.Contains(string(data), group) || k.Kind != "" && !mentions(string(data), k) {
						t.Errorf("testdata/hints/%s.cases has no case for %s %s", file, k.Group, k.Kind)
					}
				})
			}
		})
	}
	files, _ := filepath.Glob("testdata/hints/*.cases")
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".cases")
		t.Run(name+".cases", func(t *testing.T) {
			if hintFiles[name] == nil {
				t.Errorf("%s belongs to no table of hints", f)
			}
		})
	}
}

// No kind has a hint in two tables, or both a hint and a rule.
func TestHintsAreForOneKindEach(t *testing.T) {
	files := map[Kind][]string{}
	for file, hints := range hintFiles {
		for k := range hints {
			files[k] = append(files[k], file)
		}
	}
	for k, in := range files {
		t.Run(k.String(), func(t *testing.T) {
			if len(in) > 1 {
				t.Errorf("the kind has hints in the tables %v, want one", in)
			}
			if builtin[k].Rule != nil {
				t.Errorf("the kind has a hint in the table %s, and a rule", in[0])
			}
		})
	}
}

// A hint gives a condition one role.
func TestHintsGiveEachConditionOneRole(t *testing.T) {
	for _, hints := range hintFiles {
		for k, h := range hints {
			t.Run(k.String(), func(t *testing.T) {
				roles := map[string]int{}
				for _, list := range [][]string{h.Summary, h.OptionalSummary, h.Positive, h.Negative, h.Progress, h.Suspension, h.Neutral} {
					for _, types := range list {
						for name := range strings.SplitSeq(string(types), "|") {
							roles[name]++
						}
					}
				}
				for name, n := range roles {
					if n > 1 {
						t.Errorf("condition %s is in %d lists, want 1", name, n)
					}
				}
			})
		}
	}
}
