package explainer_test

import (
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// An explanation below a list of objects has the order of that list.
func TestExplanationsHaveTheOrderOfTheirObjects(t *testing.T) {
	id := func(name string) status.ID {
		return status.ID{Kind: status.Kind{Kind: "Job"}, Namespace: "shop", Name: name}
	}
	cause := func(text string, blocks ...status.ID) explain.Cause {
		return explain.Cause{Kind: "CrashLoop", Text: text, Count: 1, Blocks: blocks, Objects: blocks[:1], Chain: []explain.Step{{ID: blocks[0]}}}
	}
	e := &explainer.Explanation{Explanation: &explain.Explanation{
		Subjects: []explain.Subject{{ID: id("a"), Causes: []int{1, 3}}, {ID: id("b"), Causes: []int{0}}, {ID: id("c"), Causes: []int{0, 2}}},
		Causes:   []explain.Cause{cause("of two", id("b"), id("c")), cause("first", id("a")), cause("last", id("c")), cause("second", id("a"))},
	}}
	var text strings.Builder
	for _, l := range e.Sorted().Lines(time.Time{}) {
		text.WriteString(l.Lead + l.Text + "\n")
	}
	at := -1
	for _, want := range []string{"Job/a in shop", "first", "second", "Job/b in shop", "of two", "Job/c in shop", "last"} {
		i := strings.Index(text.String(), want)
		if i <= at {
			t.Fatalf("%q is missing or too early in\n%s", want, &text)
		}
		at = i
	}
	for i, want := range [][]string{{"first", "second"}, {"of two"}, {"of two", "last"}} {
		for j, n := range e.Sorted().Subjects[i].Causes {
			if have := e.Sorted().Causes[n].Text; have != want[j] {
				t.Errorf("cause %d of object %d is %q, want %q", j, i, have, want[j])
			}
		}
	}
	if e.Causes[0].Text != "of two" {
		t.Error("the explanation is changed")
	}
}
