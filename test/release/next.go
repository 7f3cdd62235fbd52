package release

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// Next sets the version of the next release: the modules require each other in it, and go.work
// replaces it by their folders.
func (w *Workspace) Next(version string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("want a version such as v0.2.0, have %q", version)
	}
	if semver.Compare(version, w.Version) <= 0 {
		return fmt.Errorf("want a version after %s, have %s", w.Version, version)
	}
	for _, m := range w.Modules {
		if err := w.require(m, version); err != nil {
			return err
		}
	}
	return w.replaceInWork(version)
}

func (w *Workspace) require(m Module, version string) error {
	for _, r := range m.file.Require {
		if w.own(r.Mod.Path) {
			if err := m.file.AddRequire(r.Mod.Path, version); err != nil {
				return err
			}
		}
	}
	text, err := m.file.Format()
	if err != nil {
		return err
	}
	_, err = update(filepath.Join(w.Root, m.Folder, "go.mod"), string(text), true)
	return err
}

func (w *Workspace) replaceInWork(version string) error {
	work, err := readWork(w.Root)
	if err != nil {
		return err
	}
	for _, r := range work.Replace {
		if w.own(r.Old.Path) {
			r.Old.Version, r.Syntax.Token[1] = version, version
		}
	}
	return os.WriteFile(filepath.Join(w.Root, "go.work"), modfile.Format(work.Syntax), 0o644)
}
