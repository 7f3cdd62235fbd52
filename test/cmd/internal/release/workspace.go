package release

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// unpublished lists the folders of modules that are never released.
var unpublished = []string{"examples", "examples/openstack", "examples/provider", "test"}

// mirrors lists the folders of modules that mirror the API of another module. They have a version of
// their own, which go.work replaces. Its major and minor version is that of the API, and its patch
// counts our releases.
var mirrors = []string{"dropin/fluxcd", "dropin/sigs"}

// A Workspace is the modules of a repository with a go.work.
type Workspace struct {
	Root    string // the folder of go.work, absolute
	Path    string // the path of the root module, which is the prefix of the others
	Version string // of the next release of all modules except mirrors
	Modules []Module

	print func(format string, args ...any)
}

// A Module is one module of a workspace.
type Module struct {
	Folder    string // relative to the root; "." is the root
	Path      string
	Version   string // of its next release
	Published bool

	file *modfile.File
}

// Open reads the workspace in a folder. Its methods print their progress line by line.
//
// A workspace whose modules do not require each other has the version v0.1.0.
func Open(root string, print func(line string)) (*Workspace, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	work, err := readWork(root)
	if err != nil {
		return nil, err
	}
	w := &Workspace{Root: root, print: func(format string, args ...any) { print(fmt.Sprintf(format, args...)) }}
	for _, use := range work.Use {
		m, err := readModule(root, path.Clean(use.Path))
		if err != nil {
			return nil, err
		}
		if m.Folder == "." {
			w.Path = m.Path
		}
		w.Modules = append(w.Modules, m)
	}
	if w.Path == "" {
		return nil, fmt.Errorf("%s: want a module in the root", filepath.Join(root, "go.work"))
	}
	if w.Modules, err = w.sorted(); err != nil {
		return nil, err
	}
	return w, w.findVersions(work)
}

func readWork(root string) (*modfile.WorkFile, error) {
	name := filepath.Join(root, "go.work")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.ParseWork(name, text, nil)
}

func readModule(root, folder string) (Module, error) {
	name := filepath.Join(root, folder, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return Module{}, err
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return Module{}, err
	}
	return Module{Folder: folder, Path: file.Module.Mod.Path, Published: !slices.Contains(unpublished, folder), file: file}, nil
}

// own reports whether a module path belongs to this repository.
func (w *Workspace) own(module string) bool {
	return module == w.Path || strings.HasPrefix(module, w.Path+"/")
}

// published returns the modules that are released, in the order of their tags.
func (w *Workspace) published() (all []Module) {
	for _, m := range w.Modules {
		if m.Published {
			all = append(all, m)
		}
	}
	return all
}

// libraries returns the published modules that others import.
func (w *Workspace) libraries() (all []Module) {
	for _, m := range w.published() {
		if !strings.HasPrefix(m.Folder, "cmd/") {
			all = append(all, m)
		}
	}
	return all
}

// sorted returns the modules, each after its requirements, and otherwise by path.
func (w *Workspace) sorted() ([]Module, error) {
	rest := slices.SortedFunc(slices.Values(w.Modules), func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	var order []Module
	for len(rest) > 0 {
		at := slices.IndexFunc(rest, func(m Module) bool {
			return !slices.ContainsFunc(rest, func(other Module) bool { return m.requires(other.Path) })
		})
		if at < 0 {
			return nil, fmt.Errorf("want modules without cycles, have %s and others that require each other", rest[0].Path)
		}
		order, rest = append(order, rest[at]), slices.Delete(rest, at, at+1)
	}
	return order, nil
}

func (m Module) requires(module string) bool {
	return slices.ContainsFunc(m.file.Require, func(r *modfile.Require) bool { return r.Mod.Path == module })
}

// findVersions finds the versions of the modules, and checks that they require each other in them.
func (w *Workspace) findVersions(work *modfile.WorkFile) error {
	own := map[string]string{} // the versions of mirrors by path
	for _, m := range w.Modules {
		if m.isMirror() {
			own[m.Path] = ""
		}
	}
	for _, r := range work.Replace {
		if _, ok := own[r.Old.Path]; ok {
			own[r.Old.Path] = r.Old.Version
		}
	}
	for path, version := range own {
		if version == "" {
			return fmt.Errorf("go.work: want a replace line for a version of %s, have none", path)
		}
	}
	for _, m := range w.Modules {
		for _, r := range m.file.Require {
			want, mirror := own[r.Mod.Path]
			switch {
			case mirror && r.Mod.Version != want:
				return fmt.Errorf("%s: want %s %s as in go.work, have %s", m.modName(), r.Mod.Path, want, r.Mod.Version)
			case mirror, !w.own(r.Mod.Path):
			case w.Version == "":
				w.Version = r.Mod.Version
			case w.Version != r.Mod.Version:
				return fmt.Errorf("%s: want %s %s as everywhere, have %s", m.modName(), r.Mod.Path, w.Version, r.Mod.Version)
			}
		}
	}
	w.Version = cmp.Or(w.Version, "v0.1.0")
	for i := range w.Modules {
		w.Modules[i].Version = cmp.Or(own[w.Modules[i].Path], w.Version)
	}
	return nil
}

func (m Module) isMirror() bool { return slices.Contains(mirrors, m.Folder) }

func (m Module) modName() string { return path.Join(m.Folder, "go.mod") }

// Tag returns the tag of the next release of a module.
func (m Module) Tag() string {
	if m.Folder == "." {
		return m.Version
	}
	return m.Folder + "/" + m.Version
}

// Problems returns what prevents others from requiring the modules with their present go.mod
// files.
func (w *Workspace) Problems() (all []string) {
	if !semver.IsValid(w.Version) || semver.Build(w.Version) != "" || strings.HasPrefix(w.Version, "v0.0.0") {
		all = append(all, fmt.Sprintf("want the modules to require each other in a version that can be released, have %s", w.Version))
	}
	for _, m := range w.Modules {
		for _, r := range m.file.Replace {
			all = append(all, fmt.Sprintf("%s: replaces %s; go.work does that", m.modName(), r.Old.Path))
		}
		for _, r := range m.file.Exclude {
			if m.Published {
				all = append(all, fmt.Sprintf("%s: excludes %s, which has no effect for others", m.modName(), r.Mod))
			}
		}
		for _, other := range w.Modules {
			if m.Published && !other.Published && m.requires(other.Path) {
				all = append(all, fmt.Sprintf("%s: requires %s, which is never released", m.modName(), other.Path))
			}
		}
	}
	return all
}

// Tags returns the tags of the next release, in the order of their creation.
func (w *Workspace) Tags() (all []string) {
	for _, m := range w.published() {
		all = append(all, m.Tag())
	}
	return all
}
