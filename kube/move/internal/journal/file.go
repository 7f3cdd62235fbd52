package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// File returns a Store that keeps the document in a file, which only its owner can read. The
// folder of the file must exist.
func File(path string) Store { return &store{places: []place{file(path)}} }

// A file is the path of a file with a document.
type file string

func (f file) String() string { return string(f) }

// write replaces the file. A crash leaves the old file or the new one, and perhaps a temporary
// file beside it.
func (f file) write(ctx context.Context, encoded []byte) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	temporary, err := os.OpenFile(fmt.Sprintf("%s.%s.tmp", f, rand.Text()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = temporary.Write(encoded)
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), string(f))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return f.syncFolder()
}

// syncFolder makes a rename or a removal survive a crash of the computer.
func (f file) syncFolder() error {
	folder, err := os.Open(filepath.Dir(string(f)))
	if err != nil {
		return err
	}
	// Some file systems cannot sync a folder. The rename is atomic on all of them.
	_ = folder.Sync()
	return folder.Close()
}

func (f file) read(context.Context) ([]byte, error) {
	opened, err := os.Open(string(f))
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	encoded, err := io.ReadAll(io.LimitReader(opened, maxSize+1))
	if err != nil {
		return nil, err
	}
	return encoded, nil
}

func (f file) remove(context.Context) error {
	if err := os.Remove(string(f)); err != nil {
		return err
	}
	return f.syncFolder()
}
