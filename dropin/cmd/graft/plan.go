package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
)

// A plan is a copy in memory.
type plan struct {
	record record
	files  map[string][]byte // by path with slashes
}

// newPlan makes the copy of a module with the packages of a façade.
func newPlan(ctx context.Context, from, facade source, o options) (*plan, error) {
	files, err := read(from.dir)
	if err != nil {
		return nil, err
	}
	ours, err := read(facade.dir)
	if err != nil {
		return nil, err
	}
	p := &plan{record: record{Original: from, Facade: facade, Replace: o.replace}, files: files}
	packages := map[string]map[string][]byte{}
	for name, text := range ours {
		if folder := path.Dir(name); isSource(name) && folder != "." {
			if packages[folder] == nil {
				packages[folder] = map[string][]byte{}
			}
			packages[folder][name] = text
		}
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("%s has no packages", facade)
	}
	var problems []error
	for _, folder := range sortedKeys(packages) {
		if err := p.replacePackage(folder, packages[folder]); err != nil {
			problems = append(problems, err)
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s does not fit %s:\n%w\nSelect another version of the façade with -facade", facade, from, errors.Join(problems...))
	}
	if err := p.editGoMod(ctx, ours[goMod], o); err != nil {
		return nil, err
	}
	return p, p.record.hash(ctx, p.files)
}

// isSource reports whether a file is compiled outside of tests.
func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// replacePackage replaces the files of one package. A package that the original lacks is left out.
func (p *plan) replacePackage(folder string, ours map[string][]byte) error {
	var sources []string
	for name := range p.files {
		if path.Dir(name) == folder && isSource(name) {
			sources = append(sources, name)
		}
	}
	if len(sources) == 0 {
		return nil
	}
	mirrored := map[string]bool{}
	for name, text := range ours {
		names, err := exported(name, text)
		if err != nil {
			return err
		}
		for _, n := range names {
			mirrored[n] = true
		}
	}
	slices.Sort(sources)
	for _, name := range sources {
		names, err := exported(name, p.files[name])
		if err != nil {
			return err
		}
		lacking := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return mirrored[n] })
		switch {
		case len(lacking) == 0:
			delete(p.files, name)
			p.record.Replaced = append(p.record.Replaced, name)
		case len(lacking) == len(names):
			p.record.Kept = append(p.record.Kept, name)
		default:
			return fmt.Errorf("%s: the façade lacks %s", name, strings.Join(lacking, ", "))
		}
	}
	for _, name := range sortedKeys(p.files) {
		if path.Dir(name) == folder && strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, folder+"/testdata/") {
			delete(p.files, name)
			p.record.Removed = append(p.record.Removed, name)
		}
	}
	for name, text := range ours {
		if _, taken := p.files[name]; taken {
			return fmt.Errorf("%s exists in both, and the façade has no name of the original's", name)
		}
		p.files[name] = text
	}
	return nil
}

// exported returns the exported names that a file declares, and exported types for which it
// declares methods.
func exported(name string, text []byte) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				names[decl.Name.Name] = true
			} else {
				names[receiver(decl.Recv.List[0].Type)] = true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
	maps.DeleteFunc(names, func(n string, _ bool) bool { return !ast.IsExported(n) })
	return sortedKeys(names), nil
}

// receiver returns the name of the type that a method belongs to.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
