package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File returns a Store that keeps the document in a file, which only its owner can read. The
// folder of the file must exist.
//
// Save fails if another process has saved since the last Save or Load of this Store. If both save at
// the same time, the last one wins: only [Locks] exclude that.
func File(path string) Store { return &store{places: []place{&file{path: path}}} }

// A file is a file with a document.
type file struct {
	path string

	isKnown bool        // whether it was read or written
	last    fs.FileInfo // of the file that was read or written last; nil if it did not exist
}

func (f *file) String() string { return f.path }

// errNotRegular is the error of a path that is no file, such as a named pipe: to open that may never
// end.
var errNotRegular = errors.New("want a regular file")

// check returns an error if the file is not the one that this process has read or written.
func (f *file) check(context.Context) error {
	now, err := os.Stat(f.path)
	switch isMissing := errors.Is(err, fs.ErrNotExist); {
	case err != nil && !isMissing:
		return err
	case !isMissing && !now.Mode().IsRegular():
		return errNotRegular
	case !f.isKnown, isMissing && f.last == nil:
		return nil
	case isMissing || f.last == nil || !os.SameFile(now, f.last) || now.Size() != f.last.Size() || !now.ModTime().Equal(f.last.ModTime()):
		return ErrReplaced
	}
	return nil
}

// write replaces the file. A crash leaves the old file or the new one, and perhaps a temporary
// file beside it.
func (f *file) write(ctx context.Context, encoded []byte) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if err := f.check(ctx); err != nil {
		return err
	}
	temporary, err := os.OpenFile(fmt.Sprintf("%s.%s.tmp", f, rand.Text()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = temporary.Write(encoded)
	if err == nil {
		err = temporary.Sync()
	}
	written, statErr := temporary.Stat()
	if err = errors.Join(err, statErr, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	f.isKnown, f.last = true, written
	return f.syncFolder()
}

// syncFolder makes a rename or a removal survive a crash of the computer.
func (f *file) syncFolder() error {
	folder, err := os.Open(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	// Some file systems cannot sync a folder. The rename is atomic on all of them.
	_ = folder.Sync()
	return folder.Close()
}

func (f *file) read(context.Context) ([]byte, error) {
	now, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.isKnown, f.last = true, nil
	}
	if err == nil && !now.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, err
	}
	opened, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return nil, err
	}
	f.isKnown, f.last = true, info
	encoded, err := io.ReadAll(io.LimitReader(opened, maxSize+1))
	if err != nil {
		return nil, err
	}
	return encoded, nil
}

func (f *file) remove(ctx context.Context) error {
	if err := f.check(ctx); err != nil {
		return err
	}
	if err := os.Remove(f.path); err != nil {
		return err
	}
	f.isKnown, f.last = true, nil
	return f.syncFolder()
}
