package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kstatus.dev/test/lib/modcache"
)

// importing is the program of a suite whose importer is a library, and its folder: a main function
// that imports the packages of the suite.
const importing = "importing"

// A build is a program, built with the original or with the replacement.
type build struct {
	Bytes   int64
	Modules map[string]string `json:",omitempty"` // the linked ones except that of the program, and their versions
	Mod     goMod
}

// A size compares a program before and after the replacement.
type size struct {
	Module, Version, Program string
	Before, After            build
}

// A goMod has the lines of a go.mod file.
type goMod struct {
	Go       string
	Require  map[string]string
	Replaced []string `json:",omitempty"` // modules with a replace line
}

func sizeFile(root, name string) string {
	return filepath.Join(root, "test/dropin/suites/sizes", name+".json")
}

// readSize reads the sizes that an earlier run kept. ok is false if there are none.
func readSize(root, name string) (kept size, ok bool, err error) {
	ok, err = readJSON(sizeFile(root, name), &kept)
	return kept, ok, err
}

// measureAndKeep compares the modules of programs, and then the programs. It keeps the results, those
// of the modules also if a program cannot be built.
func measureAndKeep(ctx context.Context, root, programs string, selected []suite) error {
	dir, err := os.MkdirTemp("", "dropin-sizes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var errs []error
	var prepared []*comparison
	for _, s := range selected {
		if s.program == "" {
			continue
		}
		c := &comparison{suite: s, root: root, dir: filepath.Join(dir, s.name), programs: programs}
		if err := c.compareModules(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
			continue
		}
		prepared = append(prepared, c)
	}
	for _, c := range prepared {
		if err := c.comparePrograms(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.suite.name, err))
		}
	}
	return errors.Join(errs...)
}

// A comparison is that of one program, in two temporary modules.
type comparison struct {
	suite         suite
	root, dir     string
	programs      string // the folder that keeps them; empty: none
	before, after *scratch
	size          size
}

// compareModules writes both modules, and prints and keeps the difference of their go.mod files.
func (c *comparison) compareModules(ctx context.Context) (err error) {
	c.size = size{Module: c.suite.module, Version: c.suite.version, Program: c.suite.program}
	if c.before, err = c.newScratch(ctx, false); err != nil {
		return err
	}
	if c.after, err = c.newScratch(ctx, true); err != nil {
		return err
	}
	if c.size.Before.Mod, err = c.before.readMod(ctx); err != nil {
		return err
	}
	if c.size.After.Mod, err = c.after.readMod(ctx); err != nil {
		return err
	}
	fmt.Printf("== %s: %s@%s\n", c.suite.name, c.suite.module, c.suite.version)
	for _, line := range c.size.difference().lines() {
		fmt.Println(line)
	}
	return writeJSON(sizeFile(c.root, c.suite.name), c.size)
}

