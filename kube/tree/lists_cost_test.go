package tree

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var podMapping = &meta.RESTMapping{Resource: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, Scope: meta.RESTScopeNamespace}

func TestGroupLists(t *testing.T) {
	scopeOf := func(namespace, labels, fields string, limit int64) listing {
		s := newScope(podMapping, namespace)
		s.labels, s.fields, s.limit = labels, fields, limit
		return listing{scope: s}
	}
	rows := []struct {
		it   string
		all  []listing
		want []int // sizes of the groups
	}{
		{"joins equal searches", []listing{scopeOf("a", "x=1", "", 0), scopeOf("a", "x=1", "", 0)}, []int{2}},
		{"puts narrow labels into a wide list", []listing{scopeOf("a", "x=1,y=2", "", 0), scopeOf("a", "y=2", "", 0)}, []int{2}},
		{"puts a namespace into all namespaces", []listing{scopeOf("", "", "", 0), scopeOf("a", "x=1", "", 0)}, []int{2}},
		{"puts fields into a list without", []listing{scopeOf("a", "", "", 0), scopeOf("a", "", "metadata.name=b", 0)}, []int{2}},
		{"keeps other fields apart", []listing{scopeOf("", "", "metadata.name=a", 11), scopeOf("", "", "metadata.name=b", 11)}, []int{1, 1}},
		{"keeps other namespaces apart", []listing{scopeOf("a", "", "", 0), scopeOf("b", "", "", 0)}, []int{1, 1}},
		{"does not use a limited list for a whole one", []listing{scopeOf("a", "", "", 5), scopeOf("a", "", "", 0)}, []int{1, 1}},
		{"takes the first list of several", []listing{scopeOf("", "", "", 0), scopeOf("a", "", "", 5), scopeOf("a", "", "", 0)}, []int{3}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			var have []int
			for _, these := range groupLists(row.all) {
				have = append(have, len(these))
			}
			if !slices.Equal(have, row.want) {
				t.Errorf("have groups of %v, want %v", have, row.want)
			}
		})
	}
}

// A tenant chooses how many objects are missing, and their names, labels and namespaces.
func TestCostOfGroupLists(t *testing.T) {
	rows := []struct {
		it     string
		search func(i int) (namespace, labels, fields string)
	}{
		{"counts names", func(i int) (namespace, labels, fields string) { return "", "", fmt.Sprint("metadata.name=p", i) }},
		{"counts namespaces", func(i int) (namespace, labels, fields string) { return fmt.Sprint("n", i), "app=web", "" }},
		{"counts both", func(i int) (namespace, labels, fields string) {
			return fmt.Sprint("n", i), "app=web", fmt.Sprint("metadata.name=p", i)
		}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			cost := func(n int) float64 {
				var all []listing
				for i := range n {
					s := newScope(podMapping, "")
					s.namespace, s.labels, s.fields = row.search(i)
					all = append(all, listing{scope: s})
				}
				return testing.AllocsPerRun(1, func() { groupLists(slices.Clone(all)) })
			}
			if small, large := cost(500), cost(2000); large > 5*small {
				t.Errorf("500 searches cost %.0f allocations, 2,000 cost %.0f", small, large)
			}
		})
	}
}
