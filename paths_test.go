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

// otherWalks lists, by file, the functions that may walk decoded JSON by the names of a path. Each has
// the reason why it does not call internal/decoded.
var otherWalks = map[string]string{
	"clusterapi/check/object_live_types.go reportTypes": "its paths have steps for all items",
	"author/lint/linttest/yaml.go descend":              "it follows the only key of each map",
	"report/casefile/minimal.go copyPath":               "it copies each map on the way",
	"dropin/pkg/object/field.go NestedField":            "it has the signature and the errors of cli-utils",
}

// One package reads fields of decoded JSON by their path, so that all packages treat missing, null
// and wrongly typed fields in the same way.
func TestOnlyOnePackageWalksDecodedJSON(t *testing.T) {
	found, own, seen := folders(t), 0, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if top(name) == "test" || top(name) == "examples" {
			continue
		}
		for at := range found[name].files {
			if strings.HasSuffix(at, "_test.go") {
				continue
			}
			set, file := token.NewFileSet(), path.Join(name, at)
			parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range walks(parsed) {
				function := file + " " + w.function
				switch {
				case name == "internal/decoded":
					own++
				case otherWalks[function] != "":
					seen[function] = true
				default:
					t.Errorf("%s: %s: want a function of internal/decoded", set.Position(w.at), w.what)
				}
			}
		}
	}
	if own != 3 {
		t.Errorf("the check finds %d walks in internal/decoded, want 3", own)
	}
	for function, why := range otherWalks {
		if !seen[function] {
			t.Errorf("%s walks no path, but may do so: %s", function, why)
		}
	}
}

// A walk is code that reads a field of decoded JSON by its path.
type walk struct {
	function string
	what     string
	at       token.Pos
}

// walks returns the walks in a file. Loops and recursive functions take a map out of a map with each
// name. Single steps take a value of another type for a missing one.
func walks(file *ast.File) (all []walk) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		add := func(what string, n ast.Node) { all = append(all, walk{f.Name.Name, what, n.Pos()}) }
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				if isWalk(n.Body) {
					add("a loop takes maps out of maps by names", n)
				}
			case *ast.RangeStmt:
				if isWalk(n.Body) {
					add("a loop takes maps out of maps by names", n)
				}
			case *ast.AssignStmt:
				if isLooseStep(n) || ignoresError(n) {
					add("a field of another type is taken for a missing one", n)
				}
			}
			return true
		})
		if isRecursiveWalk(f) {
			add("it calls itself with the rest of a path", f)
		}
	}
	return all
}

// A step is how one variable of a loop gets its value from another.
type step struct {
	from             string
	indexes, asserts bool // it takes a value of a map, it asserts that the value is a map
}

// isWalk reports whether a variable of a loop gets its value from its own earlier value, through a
// map.
func isWalk(body *ast.BlockStmt) bool {
	steps := map[string][]step{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if name, ok := to.(*ast.Ident); ok && name.Name != "_" && i < len(n.Rhs) {
					if s, ok := stepOf(n.Rhs[i]); ok {
						steps[name.Name] = append(steps[name.Name], s)
					}
				}
			}
		case *ast.TypeSwitchStmt:
			if a, ok := n.Assign.(*ast.AssignStmt); ok && hasMapCase(n.Body) {
				if s, ok := stepOf(a.Rhs[0]); ok {
					name := a.Lhs[0].(*ast.Ident).Name
					steps[name] = append(steps[name], step{s.from, s.indexes, true})
				}
			}
		}
		return true
	})
	for name := range steps {
		if returns(steps, name, step{from: name}, map[step]bool{}) {
			return true
		}
	}
	return false
}

// returns reports whether the steps lead from a variable back to it through a map.
func returns(steps map[string][]step, to string, at step, visited map[step]bool) bool {
	for _, s := range steps[at.from] {
		next := step{s.from, at.indexes || s.indexes, at.asserts || s.asserts}
		if next == (step{to, true, true}) {
			return true
		}
		if !visited[next] {
			visited[next] = true
			if returns(steps, to, next, visited) {
				return true
			}
		}
	}
	return false
}

// stepOf returns the variable from which an expression takes its value.
func stepOf(e ast.Expr) (s step, ok bool) {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			s.from = x.Name
			return s, true
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			s.indexes, e = true, x.X
		case *ast.TypeAssertExpr:
			s.asserts, e = s.asserts || isMapType(x.Type), x.X
		default:
			return s, false
		}
	}
}

func hasMapCase(body *ast.BlockStmt) bool {
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		c, ok := s.(*ast.CaseClause)
		return ok && slices.ContainsFunc(c.List, isMapType)
	})
}

// isMapType reports whether a type is map[string]any.
func isMapType(e ast.Expr) bool {
	m, ok := e.(*ast.MapType)
	if !ok {
		return false
	}
	key, ok := m.Key.(*ast.Ident)
	return ok && key.Name == "string" && isAny(m.Value)
}

func isAny(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	i, isInterface := e.(*ast.InterfaceType)
	return ok && name.Name == "any" || isInterface && len(i.Methods.List) == 0
}

// isLooseStep reports whether an assignment takes a map or a list out of a map by a constant name, and
// ignores values of other types.
func isLooseStep(n *ast.AssignStmt) bool {
	if len(n.Lhs) != 2 || len(n.Rhs) != 1 {
		return false
	}
	ignored, ok := n.Lhs[1].(*ast.Ident)
	asserted, isAssertion := n.Rhs[0].(*ast.TypeAssertExpr)
	if !ok || ignored.Name != "_" || !isAssertion {
		return false
	}
	list, isList := asserted.Type.(*ast.ArrayType)
	field, isField := asserted.X.(*ast.IndexExpr)
	if !isField || !isMapType(asserted.Type) && !(isList && isAny(list.Elt)) {
		return false
	}
	name, isConstant := field.Index.(*ast.BasicLit)
	return isConstant && name.Kind == token.STRING
}

