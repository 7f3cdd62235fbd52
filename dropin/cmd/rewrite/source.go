package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/dropin/internal/original"
)

// A source is one Go file.
type source struct {
	name          string
	before, after []byte // after is nil if nothing changes
	imports       []*imported
	directives    []directive
}

// An imported is an import of an original, or with -back, of a façade.
type imported struct {
	path, target string
	start, end   int // of the path in the file, without quotes
	line         int
	from         original.Module
	module       string // of the target, with the version for go get
	why          string // why the import is left; empty if it is rewritten
	foreign      bool   // the import itself cannot be rewritten
}

// A directive is a comment for the go command that names a package.
type directive struct {
	line int
	path string
}

// parse reads a file, and finds its imports of the originals.
func parse(name string, back bool) (*source, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f := &source{name: name, before: text}
	if !slices.ContainsFunc(original.Modules, func(m original.Module) bool { return bytes.Contains(text, []byte(prefix(m, back))) }) {
		return f, nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		at := set.PositionFor(spec.Path.Pos(), false)
		i := &imported{path: path, start: at.Offset + 1, end: at.Offset + len(spec.Path.Value) - 1, line: at.Line}
		if !i.resolve(back) {
			continue
		}
		if !back && i.why == "" {
			i.omission(file, spec)
		}
		f.imports = append(f.imports, i)
	}
	f.findDirectives(set, file, back)
	if len(f.imports) > 0 {
		if info, err := os.Lstat(name); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is a symbolic link: want the file that it leads to", name)
		}
	}
	return f, nil
}

// prefix is how the paths of the packages that may be rewritten begin.
func prefix(m original.Module, back bool) string {
	if back {
		return m.Facade() + "/"
	}
	return m.Path + "/"
}

// resolve sets the target of an import. It returns false for other imports.
func (i *imported) resolve(back bool) bool {
	for _, m := range original.Modules {
		folder, ok := strings.CutPrefix(i.path, prefix(m, back))
		if !ok {
			continue
		}
		i.from = m
		i.target, i.module = m.Facade()+"/"+folder, m.Facade()+"@"+minor(m.Version)
		if back {
			i.target, i.module = m.Path+"/"+folder, m.Path+"@"+m.Version
		}
		if !m.Mirrors(folder) {
			i.foreign, i.why = true, fmt.Sprintf("%s has no package %s", m.Facade(), folder)
		}
		return true
	}
	return false
}

// omission marks an import if the file uses a name of the package that the façade lacks.
func (i *imported) omission(file *ast.File, spec *ast.ImportSpec) {
	folder := strings.TrimPrefix(i.path, i.from.Path+"/")
	local := i.path[strings.LastIndexByte(i.path, '/')+1:]
	if spec.Name != nil {
		local = spec.Name.Name
	}
	ast.Inspect(file, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == local {
				name = n.Sel.Name
			}
		case *ast.Ident:
			if local == "." {
				name = n.Name
			}
		}
		if i.why == "" && name != "" && i.from.Omits(folder, name) {
			i.foreign, i.why = true, fmt.Sprintf("%s/%s has no %s", i.from.Facade(), folder, name)
		}
		return true
	})
}

// findDirectives finds comments such as go:generate that name a package of an original.
func (f *source) findDirectives(set *token.FileSet, file *ast.File, back bool) {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "//go:") {
				continue
			}
			for _, m := range original.Modules {
				if strings.Contains(c.Text, prefix(m, back)) {
					f.directives = append(f.directives, directive{set.PositionFor(c.Pos(), false).Line, prefix(m, back)[:len(prefix(m, back))-1]})
				}
			}
		}
	}
}

// minor returns the major and the minor version, such as v0.37 of v0.37.2.
func minor(version string) string { return version[:strings.LastIndexByte(version, '.')] }

// hold leaves all imports of an original in the folders that have one which cannot be rewritten.
func hold(files []*source) {
	type key struct{ dir, module string }
	held := map[key]*imported{}
	for _, f := range files {
		for _, i := range f.imports {
			if k := (key{filepath.Dir(f.name), i.from.Path}); i.foreign && held[k] == nil {
				held[k] = i
			}
		}
	}
	for _, f := range files {
		for _, i := range f.imports {
			if h := held[key{filepath.Dir(f.name), i.from.Path}]; h != nil && i.why == "" {
				i.why = fmt.Sprintf("this folder also needs %s, which has the types of %s", h.path, i.from.Path)
			}
		}
	}
}

// edit sets the new text of a file.
func (f *source) edit() error {
	text := slices.Clone(f.before)
	changed := false
	for _, i := range slices.Backward(f.imports) {
		if i.why == "" {
			text, changed = slices.Replace(text, i.start, i.end, []byte(i.target)...), true
		}
	}
	if !changed {
		return nil
	}
	// The new paths may have another order.
	if same, err := format.Source(f.before); err == nil && bytes.Equal(same, f.before) {
		if text, err = format.Source(text); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	f.after = text
	return nil
}
