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

// withoutReports are folders with packages that the command does not contain. A panic in them ends
// another program or a test.
var withoutReports = []string{"dropin", "examples", "clusterapi/openstack", "test", "author/conditions", "kube/wiretest", "kube/internal/wiretest", "clusterapi/internal/clusterapitest", "internal/crash"}

// The command reports the panics of its goroutines, and exits with its own code. So its packages
// start them with package crash.
func TestGoroutinesReportTheirPanics(t *testing.T) {
	found := folders(t)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if slices.ContainsFunc(withoutReports, func(w string) bool { return name == w || strings.HasPrefix(name, w+"/") }) {
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
			for _, wrong := range unreportedIn(parsed) {
				t.Errorf("%s: want Go, Group or Guarded of internal/crash", set.Position(wrong))
			}
		}
	}
}

// unreportedIn returns where a file starts goroutines without a report of their panics.
func unreportedIn(f *ast.File) (all []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			all = append(all, n.Pos())
		case *ast.SelectorExpr:
			if isName(n, "sync", "WaitGroup") || isName(n, "errgroup", "Group") || isName(n, "errgroup", "WithContext") {
				all = append(all, n.Pos())
			}
		case *ast.CallExpr:
			if isName(n.Fun, "time", "AfterFunc") || isName(n.Fun, "context", "AfterFunc") {
				call, _ := n.Args[len(n.Args)-1].(*ast.CallExpr)
				if call == nil || !isName(call.Fun, "crash", "Guarded") {
					all = append(all, n.Pos())
				}
			}
		}
		return true
	})
	return all
}

// isName reports whether an expression is a name of a package.
func isName(e ast.Expr, in, name string) bool {
	s, _ := e.(*ast.SelectorExpr)
	if s == nil || s.Sel.Name != name {
		return false
	}
	x, _ := s.X.(*ast.Ident)
	return x != nil && x.Name == in
}

func TestUnreportedGoroutines(t *testing.T) {
	for it, row := range map[string]struct {
		code string
		want int
	}{
		"finds a go statement":              {"go f()", 1},
		"finds a group of package sync":     {"var g sync.WaitGroup", 1},
		"finds a timer":                     {"time.AfterFunc(d, f)", 1},
		"finds a function after a context":  {"context.AfterFunc(ctx, f)", 1},
		"accepts a guarded timer":           {"time.AfterFunc(d, crash.Guarded(f))", 0},
		"accepts a goroutine of the helper": {"crash.Go(f)", 0},
	} {
		parsed, err := parser.ParseFile(token.NewFileSet(), "f.go", "package p\nfunc f() {"+row.code+"}", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if have := unreportedIn(parsed); len(have) != row.want {
			t.Errorf("it %s: have %d, want %d", it, len(have), row.want)
		}
	}
}
