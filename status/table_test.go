package status

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// Every row of the table has a rule in a rule file, every rule file has its
// fixture, every fixture has a case for each kind that its rules judge, and
// nothing is left over.
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
			t.Errorf("the rule of %s stands in %s, not in a rule file", kind, filepath.Base(file))
			continue
		}
		kindsOf[name] = append(kindsOf[name], kind)
	}
	for name, kinds := range kindsOf {
		data, err := os.ReadFile("testdata/rules/" + name + ".cases")
		if err != nil {
			t.Errorf("rule_%s.go has no fixture: %v", name, err)
			continue
		}
		for _, kind := range kinds {
			if !mentions(string(data), kind) {
				t.Errorf("testdata/rules/%s.cases has no case for %s", name, kind)
			}
		}
	}
	for _, pattern := range []string{"rule_*.go", "testdata/rules/*.cases"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			name := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)), "rule_")
			if kindsOf[name] == nil {
				t.Errorf("%s belongs to no row of the table", f)
			}
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

// Every reason stands once and is told in full, and the profiles' tables speak of
// reasons only. That verdicts give no other is held by TestVerdictsAreWhole.
func TestReasonsAreAClosedSet(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range reasons {
		if seen[r.Name] {
			t.Errorf("reason %s stands twice", r.Name)
		}
		seen[r.Name] = true
		if r.Doc == "" || r.Status == "" || r.Healthy == "" {
			t.Errorf("reason %s lacks a column", r.Name)
		}
	}
	for _, p := range []Profile{profileDefault, profileStrict, profileStarted} {
		for name := range p.windows {
			if !seen[name] {
				t.Errorf("profile %s has a window for %s, which is no reason", p.name, name)
			}
		}
		for name := range p.words {
			if !seen[name] {
				t.Errorf("profile %s has a word for %s, which is no reason", p.name, name)
			}
		}
	}
}
