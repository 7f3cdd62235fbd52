package release

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Tidy tidies go.mod and go.sum of every module without a proxy for the others. It writes the
// files, or only returns an error with the files that are not tidy.
//
// It does not change the sums of our own modules; WriteSums writes them.
func (w *Workspace) Tidy(ctx context.Context, write bool) error {
	temp, err := os.MkdirTemp("", "kstatus-tidy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var untidy []error
	for _, m := range w.Modules {
		changed, err := w.tidy(ctx, m, temp, write)
		if err != nil {
			return fmt.Errorf("%s: %w", m.modName(), err)
		}
		for _, name := range changed {
			if write {
				w.print("wrote %s", name)
			} else {
				untidy = append(untidy, fmt.Errorf("%s is not tidy; go run ./test/cmd/release tidy writes it", name))
			}
		}
	}
	return errors.Join(untidy...)
}

// tidy returns the files of one module that are not tidy.
func (w *Workspace) tidy(ctx context.Context, m Module, temp string, write bool) (changed []string, err error) {
	name := filepath.Join(temp, strings.ReplaceAll(m.Path, "/", "_"))
	run, err := w.standalone(m, name)
	if err != nil {
		return nil, err
	}
	if _, err := run.goCommand(ctx, "mod", "tidy"); err != nil {
		return nil, err
	}
	tidied, err := w.withoutReplacements(name + ".mod")
	if err != nil {
		return nil, err
	}
	sums, err := readOptional(name + ".sum")
	if err != nil {
		return nil, err
	}
	before, err := readOptional(filepath.Join(w.Root, m.Folder, "go.sum"))
	if err != nil {
		return nil, err
	}
	sums = joinSums(slices.Concat(w.ownSums(before, true), w.ownSums(sums, false)))
	for file, want := range map[string]string{"go.mod": tidied, "go.sum": sums} {
		different, err := update(filepath.Join(w.Root, m.Folder, file), want, write)
		if err != nil {
			return nil, err
		}
		if different {
			changed = append(changed, filepath.ToSlash(filepath.Join(m.Folder, file)))
		}
	}
	slices.Sort(changed)
	return changed, nil
}

// standalone returns a shell in which the go command builds a module without the workspace, at
// the versions of its own go.mod. The other modules come from their folders. It writes the
// files NAME.mod and NAME.sum, which replace go.mod and go.sum.
func (w *Workspace) standalone(m Module, name string) (shell, error) {
	folder := filepath.Join(w.Root, m.Folder)
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return shell{}, err
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return shell{}, err
	}
	for _, other := range w.Modules {
		if other.Path != m.Path {
			if err := file.AddReplace(other.Path, other.Version, filepath.Join(w.Root, other.Folder), ""); err != nil {
				return shell{}, err
			}
		}
	}
	if text, err = file.Format(); err != nil {
		return shell{}, err
	}
	sums, err := readOptional(filepath.Join(folder, "go.sum"))
	if err != nil {
		return shell{}, err
	}
	err = errors.Join(os.WriteFile(name+".mod", text, 0o644), os.WriteFile(name+".sum", []byte(sums), 0o644))
	return shell{folder, []string{"GOWORK=off", "GOFLAGS=-buildvcs=false -modfile=" + name + ".mod"}}, err
}

func (w *Workspace) withoutReplacements(name string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return "", err
	}
	for _, r := range slices.Clone(file.Replace) {
		if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return "", err
		}
	}
	file.Cleanup()
	text, err = file.Format()
	return string(text), err
}

// ownSums returns the lines of a go.sum about our own modules, or all others.
func (w *Workspace) ownSums(sums string, own bool) (lines []string) {
	for line := range strings.Lines(sums) {
		if path, _, _ := strings.Cut(line, " "); w.own(path) == own {
			lines = append(lines, line)
		}
	}
	return lines
}

// joinSums returns lines of a go.sum in the order that the go command writes.
func joinSums(lines []string) string {
	var order []module.Version
	of := map[module.Version]string{}
	for _, line := range lines {
		if fields := strings.Fields(line); len(fields) == 3 {
			m := module.Version{Path: fields[0], Version: fields[1]}
			order, of[m] = append(order, m), line
		}
	}
	module.Sort(order)
	var all strings.Builder
	for _, m := range slices.Compact(order) {
		all.WriteString(of[m])
	}
	return all.String()
}

// update reports whether a file differs from a text, and may write the text. A missing file
// counts as empty.
func update(name, want string, write bool) (different bool, err error) {
	have, err := readOptional(name)
	if err != nil || have == want || !write {
		return have != want, err
	}
	return true, os.WriteFile(name, []byte(want), 0o644)
}

func readOptional(name string) (string, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}
