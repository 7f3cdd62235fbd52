package release

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// Next sets the version of the next release: the modules require each other in it, and go.work
// replaces it by their folders. The patch of mirrors increases by one.
func (w *Workspace) Next(version string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("want a version such as v0.2.0, have %q", version)
	}
	if semver.Compare(version, w.Version) <= 0 {
		return fmt.Errorf("want a version after %s, have %s", w.Version, version)
	}
	versions := map[string]string{}
	for _, m := range w.Modules {
		versions[m.Path] = version
		if m.isMirror() {
			next, err := nextPatch(m.Version)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Path, err)
			}
			versions[m.Path] = next
		}
	}
	for _, m := range w.Modules {
		if err := w.require(m, versions); err != nil {
			return err
		}
	}
	return w.replaceInWork(versions)
}

// nextPatch returns the version after one such as v1.3.0.
func nextPatch(version string) (string, error) {
	minor := semver.MajorMinor(version)
	patch, err := strconv.Atoi(strings.TrimPrefix(version, minor+"."))
	if err != nil {
		return "", fmt.Errorf("want a version such as v1.3.0, have %s", version)
	}
	return fmt.Sprintf("%s.%d", minor, patch+1), nil
}

func (w *Workspace) require(m Module, versions map[string]string) error {
	for _, r := range m.file.Require {
		if version := versions[r.Mod.Path]; version != "" {
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

func (w *Workspace) replaceInWork(versions map[string]string) error {
	work, err := readWork(w.Root)
	if err != nil {
		return err
	}
	for _, r := range work.Replace {
		if version := versions[r.Old.Path]; version != "" {
			r.Old.Version, r.Syntax.Token[1] = version, version
		}
	}
	return os.WriteFile(filepath.Join(w.Root, "go.work"), modfile.Format(work.Syntax), 0o644)
}