// nested are the functions of apimachinery that return one field as it is.
var nested = []string{"NestedFieldNoCopy", "NestedString", "NestedBool", "NestedInt64", "NestedMap"}

// ignoresError reports whether an assignment takes a field by its path with apimachinery, and nothing
// if the value has another type.
func ignoresError(n *ast.AssignStmt) bool {
	if len(n.Lhs) != 3 || len(n.Rhs) != 1 {
		return false
	}
	ignored, ok := n.Lhs[2].(*ast.Ident)
	call, isCall := n.Rhs[0].(*ast.CallExpr)
	return ok && ignored.Name == "_" && isCall && slices.ContainsFunc(nested, func(name string) bool { return isCallOf(call, name) })
}

// isRecursiveWalk reports whether a function takes a value of a map by the first name of a path, and
// calls itself with the others.
func isRecursiveWalk(f *ast.FuncDecl) bool {
	asserts, indexes, calls := false, false, false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			asserts = asserts || isMapType(n.Type)
		case *ast.TypeSwitchStmt:
			asserts = asserts || hasMapCase(n.Body)
		case *ast.IndexExpr:
			first, ok := n.Index.(*ast.IndexExpr)
			indexes = indexes || ok && isNumber(first.Index, "0")
		case *ast.CallExpr:
			calls = calls || isCallOf(n, f.Name.Name) && slices.ContainsFunc(n.Args, func(e ast.Expr) bool {
				rest, ok := e.(*ast.SliceExpr)
				return ok && isNumber(rest.Low, "1")
			})
		}
		return true
	})
	return asserts && indexes && calls
}

func isCallOf(c *ast.CallExpr, name string) bool {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name == name
	case *ast.SelectorExpr:
		return f.Sel.Name == name
	}
	return false
}

func isNumber(e ast.Expr, text string) bool {
	n, ok := e.(*ast.BasicLit)
	return ok && n.Value == text
}

// The check of walks finds planted ones of each form, and nothing else.
func TestWalksAreFound(t *testing.T) {
	const loop, recursion, loose = "a loop takes maps out of maps by names", "it calls itself with the rest of a path", "a field of another type is taken for a missing one"
	for _, row := range []struct{ it, code, want string }{
		{"finds a map that is replaced", `func f(at map[string]any, names []string) any {
			for _, name := range names { at, _ = at[name].(map[string]any) }; return at }`, loop},
		{"finds a value that is replaced", `func f(m map[string]any, names []string) any { var v any = m
			for _, name := range names { m, ok := v.(map[string]any); if !ok { return nil }; v = m[name] }; return v }`, loop},
		{"finds a value that is replaced with its existence", `func f(v any, names []string) any {
			for _, name := range names { m := v.(map[string]interface{}); var ok bool; if v, ok = m[name]; !ok { return nil } }; return v }`, loop},
		{"finds a map that is replaced through others", `func f(node map[string]any, names []string) any {
			for _, name := range names { v := node[name]; m, ok := v.(map[string]any); if !ok { return nil }; node = m }; return node }`, loop},
		{"finds a dotted path", `func f(at map[string]any, path string) any {
			for { name, rest, more := strings.Cut(path, "."); v := at[name]; if !more { return v }; at, _ = v.(map[string]any); path = rest } }`, loop},
		{"finds a type switch", `func f(v any, names []string) any {
			for _, name := range names { switch m := v.(type) { case map[string]any: v = m[name]; default: return nil } }; return v }`, loop},
		{"finds two variables in one assignment", `func f(at map[string]any, path string) { from := 0
			for from < len(path) { v := at[path[from:]]; m, _ := v.(map[string]any); at, from = m, from+1 } }`, loop},
		{"finds a function that calls itself", `func f(m map[string]any, names []string) any { v := m[names[0]]
			if len(names) == 1 { return v }; inner, _ := v.(map[string]any); return f(inner, names[1:]) }`, recursion},
		{"finds a method that calls itself", `func (r *R) f(v any, names []string) any { m, _ := v.(map[string]any)
			if len(names) == 0 { return v }; return r.f(m[names[0]], names[1:]) }`, recursion},
		{"finds a map of another type", `func f(m map[string]any) any { meta, _ := m["metadata"].(map[string]any); return meta["name"] }`, loose},
		{"finds a list of another type", `func f(m map[string]any) int { list, _ := m["items"].([]any); return len(list) }`, loose},
		{"finds a field without its error", `func f(u *unstructured.Unstructured) string { s, _, _ := unstructured.NestedString(u.Object, "kind"); return s }`, loose},
		{"ignores a field with its error", `func f(u *unstructured.Unstructured) error { s, _, err := unstructured.NestedString(u.Object, "kind"); use(s); return err }`, ""},
		{"ignores the items of a list", `func f(list []any) { for _, item := range list { m, _ := item.(map[string]any); use(m["name"]) } }`, ""},
		{"ignores a map that is read with each name", `func f(m map[string]any, names []string) { for _, name := range names { v, _ := m[name].(string); use(v) } }`, ""},
		{"ignores a type that is checked", `func f(m map[string]any) error { meta, ok := m["metadata"].(map[string]any); if !ok { return bad }; return use(meta) }`, ""},
		{"ignores a visit of all values", `func f(v any) { switch v := v.(type) { case map[string]any: for _, below := range v { f(below) } } }`, ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "planted.go", "package planted\n"+row.code, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			have := ""
			for _, w := range walks(file) {
				have += w.what
			}
			if have != row.want {
				t.Errorf("it finds %q, want %q", have, row.want)
			}
		})
	}
}
