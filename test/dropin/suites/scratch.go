package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kstatus.dev/test/lib/modcache"
)

// A scratch is a temporary module in which the tests of a suite run.
type scratch struct {
	suite    suite
	root     string // of this repository
	dir      string
	replaced bool
	cached   string // the folder of the importer in the module cache
}

// own are the modules of this repository that the façades need, and their folders.
var own = map[string]string{
	"kstatus.dev":        ".",
	"kstatus.dev/dropin": "dropin",
	"kstatus.dev/kube":   "kube",
}

// prepare fills the folder of a scratch.
func (s suite) prepare(ctx context.Context, root, dir string, replaced bool) (*scratch, error) {
	x := &scratch{suite: s, root: root, dir: dir, replaced: replaced}
	var err error
	if x.cached, err = modcache.Folder(ctx, "", s.module+"@"+s.version); err != nil {
		return nil, err
	}
	switch s.place {
	case grafted:
		return x, x.graft(ctx)
	case inCopy:
		err = x.copyModule(ctx)
	default:
		err = x.newModule(ctx)
	}
	if err != nil || !replaced {
		return x, err
	}
	return x, x.replace(ctx)
}

// goCommand runs the go command in the module.
func (x *scratch) goCommand(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = x.dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// newModule writes a module that requires the importer. Its versions are those of the pins, or, for
// the first time, those that the go command selects for the tests.
func (x *scratch) newModule(ctx context.Context) error {
	found, err := x.unpin()
	if err != nil || found {
		return err
	}
	if err := x.goCommand(ctx, "mod", "init", "scratch"); err != nil {
		return err
	}
	if err := x.goCommand(ctx, "mod", "edit", "-go=1.26.0", "-require="+x.suite.module+"@"+x.suite.version); err != nil {
		return err
	}
	if err := x.goCommand(ctx, append(append([]string{"get", "-t"}, x.suite.versioned()...), x.suite.least...)...); err != nil {
		return err
	}
	return x.pin()
}

// copyModule copies the importer, whose own go.mod selects the versions.
func (x *scratch) copyModule(ctx context.Context) error {
	if err := copyFolder(x.dir, x.cached); err != nil {
		return err
	}
	for name, f := range x.suite.files {
		dir, err := modcache.Folder(ctx, "", f.module+"@"+f.version)
		if err != nil {
			return err
		}
		if err := copyFile(filepath.Join(x.dir, name), filepath.Join(dir, f.path)); err != nil {
			return err
		}
	}
	api := path.Join(x.suite.module, "api")
	return x.goCommand(ctx, "mod", "edit", "-dropreplace="+api)
}

// replace replaces the originals by the façades.
func (x *scratch) replace(ctx context.Context) error {
	args := []string{"mod", "edit"}
	for module, folder := range own {
		args = append(args, "-replace="+module+"="+filepath.Join(x.root, folder))
	}
	for module, folder := range originals {
		folder = filepath.Join(x.root, folder)
		if x.suite.place == beside && module == x.suite.module {
			var err error
			if folder, err = x.layBeside(folder); err != nil {
				return err
			}
		}
		args = append(args, "-replace="+module+"="+folder)
	}
	if err := x.goCommand(ctx, args...); err != nil {
		return err
	}
	return x.goCommand(ctx, append([]string{"get", "-t"}, x.suite.versioned()...)...)
}

// layBeside copies a façade, adds the tests of the original, and returns the folder.
func (x *scratch) layBeside(facade string) (string, error) {
	dir := filepath.Join(x.dir, "facade")
	if err := copyFolder(dir, facade); err != nil {
		return "", err
	}
	for _, p := range x.suite.packages {
		files, err := filepath.Glob(filepath.Join(x.cached, p, "*_test.go"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			name := path.Join(p, filepath.Base(file))
			if slices.Contains(x.suite.unexported, name) {
				continue
			}
			if err := copyFile(filepath.Join(dir, name), file); err != nil {
				return "", err
			}
		}
		data := filepath.Join(x.cached, p, "testdata")
		if err := copyFolder(filepath.Join(dir, p, "testdata"), data); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	for _, p := range x.suite.copied {
		if err := copyFolder(filepath.Join(dir, p), filepath.Join(x.cached, p)); err != nil {
			return "", err
		}
	}
	for name, text := range x.suite.added {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// uncompiled returns the tests in the files that cannot be compiled beside a façade, by package and
// name.
func (s suite) uncompiled(ctx context.Context) ([]string, error) {
	cached, err := modcache.Folder(ctx, "", s.module+"@"+s.version)
	if err != nil {
		return nil, err
	}
	var tests []string
	for _, name := range s.unexported {
		text, err := os.ReadFile(filepath.Join(cached, name))
		if err != nil {
			return nil, err
		}
		for _, found := range testFunc.FindAllSubmatch(text, -1) {
			tests = append(tests, path.Dir(name)+" "+string(found[1]))
		}
	}
	return tests, nil
}

var testFunc = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]*)\(`)

// paths returns the packages for the go command.
func (s suite) paths() (paths []string) {
	for _, p := range s.packages {
		paths = append(paths, s.pathOf(p))
	}
	return paths
}

// versioned returns the packages for go get.
func (s suite) versioned() []string {
	paths := s.paths()
	for i := range paths {
		if s.place != inCopy && s.place != grafted {
			paths[i] += "@" + s.version
		}
	}
	return paths
}

// pins returns the files with the versions and the checksums of a suite.
func (x *scratch) pins() map[string]string {
	name := filepath.Join(x.root, "test/dropin/suites/pins", x.suite.name)
	return map[string]string{name + ".mod": filepath.Join(x.dir, "go.mod"), name + ".sum": filepath.Join(x.dir, "go.sum")}
}

// unpin copies the pins into the module, and reports whether there are any.
func (x *scratch) unpin() (bool, error) {
	for pin, file := range x.pins() {
		err := copyFile(file, pin)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return true, nil
}

// pin keeps the versions and the checksums of the module.
func (x *scratch) pin() error {
	for pin, file := range x.pins() {
		if err := copyFile(pin, file); err != nil {
			return err
		}
	}
	return nil
}

// copyFolder copies a folder. The copies may be written, also those of the module cache.
func copyFolder(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		return copyFile(target, name)
	})
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
