package release

import (
	"context"
	"errors"
	"fmt"
	goimporter "go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
)

// permits reports whether a version may change the exports of another one incompatibly. Before
// v1, a minor version may.
func permits(last, next string) bool {
	if semver.Major(last) != semver.Major(next) {
		return true
	}
	return semver.Major(next) == "v0" && semver.MajorMinor(last) != semver.MajorMinor(next)
}

// CompareAPI compares the exported names of each published module in the working tree with
// those at its last tag. It prints a line for each module, and for each incompatible change. It
// returns an error if the version to release does not permit the changes.
//
// Packages below a folder internal count if another module imported them at that tag, because
// modules of different versions may be used together. Packages of commands do not count.
func (w *Workspace) CompareAPI(ctx context.Context) error {
	tags, err := w.lastTags(ctx)
	if err != nil {
		return err
	}
	if len(tags) == 0 {
		w.print("nothing is released yet: there is no API to compare with")
		return nil
	}
	temp, err := os.MkdirTemp("", "kstatus-api-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var errs []error
	for _, m := range w.published() {
		if tag := tags[m.Folder]; tag != "" {
			errs = append(errs, w.compareModule(ctx, m, tag, temp))
		} else {
			w.print("%s: not released yet", m.Path)
		}
	}
	return errors.Join(errs...)
}

// lastTags returns the tag of the highest version of each published module before this commit, by its folder.
func (w *Workspace) lastTags(ctx context.Context) (map[string]string, error) {
	out, err := shell{folder: w.Root}.run(ctx, "git", "tag", "--merged", "HEAD")
	if err != nil {
		return nil, err
	}
	last := map[string]string{}
	for _, tag := range strings.Fields(out) {
		folder, version := path.Split(tag)
		folder = path.Clean(folder)
		if semver.IsValid(version) && semver.Compare(version, path.Base(last[folder])) > 0 {
			last[folder] = tag
		}
	}
	maps.DeleteFunc(last, func(folder, _ string) bool {
		return !slices.ContainsFunc(w.published(), func(m Module) bool { return m.Folder == folder })
	})
	return last, nil
}

func (w *Workspace) compareModule(ctx context.Context, m Module, tag, temp string) error {
	tree := filepath.Join(temp, strings.ReplaceAll(tag, "/", "_"))
	if err := export(ctx, w.Root, tag, tree); err != nil {
		return err
	}
	before, err := Open(tree, func(string) {})
	if err != nil {
		return err
	}
	names, err := before.comparable(ctx, m)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		w.print("%s: no packages that others import", m.Path)
		return nil
	}
	was, err := before.loadAPI(ctx, m.Folder)
	if err != nil {
		return err
	}
	is, err := w.loadAPI(ctx, m.Folder)
	if err != nil {
		return err
	}
	breaks, err := incompatible(was, is, names)
	if err != nil {
		return err
	}
	last, verdict := path.Base(tag), "no incompatible change"
	if len(breaks) > 0 {
		verdict = fmt.Sprintf("%d incompatible changes", len(breaks))
	}
	w.print("%s: %d packages since %s: %s", m.Path, len(names), last, verdict)
	for _, change := range breaks {
		w.print("  %s", change)
	}
	if len(breaks) > 0 && !permits(last, w.Version) {
		return fmt.Errorf("%s: %s may not change incompatibly what %s exports; keep it, or choose another version: go run ./test/cmd/release next VERSION", m.Path, w.Version, last)
	}
	return nil
}

// An api is the compiled packages of a module.
type api struct {
	exports map[string]string // import paths of packages and their dependencies, to files
	types   types.Importer
}

// loadAPI compiles the packages of the module in a folder.
func (w *Workspace) loadAPI(ctx context.Context, folder string) (*api, error) {
	out, err := (shell{folder: filepath.Join(w.Root, folder)}).goCommand(ctx, "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...")
	if err != nil {
		return nil, err
	}
	a := &api{exports: map[string]string{}}
	for line := range strings.Lines(out) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		a.exports[name] = file
	}
	a.types = goimporter.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) {
		file, known := a.exports[name]
		if !known {
			return nil, fmt.Errorf("package %s was not compiled", name)
		}
		return os.Open(file)
	})
	return a, nil
}

// comparable returns the packages of a module with names for other modules.
func (w *Workspace) comparable(ctx context.Context, m Module) (names []string, err error) {
	// The packages of each module, with their imports.
	uses := map[string][]string{}
	for _, other := range w.published() {
		out, err := (shell{folder: filepath.Join(w.Root, other.Folder)}).goCommand(ctx, "list", "-f", "{{.Name}} {{.ImportPath}} {{join .Imports \" \"}}", "./...")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(out) {
			fields := strings.Fields(line)
			switch {
			case other.Path != m.Path:
				uses[other.Path] = append(uses[other.Path], fields[2:]...)
			case fields[0] != "main":
				names = append(names, fields[1])
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		if !strings.Contains(name+"/", "/internal/") {
			return false
		}
		for _, imports := range uses {
			if slices.Contains(imports, name) {
				return false
			}
		}
		return true
	}), nil
}

// incompatible returns the incompatible changes of packages.
func incompatible(was, is *api, names []string) (all []string, err error) {
	for _, name := range names {
		if is.exports[name] == "" {
			all = append(all, fmt.Sprintf("%s: removed", name))
			continue
		}
		before, err := was.types.Import(name)
		if err != nil {
			return nil, err
		}
		after, err := is.types.Import(name)
		if err != nil {
			return nil, err
		}
		for _, change := range apidiff.Changes(before, after).Changes {
			if !change.Compatible {
				all = append(all, fmt.Sprintf("%s: %s", name, change.Message))
			}
		}
	}
	return all, nil
}
