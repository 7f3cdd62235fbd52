package validation

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A source is a file of the API server, and the name of its copy.
type source struct{ pkg, file, to string }

// A copied is a file of the API server with its declarations.
type copied struct {
	source
	text         string
	license      string
	imports      []*ast.ImportSpec
	declarations []*declaration
}

// A declaration is a function, or the types, variables or constants of one statement.
type declaration struct {
	names []string // a method has the name of its type
	text  string
	uses  map[string]bool
	keep  bool
}

// read parses a file of the API server after the replacements.
func read(s source, folder string, replace *strings.Replacer) (*copied, error) {
	original, err := os.ReadFile(path.Join(folder, s.file))
	if err != nil {
		return nil, err
	}
	c := &copied{source: s, text: replace.Replace(string(original))}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, s.file, c.text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	c.license, _, _ = strings.Cut(c.text, "\npackage ")
	c.imports = parsed.Imports
	for _, d := range parsed.Decls {
		if found := declare(d); found != nil {
			from, to := files.Position(start(d)).Offset, files.Position(d.End()).Offset
			found.text = c.text[from:to]
			c.declarations = append(c.declarations, found)
		}
	}
	return c, nil
}

// declare returns a declaration without its text, or nil for imports.
func declare(d ast.Decl) *declaration {
	found := &declaration{uses: map[string]bool{}}
	switch d := d.(type) {
	case *ast.FuncDecl:
		found.names = []string{d.Name.Name}
		if d.Recv != nil {
			found.names = []string{receiver(d.Recv.List[0].Type)}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ImportSpec:
				return nil
			case *ast.TypeSpec:
				found.names = append(found.names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					found.names = append(found.names, name.Name)
				}
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if name, is := n.(*ast.Ident); is {
			found.uses[name.Name] = true
		}
		return true
	})
	return found
}

// receiver returns the name of the type of a method.
func receiver(t ast.Expr) string {
	if pointer, is := t.(*ast.StarExpr); is {
		t = pointer.X
	}
	if name, is := t.(*ast.Ident); is {
		return name.Name
	}
	return ""
}

// start returns where a declaration begins, with its comment.
func start(d ast.Decl) token.Pos {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	}
	return d.Pos()
}

// keepUsed marks the declarations that the root uses, directly or not.
func keepUsed(files []*copied, root string) {
	for todo := []string{root}; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		for _, f := range files {
			for _, d := range f.declarations {
				if d.keep || !slices.Contains(d.names, name) {
					continue
				}
				d.keep = true
				for used := range d.uses {
					todo = append(todo, used)
				}
			}
		}
	}
}

// copyText returns the copy: the kept declarations, and the imports that these use.
func (c *copied) copyText() (string, error) {
	var body strings.Builder
	used := map[string]bool{}
	for _, d := range c.declarations {
		if d.keep {
			body.WriteString("\n" + d.text + "\n")
			for name := range d.uses {
				used[name] = true
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated from %s/%s. DO NOT EDIT.\n\n%s\npackage validation\n\nimport (\n", c.pkg, c.file, c.license)
	standard := true
	for _, spec := range sorted(c.imports) {
		to, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return "", err
		}
		name, line := path.Base(to), spec.Path.Value
		if spec.Name != nil {
			name, line = spec.Name.Name, spec.Name.Name+" "+line
		}
		if !used[name] {
			continue
		}
		if standard && !isStandard(to) {
			standard = false
			b.WriteString("\n")
		}
		b.WriteString(line + "\n")
	}
	b.WriteString(")\n" + body.String())
	text, err := format.Source(b.Bytes())
	return string(text), err
}

// sorted returns the imports with those of the standard library first.
func sorted(imports []*ast.ImportSpec) []*ast.ImportSpec {
	return slices.SortedStableFunc(slices.Values(imports), func(a, b *ast.ImportSpec) int {
		switch first, second := isStandard(strings.Trim(a.Path.Value, `"`)), isStandard(strings.Trim(b.Path.Value, `"`)); {
		case first && !second:
			return -1
		case second && !first:
			return 1
		}
		return 0
	})
}

func isStandard(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return !strings.Contains(first, ".")
}