func (c *comparison) newScratch(ctx context.Context, replaced bool) (*scratch, error) {
	name := variantOriginal
	if replaced {
		name = "replaced"
	}
	x := &scratch{suite: c.suite, root: c.root, dir: filepath.Join(c.dir, name), replaced: replaced}
	if err := os.MkdirAll(x.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if x.cached, err = modcache.Folder(ctx, "", c.suite.module+"@"+c.suite.version); err != nil {
		return nil, err
	}
	if err := x.newProgram(ctx); err != nil || !replaced {
		return x, err
	}
	return x, x.replaceForBuild(ctx)
}

// comparePrograms builds both programs, and prints and keeps their sizes.
func (c *comparison) comparePrograms(ctx context.Context) error {
	for _, v := range []struct {
		x     *scratch
		build *build
	}{{c.before, &c.size.Before}, {c.after, &c.size.After}} {
		if err := v.x.buildProgram(ctx, v.build); err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes, %d modules\n", c.suite.name, v.build.Bytes, len(v.build.Modules))
		if c.programs == "" {
			continue
		}
		if err := os.MkdirAll(c.programs, 0o755); err != nil {
			return err
		}
		if err := os.Rename(v.x.program(), filepath.Join(c.programs, c.suite.name+"-"+filepath.Base(v.x.dir))); err != nil {
			return err
		}
	}
	return writeJSON(sizeFile(c.root, c.suite.name), c.size)
}

// newProgram writes the module of the program.
func (x *scratch) newProgram(ctx context.Context) error {
	if x.suite.place == inCopy || x.suite.program != importing {
		if err := copyFolder(x.dir, x.cached); err != nil {
			return err
		}
		if err := x.goCommand(ctx, "mod", "edit", "-dropreplace="+path.Join(x.suite.module, "api")); err != nil {
			return err
		}
	} else {
		if err := x.goCommand(ctx, "mod", "init", "scratch"); err != nil {
			return err
		}
		if err := x.goCommand(ctx, "mod", "edit", "-go=1.26.0", "-require="+x.suite.module+"@"+x.suite.version); err != nil {
			return err
		}
	}
	if x.suite.program == importing {
		if err := x.writeMain(); err != nil {
			return err
		}
	}
	return x.tidy(ctx)
}

// writeMain writes a main function that imports the packages of the suite.
func (x *scratch) writeMain() error {
	text := "package main\n\nimport (\n"
	for _, p := range x.suite.packages {
		text += fmt.Sprintf("\t_ %q\n", path.Join(x.suite.module, p))
	}
	text += ")\n\nfunc main() {}\n"
	dir := filepath.Join(x.dir, importing)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644)
}

// replaceForBuild replaces those originals that occur in the module graph, as a user does.
func (x *scratch) replaceForBuild(ctx context.Context) error {
	mod, err := x.readMod(ctx)
	if err != nil {
		return err
	}
	args := []string{"mod", "edit"}
	for module, folder := range originals {
		if mod.Require[module] != "" {
			args = append(args, "-replace="+module+"="+filepath.Join(x.root, folder))
		}
	}
	for module, folder := range own {
		args = append(args, "-replace="+module+"="+filepath.Join(x.root, folder))
	}
	if err := x.goCommand(ctx, args...); err != nil {
		return err
	}
	return x.tidy(ctx)
}

// tidy completes the requirements of the module.
func (x *scratch) tidy(ctx context.Context) error {
	if x.suite.untidy {
		return x.goCommand(ctx, append([]string{"get"}, x.suite.versioned()...)...)
	}
	return x.goCommand(ctx, "mod", "tidy")
}

// buildProgram builds the program without symbols, and without paths of this machine.
func (x *scratch) buildProgram(ctx context.Context, b *build) error {
	pkg := "./" + x.suite.program
	out := x.program()
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Dir = x.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	info, err := os.Stat(out)
	if err != nil {
		return err
	}
	linked, err := buildinfo.ReadFile(out)
	if err != nil {
		return err
	}
	b.Bytes, b.Modules = info.Size(), map[string]string{}
	for _, m := range linked.Deps {
		b.Modules[m.Path] = m.Version
		if m.Replace != nil && m.Replace.Version != "" {
			b.Modules[m.Path] = m.Replace.Version
		}
	}
	return nil
}

// program is the path of the built program.
func (x *scratch) program() string { return filepath.Join(x.dir, "program-of-dropin") }

// readMod reads the go.mod file of the module.
func (x *scratch) readMod(ctx context.Context) (goMod, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "edit", "-json")
	cmd.Dir, cmd.Env = x.dir, append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return goMod{}, fmt.Errorf("go mod edit -json: %w\n%s", err, stderr.String())
	}
	var file struct {
		Go      string
		Require []struct{ Path, Version string }
		Replace []struct{ Old struct{ Path string } }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return goMod{}, err
	}
	mod := goMod{Go: file.Go, Require: map[string]string{}}
	for _, r := range file.Require {
		mod.Require[r.Path] = r.Version
	}
	for _, r := range file.Replace {
		mod.Replaced = append(mod.Replaced, r.Old.Path)
	}
	slices.Sort(mod.Replaced)
	return mod, nil
}

// isOwn reports whether a module is one of kstatus.dev.
func isOwn(module string) bool {
	return module == "kstatus.dev" || strings.HasPrefix(module, "kstatus.dev/")
}
