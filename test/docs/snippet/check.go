package snippet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Check checks the types of blocks. The blocks of a page are one package, so a block may use
// the declarations of an earlier one. A whole file is a package of its own. Fragments may have
// unused variables. Each error names a line of a page. The last result is not nil only if the
// check itself fails.
func Check(blocks []Block) (wrong []error, err error) {
	fset := token.NewFileSet()
	packages := map[string][]file{}
	for i, b := range blocks {
		f, err := newFile(fset, b)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		name := b.Page
		if f.complete {
			name = fmt.Sprint(b.Page, " ", i)
		}
		packages[name] = append(packages[name], f)
	}
	imports := map[string]bool{}
	for _, files := range packages {
		for _, f := range files {
			for _, spec := range f.syntax.Imports {
				imports[strings.Trim(spec.Path.Value, `"`)] = true
			}
		}
	}
	compiled, err := importerFor(fset, imports)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		wrong = append(wrong, checkPackage(fset, compiled, packages[name])...)
	}
	return wrong, nil
}

func checkPackage(fset *token.FileSet, compiled types.Importer, files []file) (wrong []error) {
	var syntax []*ast.File
	for _, f := range files {
		syntax = append(syntax, f.syntax)
	}
	c := types.Config{Importer: compiled, Error: func(err error) {
		e, ok := errors.AsType[types.Error](err)
		if ok && e.Soft && !files[0].complete && strings.HasPrefix(e.Msg, "declared and not used") {
			return
		}
		wrong = append(wrong, err)
	}}
	if _, err := c.Check("page", fset, syntax, nil); err != nil && len(wrong) == 0 {
		return nil // the only errors are unused variables
	}
	return wrong
}

// importerFor compiles packages, and returns an importer for them and their dependencies.
func importerFor(fset *token.FileSet, paths map[string]bool) (types.Importer, error) {
	exports := map[string]string{} // files with compiled declarations, by path
	compiled := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("there is no package %s", path)
		}
		return os.Open(exports[path])
	})
	if len(paths) == 0 {
		return compiled, nil
	}
	args := []string{"list", "-e", "-export", "-deps", "-json=ImportPath,Export"}
	list := exec.Command("go", append(args, slices.Sorted(maps.Keys(paths))...)...)
	var failed bytes.Buffer
	list.Stderr = &failed
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, failed.String())
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err == io.EOF {
			return compiled, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		exports[p.ImportPath] = p.Export
	}
}
