package release

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Check simulates a release of the last commit in a temporary folder, and uses it as others do. It
// prints a line for each step. An error says what would be wrong with the release, and how to repair
// it.
//
// It installs the command and compares its modules with those of the workspace, builds and runs
// programs that import libraries, and runs the tests of the libraries at the oldest and the newest
// versions of what they require.
func (w *Workspace) Check(ctx context.Context) (err error) {
	if problems := w.Problems(); len(problems) > 0 {
		return errors.New(strings.Join(problems, "\n"))
	}
	temp, err := os.MkdirTemp("", "kstatus-release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAll(temp)) }()
	// What the workspace needs goes into the user's own cache.
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

// WriteSums writes the sums of our own modules into the go.sum of each published one, as the last
// commit before the tags needs them. All tags are of one commit, since the sums depend only on files.
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
