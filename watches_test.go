package kstatus

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// There is one loop of lists and watches, in kube/watcher. So no other package reads the events of a
// watch.
func TestOnePackageReadsWatches(t *testing.T) {
	found, readers := folders(t), map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if strings.HasPrefix(name, "test/") {
			continue
		}
		for at := range found[name].files {
			if strings.HasSuffix(at, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, path.Join(name, at), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "ResultChan" {
					readers[name] = true
					if name != "kube/watcher" {
						t.Errorf("%s: want a Stream or a Watcher of kube/watcher", set.Position(n.Pos()))
					}
				}
				return true
			})
		}
	}
	if !readers["kube/watcher"] {
		t.Error("kube/watcher reads no watches: the check does not find them")
	}
}
