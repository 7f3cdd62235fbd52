package planner

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
)

// The shapes of large graphs, as lines of n objects and a few more.
var shapes = []struct {
	it    string
	scope plan.Scope
	lines func(n int) string
}{
	{"has a chain below a Cluster", whole, func(n int) string {
		return "Cluster shop/a\nBox shop/0 < Cluster shop/a\n" + chain(n, "Box shop/%[1]d < Box shop/%[2]d\n")
	}},
	{"has a chain above a Cluster", whole, func(n int) string {
		return "Cluster shop/a < Box shop/0\n" + chain(n, "Box shop/%[2]d < Box shop/%[1]d\n")
	}},
	{"has a chain of names", whole, func(n int) string {
		return "Cluster shop/a : {spec: {identityRef: {kind: Login, name: \"0\"}}}\n" + chain(n, "Login shop/%[2]d : {spec: {identityRef: {kind: Login, name: \"%[1]d\"}}}\n")
	}},
	{"has a chain that another Cluster needs", onlyA, func(n int) string {
		return "Cluster shop/a : {spec: {identityRef: {kind: Login, name: \"0\"}}}\nCluster shop/b : {spec: {identityRef: {kind: Login, name: \"0\"}}}\n" +
			chain(n, "Login shop/%[2]d : {spec: {identityRef: {kind: Login, name: \"%[1]d\"}}}\n")
	}},
	{"has pairs that own each other", whole, func(n int) string {
		return "Cluster shop/a\n" + chain(n/2, "Box shop/x%[1]d < Box shop/y%[1]d < Box shop/x%[2]d < Cluster shop/a\nBox shop/y%[1]d < Box shop/x%[1]d\n")
	}},
	{"has a cycle", whole, func(n int) string {
		return "Cluster shop/a\nBox shop/0 < Cluster shop/a < Box shop/" + fmt.Sprint(n) + "\n" + chain(n, "Box shop/%[1]d < Box shop/%[2]d\n")
	}},
	{"has unknown references", whole, func(n int) string {
		return "Cluster shop/a\n" + chain(n, "Box shop/%[1]d < Cluster shop/a : {spec: {refs: ["+strings.Repeat("{kind: Other, name: x%[2]d}, {secretName: y%[2]d}, ", 5)+"]}}\n")
	}},
}

// chain returns lines with the numbers from 1 to n, and the ones before them.
func chain(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1, i)
	}
	return b.String()
}

// sourceOf returns a source with the objects of lines.
func sourceOf(t testing.TB, scope plan.Scope, lines string) *source {
	t.Helper()
	objects, err := clusterapitest.Parse(lines)
	if err != nil {
		t.Fatal(err)
	}
	return &source{scope: scope, selector: labels.Everything(), kinds: clusterapitest.Kinds(), objects: objects}
}

// The work of a plan grows with the number of objects, not with its square.
func TestPlansAreLinear(t *testing.T) {
	for _, row := range shapes {
		t.Run(row.it, func(t *testing.T) {
			for _, n := range []int{100, 2000} {
				x := sourceOf(t, row.scope, row.lines(n)).selectObjects()
				items := map[*management.Object]*plan.Item{}
				for o := range x.chosen {
					items[o] = &plan.Item{}
				}
				if len(items) < n {
					t.Fatalf("%d objects are chosen, want %d and more", len(items), n)
				}
				w := x.newQueue()
				w.setSteps(items)
				if have, most := x.work.done+w.visits, 10*n; have > most {
					t.Errorf("the plan of %d objects took %d visits and %d of the queue, want at most %d", n, x.work.done, w.visits, most)
				}
			}
		})
	}
}

func BenchmarkPlan(b *testing.B) {
	for _, row := range shapes {
		for _, n := range []int{1000, 2000, 4000} {
			b.Run(fmt.Sprintf("it %s/%d", row.it, n), func(b *testing.B) {
				s := sourceOf(b, row.scope, row.lines(n))
				for b.Loop() {
					s.problems = nil
					s.plan()
				}
			})
		}
	}
}
