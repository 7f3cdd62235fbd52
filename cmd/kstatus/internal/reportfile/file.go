package reportfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// prepare checks before the wait that the file of a report can be written.
func (w Request) prepare() error {
	if w.File == "" || w.File == "-" {
		return nil
	}
	dir := filepath.Dir(w.File)
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = checkReportFile(w.File, dir)
	}
	if err != nil {
		return exit.Usagef("--report %s=%s: %w", w.Format, w.File, err)
	}
	return nil
}

// checkReportFile checks that a file can be written or replaced. It returns an error for a
// symbolic link to another directory, since another user may have created it.
func checkReportFile(file, dir string) error {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkFolder(dir)
	case err != nil:
		return err
	case info.Mode().Type() == fs.ModeSymlink && filepath.Clean(dir) == "/dev":
		return nil // standard output of any type
	case info.Mode().Type() == fs.ModeSymlink:
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			return fmt.Errorf("want a file, have a link that leads nowhere: %w", err)
		}
		if info, err = os.Stat(real); err != nil {
			return err
		}
		home, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() && filepath.Dir(real) != home {
			return fmt.Errorf("want a file, have a link to %s", real)
		}
	}
	switch {
	case info.IsDir():
		return errors.New("want a file, have a directory")
	case info.Mode().Type() == fs.ModeSocket:
		return errors.New("want a file, have a socket")
	case !info.Mode().IsRegular():
		return nil // a pipe or a device: opening it may block until it has a reader
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), checkFolder(dir))
}

// checkFolder checks that files can be created in a directory: a report replaces the old file.
func checkFolder(dir string) error {
	f, err := os.CreateTemp(dir, ".kstatus-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// CheckInputs returns an error if a report would replace an input file.
func (all Requests) CheckInputs(files []string) error {
	for _, w := range all {
		for _, file := range files {
			to, err := os.Stat(w.File)
			from, ferr := os.Stat(file)
			if err == nil && ferr == nil && to.Mode().IsRegular() && os.SameFile(to, from) {
				return exit.Usagef("--report %s=%s: want another file than that of -f", w.Format, w.File)
			}
		}
	}
	return nil
}

// replaceFile writes a file atomically. It follows symbolic links, and writes directly to files
// that are not regular, such as pipes.
func replaceFile(name string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(file), file.Close())
	}
	return cli.ReplaceFile(name, 0o666, func(f *os.File) error { return write(f) })
}
