package linttest

import (
	"os"
	"reflect"
	"slices"
	"testing"

	"kstatus.dev/lint"
)

// Test runs all cases: nothing is said of the base, each check alone finds its
// bad case, none its good one, and what has a fix is mended by it, in a way that
// a second repair leaves alone.
func (s Suite) Test(t *testing.T) {
	t.Run("base", func(t *testing.T) { s.check(t, Case{It: "is clean"}) })
	for _, c := range s.Checks {
		t.Run(c.Name, func(t *testing.T) {
			cs, err := s.Read(c)
			if err != nil {
				t.Fatalf("check %s has no cases: %v", c.Name, err)
			}
			if cs.Bad.It == "" || cs.Good.It == "" {
				t.Fatalf("check %s: want a bad and a good case, each with its name", c.Name)
			}
			for _, one := range append([]Case{cs.Bad, cs.Good}, cs.More...) {
				t.Run(one.It, func(t *testing.T) { s.check(t, one) })
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
	found := lint.Run(b, s.options(c))
	if have := names(found); !slices.Equal(have, c.Want) {
		t.Errorf("found %v, want %v", have, c.Want)
		for _, f := range found {
			t.Logf("%s %s at %s: %s", f.Severity, f.Check, f.Path, f.Message)
		}
	}
	for _, unsafe := range []bool{false, true} {
		s.repair(t, c, b, unsafe)
	}
}

// repair checks that repairing ends where nothing more can be repaired.
func (s Suite) repair(t *testing.T, c Case, b lint.Bundle, unsafe bool) {
	t.Helper()
	o := s.options(c)
	for i := range b.Objects {
		_, mended, err := lint.Repair(b, i, unsafe, o)
		if err != nil {
			t.Errorf("repair: %v", err)
			return
		}
		b = mended
	}
	for i := range b.Objects {
		if again, _, err := lint.Repair(b, i, unsafe, o); err != nil || len(again) > 0 {
			t.Errorf("a second repair made %v, error %v; want nothing", again, err)
		}
	}
	for _, f := range lint.Run(b, o) {
		if f.Fix != nil && (unsafe || !f.Fix.Unsafe) {
			t.Errorf("after repair %s still says: %s", f.Check, f.Message)
		}
		if !slices.Contains(c.Want, f.Check) && !slices.Contains(c.After, f.Check) {
			t.Errorf("repair made %s say at %s: %s", f.Check, f.Path, f.Message)
		}
	}
}

// names returns the names of the checks that have found something, each once, in order.
func names(found []lint.Finding) (all []string) {
	for _, f := range found {
		if !slices.Contains(all, f.Check) {
			all = append(all, f.Check)
		}
	}
	return all
}

// PageIs compares the page of the checks with a file, or writes it.
func (s Suite) PageIs(t *testing.T, file, title, intro string, update bool) {
	t.Helper()
	page, err := s.Page(title, intro)
	if err != nil {
		t.Fatal(err)
	}
	if update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(string(have), page) {
		t.Errorf("%s is out of date; run make generate", file)
	}
}
