package linttest

import (
	"os"
	"slices"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/internal/markdown"
)

// Test runs all cases. The test fails if the base or a good case has findings, or if [Run] fails
// for a case. It also fails if another check than the named one has findings in a bad case.
func (s Suite) Test(t *testing.T) {
	t.Run("base", func(t *testing.T) { s.check(t, Case{Name: "is clean"}) })
	for _, c := range s.Checks {
		t.Run(c.Name, func(t *testing.T) {
			cs, err := s.Read(c)
			if err != nil {
				t.Fatalf("check %s has no cases: %v", c.Name, err)
			}
			if cs.Bad.Name == "" || cs.Good.Name == "" {
				t.Fatalf("check %s: want a bad and a good case, each with its name", c.Name)
			}
			for _, one := range append([]Case{cs.Bad, cs.Good}, cs.More...) {
				t.Run(one.Name, func(t *testing.T) { s.check(t, one) })
			}
		})
	}
}

func (s Suite) check(t *testing.T, c Case) {
	t.Helper()
	b, err := s.Bundle(c)
	if err != nil {
		t.Fatal(err)
	}
	Run(t, b, s.options(c), c.Want, c.After...)
}

// Run runs the checks on a bundle and returns their findings. The test fails unless exactly the
// checks named by want have findings, in this order. Then it applies the fixes. It also fails if a
// finding with a fix remains, or if applying the fixes again changes something. Only checks named
// by want and after may have findings then.
func Run(t *testing.T, b lint.Bundle, o lint.Options, want []string, after ...string) []lint.Finding {
	t.Helper()
	found := lint.Run(b, o)
	if have := names(found); !slices.Equal(have, want) {
		t.Errorf("found %v, want %v", have, want)
		for _, f := range found {
			t.Logf("%s %s %s at %s: %s", f.Severity, f.Check, f.Name, f.Path, f.Message)
		}
	}
	checkRisks(t, found)
	var broken []int
	for _, f := range found {
		if f.Fix != nil && !slices.Contains(broken, f.Object) {
			broken = append(broken, f.Object)
		}
	}
	if len(broken) > 0 {
		applyFixes(t, b, o, broken, false, slices.Concat(want, after))
		applyFixes(t, b, o, broken, true, slices.Concat(want, after))
	}
	return found
}

// checkRisks verifies that each unsafe fix says why it is unsafe.
func checkRisks(t *testing.T, found []lint.Finding) {
	t.Helper()
	for _, f := range found {
		if f.Fix != nil && f.Fix.Unsafe && f.Fix.Risk == "" {
			t.Errorf("%s: the fix %q is unsafe without a reason", f.Check, f.Suggestion)
		}
	}
}

// applyFixes verifies that fixing ends without a finding that has a fix.
func applyFixes(t *testing.T, b lint.Bundle, o lint.Options, broken []int, unsafe bool, may []string) {
	t.Helper()
	for _, i := range broken {
		fixed, err := lint.ApplyFixes(b, i, unsafe, o)
		if err != nil {
			t.Errorf("fix: %v", err)
			return
		}
		b = fixed.Bundle
	}
	for _, i := range broken {
		if again, err := lint.ApplyFixes(b, i, unsafe, o); err != nil || len(again.Findings) > 0 {
			t.Errorf("a second fix made %v, error %v; want nothing", again.Edits(), err)
		}
	}
	for _, f := range lint.Run(b, o) {
		if f.Fix != nil && (unsafe || !f.Fix.Unsafe) {
			t.Errorf("after the fixes, %s still reports: %s", f.Check, f.Message)
		}
		if !slices.Contains(may, f.Check) {
			t.Errorf("the fixes made %s report at %s: %s", f.Check, f.Path, f.Message)
		}
	}
}

// names returns the names of the checks with findings, without duplicates, in order.
func names(found []lint.Finding) (all []string) {
	for _, f := range found {
		if !slices.Contains(all, f.Check) {
			all = append(all, f.Check)
		}
	}
	return all
}

// ComparePage compares the page of the checks with a file, or writes it.
func (s Suite) ComparePage(t *testing.T, file, title, intro string, update bool) {
	t.Helper()
	page, err := s.Page(title, intro)
	if err != nil {
		t.Fatal(err)
	}
	CompareFile(t, file, markdown.Wrap(page), update)
}

// CompareFile compares a generated page with a file, or writes it.
func CompareFile(t *testing.T, file, page string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != page {
		t.Errorf("%s is out of date; run make generate", file)
	}
}
