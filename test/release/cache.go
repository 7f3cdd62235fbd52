package release

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// newModuleCache fills a folder so that the go command can use it as GOMODCACHE: it has the modules
// of the user's cache, by links, and what is downloaded for them later goes there as well. Modules
// of this repository are not linked: each simulation has its own.
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

// link links all that is in one folder into another, except what differs from cache to cache.
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

// removeAll removes a folder with modules in it, whose folders the go command makes read-only. It
// leaves alone what links lead to.
func removeAll(folder string) error {
	err := filepath.WalkDir(folder, func(at string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(at, 0o755)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(folder))
}
