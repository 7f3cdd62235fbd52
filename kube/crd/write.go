package crd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Largest is how many bytes a file may have.
const Largest = 256 << 20

// ReadAll reads a text, unless it is larger than [Largest].
func ReadAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, Largest+1))
	if err == nil && len(text) > Largest {
		err = fmt.Errorf("it is larger than %d bytes", Largest)
	}
	return text, err
}

// Write puts a file in the place of another whose text was read before. Either
// all of it is written or nothing; the mode stays. It refuses what is no regular
// file, symbolic links among them, and a file that has changed since it was read.
func Write(name string, before, after []byte) (err error) {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("write %s: it is a symbolic link; name the file that it leads to", name)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("write %s: it is no regular file", name)
	}
	now, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, before) {
		return fmt.Errorf("write %s: it has changed since it was read", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(after)
	if err == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
