package evaluator_test

import (
	"strings"
	"sync"
	"testing"

	"kstatus.dev/observe/internal/evaluator"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// testEvaluator returns an evaluator with hooks that return its name, for the names that it
// knows.
func testEvaluator(name string, expects ...string) status.Evaluator {
	known := func(what string) bool { return strings.Contains(" "+strings.Join(expects, " ")+" ", " "+what+" ") }
	return status.Evaluator{
		Expect: func(_, kind string) (e schema.Expectation) {
			if known(kind) {
				e.ObservedGeneration = schema.TristateYes
			}
			return e
		},
		Related: func(_ status.Kind, _, object string) status.Object {
			if !known(object) {
				return nil
			}
			return status.Map{"by": name}
		},
		SelectRule: func(_ status.Kind, _ status.Object, builtin status.KindRule) status.KindRule {
			builtin.Note += name
			return builtin
		},
	}
}

func TestSet(t *testing.T) {
	source := testEvaluator("source", "Lamp", "class", "both")
	for _, row := range []struct {
		it       string
		own      status.Evaluator
		by       *status.Evaluator
		expected string // kinds
		related  string // objects, with the evaluator that returned them
		rule     string // the evaluators that select, in order
	}{
		{"has no hooks by default", status.Evaluator{}, nil, "", "", ""},
		{"is the caller's if the source has none", testEvaluator("own", "Pump", "mine", "both"), nil, "Pump", "mine=own both=own", "own"},
		{"is the source's if the caller has none", status.Evaluator{}, &source, "Lamp", "class=source both=source", "source"},
		{"prefers the caller's answers to the source's", testEvaluator("own", "Pump", "mine", "both"), &source,
			"Pump Lamp", "mine=own class=source both=own", "sourceown"},
		{"is the caller's if the source has no hooks", testEvaluator("own", "Pump", "mine"), &status.Evaluator{}, "Pump", "mine=own", "own"},
	} {
		t.Run(row.it, func(t *testing.T) {
			s := evaluator.Set{Own: row.own}
			s.AddExpectations("east", row.by)
			e := s.Of("east")
			var expected, related []string
			for _, kind := range []string{"Pump", "Lamp", "Nope"} {
				if e.Expect != nil && e.Expect("example.com/v1", kind) != (schema.Expectation{}) {
					expected = append(expected, kind)
				}
			}
			for _, name := range []string{"mine", "class", "both", "nope"} {
				if e.Related == nil {
					continue
				}
				if found := e.Related(status.Kind{}, "", name); found != nil {
					related = append(related, name+"="+found.UnstructuredContent()["by"].(string))
				}
			}
			rule := ""
			if e.SelectRule != nil {
				rule = e.SelectRule(status.Kind{}, nil, status.KindRule{}).Note
			}
			if have := strings.Join(expected, " "); have != row.expected {
				t.Errorf("expects something of %q, want %q", have, row.expected)
			}
			if have := strings.Join(related, " "); have != row.related {
				t.Errorf("finds %q, want %q", have, row.related)
			}
			if rule != row.rule {
				t.Errorf("the rule is chosen by %q, want %q", rule, row.rule)
			}
		})
	}
}

// Knowledge about one cluster does not apply to another, and the latest counts.
func TestClustersAreSeparate(t *testing.T) {
	s := evaluator.Set{Own: status.Evaluator{NoHints: true}}
	first, second := testEvaluator("first"), testEvaluator("second")
	s.AddExpectations("east", &first)
	s.AddExpectations("east", &first)
	if e := s.Of("east"); !e.NoHints || e.SelectRule(status.Kind{}, nil, status.KindRule{}).Note != "first" {
		t.Error("east is not judged by the caller's settings and by what its source knows")
	}
	if s.Of("west").SelectRule != nil {
		t.Error("west is judged by what is known of east")
	}
	s.AddExpectations("east", nil) // unchanged
	s.AddExpectations("east", &second)
	if have := s.Of("east").SelectRule(status.Kind{}, nil, status.KindRule{}).Note; have != "second" {
		t.Errorf("east is judged by %s, want the second", have)
	}
}

// A Set may be used by several goroutines.
func TestSetIsSafe(t *testing.T) {
	var s evaluator.Set
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			e := testEvaluator("source")
			for range 100 {
				s.AddExpectations("east", &e)
				if s.Of("east").Expect == nil {
					t.Error("it has no hook")
				}
			}
		})
	}
	all.Wait()
}
