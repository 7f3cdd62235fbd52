package kstatus

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unexemplified lists the exported functions and methods that no example of their package calls,
// each with the reason.
var unexemplified = map[string]string{
	"dropin.Begin": "watchers and pollers call it",
	"author/conditions/ctrl.Writer.PatchStatus": "package conditions calls it",
	"author/lint/linttest.CompareFile":          "one line in a test; the tests of packages lint and capi show it",
	"author/lint/linttest.Suite.ComparePage":    "one line in a test; the tests of packages lint and capi show it",
	"kube/connection.From":                      "for clients that a caller has set up; the tests of package sets show it",
	"kube/connection.AllMetadata":               "as kube/connection.EachPage",
	"kube/connection.IsExpired":                 "EachPage calls it",
	"kube/connection.IsRejected":                "as kube/connection.IsRefused",
	"kube/connection.PreferredResources":        "as kube/connection.ServedResources",
	"kube/connection.Mapper.KindFor":            "a mapper of Kubernetes, with a context; package sets shows it",
	"kube/connection.Mapper.KindsFor":           "as kube/connection.Mapper.KindFor",
	"kube/connection.Mapper.RESTMapping":        "as kube/connection.Mapper.KindFor",
	"kube/watcher.Metadata.List":                "Watcher calls it",
	"kube/watcher.Jitter":                       "Pause calls it",
	"kube/watcher.NewPage":                      "RequestsFor calls it",
	"kube/watcher.Pause.Next":                   "Pause.Wait calls it",
	"kube/watcher.Stream.Refused":               "only for a Stream that lists while watches are refused; kube/source shows it",
	"kube/wiretest.EndOfList":                   "as kube/wiretest.New",
	"kube/source.HasPods":                       "as kube/source.PartsAmong",
	"kube/source.PartsAmong":                    "only the command reads objects from files; its tests of dumps show it",
	"kube/wiretest.New":                         "it needs a test; the tests of module dropin show it",
	"author/lint/linttest.Suite.Test":           "one line in a test; the tests of packages lint and capi show it",
	"explain.CaveatQueries":                     "kube/tree.Reader.Caveats calls it",
}

// conventional lists the methods that the standard library calls. Users need not call them.
var conventional = []string{"As", "Error", "Format", "Is", "MarshalJSON", "MarshalText", "String", "UnmarshalJSON", "UnmarshalText", "Unwrap"}

// TestVerbsHaveExamples checks that the examples of a package show each function and method
// that it exports. An example does so by its name or by a call.
func TestVerbsHaveExamples(t *testing.T) {
	unused := maps.Clone(unexemplified)
	for _, r := range architecture {
		if !r.published() {
			continue
		}
		t.Run(r.folder, func(t *testing.T) {
			verbs, shown := verbsAndExamples(t, r.folder)
			for verb, name := range verbs {
				full := r.folder + "." + verb
				_, exempt := unexemplified[full]
				delete(unused, full)
				switch {
				case exempt && shown[name]:
					t.Errorf("%s has an example: it needs no row in unexemplified", full)
				case !exempt && !shown[name] && !slices.Contains(conventional, name):
					t.Errorf("no example of package %s calls %s", r.folder, verb)
				}
			}
		})
	}
	for full := range unused {
		t.Errorf("unexemplified has a row for %s, which does not exist", full)
	}
}

// published reports whether users can import a package.
func (r row) published() bool {
	for _, private := range []string{".", "docs"} {
		if r.folder == private {
			return false
		}
	}
	if module, mirror, _ := strings.Cut(r.folder, "/"); module == "dropin" && mirror != "" {
		return false // its names are those of another library
	}
	return r.shipped() && !slices.Contains(strings.Split(r.folder, "/"), "internal") && !strings.HasPrefix(r.folder, "examples/")
}

// verbsAndExamples returns the exported functions and methods of a package, such as
// "Type.Method", each with the name in its calls. It also returns the names that its examples
// select.
func verbsAndExamples(t *testing.T, folder string) (verbs map[string]string, shown map[string]bool) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	verbs, shown = map[string]string{}, map[string]bool{}
	for _, at := range paths {
		parsed, err := parser.ParseFile(set, at, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(at, "_test.go") {
			addVerbs(verbs, parsed)
		} else if len(doc.Examples(parsed)) > 0 {
			ast.Inspect(parsed, func(n ast.Node) bool {
				if selected, ok := n.(*ast.SelectorExpr); ok {
					shown[selected.Sel.Name] = true
				}
				return true
			})
		}
	}
	return verbs, shown
}

// addVerbs adds the exported functions of a file, and the exported methods of its exported types.
func addVerbs(verbs map[string]string, parsed *ast.File) {
	if parsed.Name.Name == "main" {
		return
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !f.Name.IsExported() {
			continue
		}
		verb := f.Name.Name
		if f.Recv != nil {
			base := receiver(f.Recv.List[0].Type)
			if !ast.IsExported(base) {
				continue
			}
			verb = base + "." + verb
		}
		verbs[verb] = f.Name.Name
	}
}

// receiver returns the name of the receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
