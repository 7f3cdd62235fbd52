package snippet

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A file is the Go file of a block.
type file struct {
	page     string
	complete bool // the block is a whole file, with a package clause
	syntax   *ast.File
}

// The packages that a block may use without importing them, by name.
var known = map[string]string{
	"context": "context", "errors": "errors", "fmt": "fmt", "io": "io", "os": "os", "log": "log", "strings": "strings", "testing": "testing", "time": "time",

	"status": "kstatus.dev/status", "observe": "kstatus.dev/observe", "goal": "kstatus.dev/observe/goal", "grace": "kstatus.dev/observe/grace",
	"explain": "kstatus.dev/explain", "audit": "kstatus.dev/author/audit", "lint": "kstatus.dev/author/lint", "capi": "kstatus.dev/clusterapi/check",
	"source": "kstatus.dev/kube/source", "wait": "kstatus.dev/kube/wait", "tree": "kstatus.dev/kube/tree", "writes": "kstatus.dev/author/writes",
	"contract": "kstatus.dev/clusterapi/contract", "crd": "kstatus.dev/author/crd", "report": "kstatus.dev/report", "celrule": "kstatus.dev/kube/celrule", "sets": "kstatus.dev/kube/sets", "follow": "kstatus.dev/kube/sets/follow",
	"conditions": "kstatus.dev/author/conditions", "wellknown": "kstatus.dev/author/conditions/wellknown",
	"messages": "kstatus.dev/author/conditions/messages", "conditionstest": "kstatus.dev/author/conditions/conditionstest",

	"metav1": "k8s.io/apimachinery/pkg/apis/meta/v1", "unstructured": "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured",
	"runtime": "k8s.io/apimachinery/pkg/runtime", "schema": "k8s.io/apimachinery/pkg/runtime/schema", "meta": "k8s.io/apimachinery/pkg/api/meta",
	"types": "k8s.io/apimachinery/pkg/types", "appsv1": "k8s.io/api/apps/v1", "scheme": "k8s.io/client-go/kubernetes/scheme",
	"dynamic": "k8s.io/client-go/dynamic", "fake": "k8s.io/client-go/dynamic/fake", "rest": "k8s.io/client-go/rest",
	"ctrl": "sigs.k8s.io/controller-runtime", "client": "sigs.k8s.io/controller-runtime/pkg/client", "reconcile": "sigs.k8s.io/controller-runtime/pkg/reconcile",
}

// newFile converts a block to a Go file. A block with a package clause already is one.
// Declarations become a file of the page's package; statements become the body of a function.
func newFile(fset *token.FileSet, b Block) (file, error) {
	f := file{page: b.Page}
	if syntax, err := parseFile(fset, at(b.Line, b.Page)+b.Text); err == nil {
		f.complete, f.syntax = true, syntax
		return f, nil
	}
	text := strings.ReplaceAll(b.Text, "…", `panic("…")`)
	imports, rest := cutImports(at(b.Line, b.Page) + text)
	hidden, declared := cutImports(at(b.DeclaredLine, b.Page) + b.Declared)
	imports += "\n" + hidden
	forms := []string{declared + "\n" + rest}
	if body := declared + "\nfunc _" + cmp.Or(strings.TrimPrefix(b.Signature, "func"), "()") + " {\n" + rest + "\n" + terminate(b.Signature) + "}\n"; b.Signature != "" {
		forms = []string{body}
	} else {
		forms = append(forms, body)
	}
	var err error
	for _, form := range forms {
		if f.syntax, err = parseFile(fset, "package page\n"+imports+"\n"+form); err == nil {
			all := imports + "\n" + importsFor(f.syntax)
			f.syntax, err = parseFile(fset, "package page\n"+all+"\n"+form)
			return f, err
		}
	}
	return f, err
}

func parseFile(fset *token.FileSet, text string) (*ast.File, error) {
	return parser.ParseFile(fset, "", text, parser.ParseComments)
}

// at returns a line directive, so that the text after it has positions in a page. It is empty
// for line 0, which means no position.
func at(line int, page string) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf("//line %s:%d\n", page, line)
}

// terminate ends the body of a function with results.
func terminate(signature string) string {
	if strings.HasSuffix(signature, ")") && strings.Count(signature, "(") == 1 {
		return ""
	}
	return "panic(0)\n"
}

// cutImports cuts the import declarations from the beginning of a text. It
// leaves empty lines in their place, so that positions stay.
func cutImports(text string) (imports, rest string) {
	var kept, cut []string
	inside, done := false, false
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case done:
			kept = append(kept, line)
			continue
		case inside:
			inside = trimmed != ")"
		case strings.HasPrefix(trimmed, "import "):
			inside = strings.HasSuffix(trimmed, "(")
		default:
			done = trimmed != "" && !strings.HasPrefix(trimmed, "//")
			kept = append(kept, line)
			if strings.HasPrefix(trimmed, "//line ") {
				cut = append(cut, line)
			}
			continue
		}
		cut, kept = append(cut, line), append(kept, "")
	}
	return strings.Join(cut, "\n"), strings.Join(kept, "\n")
}

// importsFor returns import declarations for the known packages that a file uses and does not
// import.
func importsFor(syntax *ast.File) string {
	free := map[*ast.Ident]bool{}
	for _, name := range syntax.Unresolved {
		free[name] = true
	}
	for _, spec := range syntax.Imports {
		if spec.Name != nil {
			continue
		}
		path := strings.Trim(spec.Path.Value, `"`)
		ast.Inspect(syntax, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && (known[name.Name] == path || strings.HasSuffix(path, "/"+name.Name)) {
				delete(free, name)
			}
			return true
		})
	}
	for _, spec := range syntax.Imports {
		if spec.Name == nil {
			continue
		}
		for name := range free {
			if name.Name == spec.Name.Name {
				delete(free, name)
			}
		}
	}
	used := map[string]bool{}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := s.X.(*ast.Ident); ok && free[name] && known[name.Name] != "" {
				used[fmt.Sprintf("import %s %q\n", name.Name, known[name.Name])] = true
			}
		}
		return true
	})
	return strings.Join(slices.Sorted(maps.Keys(used)), "")
}
