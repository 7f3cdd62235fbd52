package release

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Check simulates a release of the last commit in a temporary folder, and uses it as others do.
// It prints a line for each step. An error describes what would be wrong with the release, and
// how to fix it.
//
// It installs the command and compares its modules with those of the workspace. It builds and
// runs programs that import libraries. It also runs the tests of the libraries with the oldest
// and the newest versions of their requirements.
func (w *Workspace) Check(ctx context.Context) (err error) {
	if problems := w.Problems(); len(problems) > 0 {
		return errors.New(strings.Join(problems, "\n"))
	}
	temp, err := os.MkdirTemp("", "kstatus-release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAll(temp)) }()
	// The modules for the workspace go into the user's own cache.
	if _, err := (shell{folder: w.Root}).goCommand(ctx, "mod", "download"); err != nil {
		return err
	}
	s, err := w.simulate(ctx, temp)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context, *simulation) error{w.checkCommand, w.checkImporters, w.checkFloor, w.checkNewest} {
		if err := step(ctx, s); err != nil {
			return err
		}
	}
	w.print("%s can be released", w.Version)
	return nil
}

// WriteSums writes the sums of our own modules into the go.sum of each published one. This is
// the last commit before the tags. All tags have the same commit, because the sums depend only
// on files.
func (w *Workspace) WriteSums(ctx context.Context) (err error) {
	temp, err := os.MkdirTemp("", "kstatus-sums-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAll(temp)) }()
	s, err := w.simulate(ctx, temp)
	if err != nil {
		return err
	}
	for _, m := range s.published() {
		sums, err := readOptional(filepath.Join(s.Root, m.Folder, "go.sum"))
		if err != nil {
			return err
		}
		name := filepath.Join(w.Root, m.Folder, "go.sum")
		different, err := update(name, sums, true)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if different {
			w.print("wrote %s", filepath.ToSlash(filepath.Join(m.Folder, "go.sum")))
		}
	}
	return nil
}
