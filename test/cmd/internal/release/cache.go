package release

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// newModuleCache prepares a folder as GOMODCACHE for the go command. It contains links to the
// modules of the user's cache, and later downloads go there as well. It has no links to modules
// of this repository: each simulation has its own.
func (w *Workspace) newModuleCache(ctx context.Context, folder string) error {
	out, err := shell{folder: w.Root}.goCommand(ctx, "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	from := strings.TrimSpace(out)
	for _, below := range []string{".", "cache", "cache/download"} {
		if err := w.link(filepath.Join(from, below), filepath.Join(folder, below)); err != nil {
			return err
		}
	}
	return nil
}

// link creates links in one folder to the files of another, except for files that differ from
// cache to cache.
func (w *Workspace) link(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name(), "@")
		if name == w.Path || name == "cache" || name == "download" || name == "lock" {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// removeAll removes a folder with modules, whose folders the go command makes read-only. It
// does not follow links.
func removeAll(folder string) error {
	err := filepath.WalkDir(folder, func(at string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(at, 0o755)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(folder))
}
