package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"kstatus.dev/internal/text"
)

// Remove removes the archive that a move has written into a folder, and what an interruption has
// left of it. It succeeds if the folder does not exist or is empty.
//
// Remove removes all or nothing. A folder stays as it is if it is a link or of another move, or if
// somebody has added or changed anything in it. The error says which names prevent the removal.
//
// Remove renames the folder first, so a crash leaves no incomplete archive. The next Remove removes
// the rest.
func Remove(ctx context.Context, dir, id string) error {
	dir = filepath.Clean(dir)
	temporary, err := beside(dir, id)
	if err != nil {
		return fmt.Errorf("remove %s: %w", dir, err)
	}
	if err := empty(ctx, temporary, id); err != nil {
		return err
	}
	root, err := openFolder(dir)
	if root == nil {
		return err
	}
	defer root.Close()
	m, err := own(root, dir, id)
	if m == nil {
		return err
	}
	c, err := compare(ctx, root, m)
	switch {
	case err != nil:
		return fmt.Errorf("remove %s: %w", dir, err)
	case len(c.foreign) > 0:
		return stays(dir, "it was changed after the move has written it: "+list(c.foreign))
	}
	_ = root.Close() // some systems rename no open folder
	if err := os.Rename(dir, temporary); err != nil {
		return err
	}
	return empty(ctx, temporary, id)
}

// beside returns the folder in which a move prepares another one, or removes it.
func beside(dir, id string) (string, error) {
	if id == "" || len(id) > 64 || strings.ContainsFunc(id, func(c rune) bool { return c > 127 || !isPlain(byte(c)) }) {
		return "", fmt.Errorf("the ID of the move is %q, want at most 64 letters, digits and hyphens", text.Line(id))
	}
	return fmt.Sprintf("%s.%s.tmp", dir, id), nil
}

// empty removes the folder beside an archive with all that the move has written into it. The
// manifest is removed last, so that what a crash leaves can still be recognized.
func empty(ctx context.Context, dir, id string) error {
	root, err := openFolder(dir)
	if root == nil {
		return err
	}
	defer root.Close()
	if err := removeFile(ctx, root, partialName); err != nil {
		return fmt.Errorf("remove %s: %w", dir, err)
	}
	m, err := own(root, dir, id)
	if err != nil {
		return err
	}
	if m != nil {
		c, err := compare(ctx, root, m)
		for _, name := range c.ours {
			if err == nil {
				err = removeFile(ctx, root, name)
			}
		}
		switch {
		case err != nil:
			return fmt.Errorf("remove %s: %w", dir, err)
		case len(c.foreign) > 0:
			return stays(dir, "the move has not written "+list(c.foreign))
		}
	}
	if err := removeFile(ctx, root, manifestName); err != nil {
		return fmt.Errorf("remove %s: %w", dir, err)
	}
	_ = root.Close() // some systems remove no open folder
	if err := syscall.Rmdir(dir); err != nil {
		return fmt.Errorf("remove %s: %w", dir, err)
	}
	return syncFolder(filepath.Dir(dir))
}

// removeFile removes a regular file if it exists.
func removeFile(ctx context.Context, root *os.Root, name string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is %s, want a file", name, kindOf(info))
	}
	return root.Remove(name)
}

// openFolder opens a folder that is no link. The Root is nil if nothing has that path.
func openFolder(dir string) (*os.Root, error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, stays(dir, "it is "+kindOf(info)+", which the move has not created")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(fmt.Errorf("%s was replaced while it was opened", dir), err, root.Close())
	}
	return root, nil
}

// own returns the manifest of a folder that a move has written. It is nil if the folder is
// empty.
func own(root *os.Root, dir, id string) (*manifest, error) {
	m, err := readManifest(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		entries, err := fs.ReadDir(root.FS(), ".")
		switch {
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", dir, err)
		case len(entries) > 0:
			return nil, stays(dir, fmt.Sprintf("it has %s and no file %s, so the move has not written it", list(names(entries)), manifestName))
		}
		return nil, nil
	case err != nil:
		return nil, stays(dir, err.Error())
	case m.ID != id:
		return nil, stays(dir, "it has the archive of move "+text.Line(m.ID))
	}
	return m, nil
}

// A comparison is what is in the folder of an archive, apart from the manifest: the files as the
// manifest lists them, and everything else.
type comparison struct{ ours, foreign []string }

// compare compares what is in a folder with its manifest.
func compare(ctx context.Context, root *os.Root, m *manifest) (c comparison, err error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return c, err
	}
	listed := map[string]*file{}
	for i := range m.Files {
		listed[m.Files[i].Name] = &m.Files[i]
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		f := listed[e.Name()]
		switch {
		case e.Name() == manifestName:
		case f != nil && f.isUnchanged(root):
			c.ours = append(c.ours, f.Name)
		default:
			c.foreign = append(c.foreign, e.Name())
		}
	}
	return c, nil
}

// isUnchanged reports whether a file has the content that the manifest lists.
func (f *file) isUnchanged(root *os.Root) bool {
	content, err := readFile(root, f.Name, maxFile)
	return err == nil && hash(content) == f.SHA256
}

func names(entries []fs.DirEntry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// list returns at most five names.
func list(names []string) string {
	const most = 5
	var all []string
	for _, name := range names[:min(len(names), most)] {
		all = append(all, text.Line(name))
	}
	s := strings.Join(all, ", ")
	if left := len(names) - most; left > 0 {
		s += fmt.Sprintf(" and %d more", left)
	}
	return s
}

// stays returns the error for a folder that is not removed.
func stays(dir, why string) error {
	return fmt.Errorf("the folder %s stays: %s; delete it or move it elsewhere", text.Line(dir), why)
}
