package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
)

// load returns the compiled packages of a module, by their path in the module.
func load(module string, folders []string) (map[string]*types.Package, error) {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Export,Error"}
	for _, folder := range folders {
		args = append(args, path.Join(module, folder))
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = "test"
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list of %s: %w\n%s", module, err, stderr.String())
	}
	exports := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Export string
			Error              *struct{ Err string }
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("output of go list of %s: %w", module, err)
		}
		if p.Error != nil {
			return nil, errors.New(p.Error.Err)
		}
		exports[p.ImportPath] = p.Export
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) {
		return os.Open(exports[name])
	})
	packages := map[string]*types.Package{}
	for _, folder := range folders {
		p, err := imp.Import(path.Join(module, folder))
		if err != nil {
			return nil, err
		}
		packages[folder] = p
	}
	return packages, nil
}

// within returns the path of a package in its module, for the originals and the implementation.
func within(p *types.Package) (folder string, ok bool) {
	for _, module := range []string{"github.com/fluxcd/cli-utils/", "sigs.k8s.io/cli-utils/", implementation + "/"} {
		if folder, ok = strings.CutPrefix(p.Path(), module); ok {
			return folder, true
		}
	}
	return p.Path(), false
}
