package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A PartialFile is a file that appears under its name when it is complete. Until then it has the
// suffix [PartialSuffix] in the same folder, and an earlier file remains. Only its owner may
// read it. If the process is killed, the partial file remains.
type PartialFile struct {
	name string
	file *os.File // nil before the first write
	err  error    // of creating the file
}

// PartialSuffix is the suffix of the name of an incomplete file.
const PartialSuffix = ".partial"

// NewPartialFile returns a file to write. It verifies that the file can be created, but the
// first Write creates it. It does not follow symbolic links. It writes directly to files that
// are not regular, such as pipes.
func NewPartialFile(name string) (*PartialFile, error) {
	if target, err := os.Stat(name); err == nil && !target.Mode().IsRegular() {
		if target.IsDir() {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a directory")}
		}
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &PartialFile{file: file}, nil
	}
	if link, err := os.Lstat(name); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a symbolic link, which is not followed")}
	}
	p := &PartialFile{name: name}
	if err := p.create(); err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			path.Path = name
		}
		return nil, err
	}
	return p, errors.Join(p.file.Close(), p.close())
}

// create creates the partial file. It replaces a partial file of a process that was killed.
func (p *PartialFile) create() (err error) {
	other := p.name + PartialSuffix
	if old, err := os.Lstat(other); err == nil && old.Mode().IsRegular() {
		if err := os.Remove(other); err != nil {
			return err
		}
	}
	p.file, err = os.OpenFile(other, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	return err
}

func (p *PartialFile) close() error {
	p.file = nil
	return os.Remove(p.name + PartialSuffix)
}

// Write writes to the file.
func (p *PartialFile) Write(b []byte) (int, error) {
	if p.file == nil && p.err == nil {
		p.err = p.create()
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.file.Write(b)
}

// Close completes the file and renames it to its final name. Without a Write, it changes
// nothing. A second Close returns an error.
func (p *PartialFile) Close() error {
	if p.file == nil {
		return p.err
	}
	file := p.file
	p.file, p.err = nil, fs.ErrClosed
	if p.name == "" {
		return file.Close()
	}
	is, err := file.Stat()
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	other := p.name + PartialSuffix
	if there, err := os.Lstat(other); err != nil || !os.SameFile(is, there) {
		return fmt.Errorf("%s: another process has taken its place", other)
	}
	return os.Rename(other, p.name)
}

// Discard removes the partial file, and keeps the earlier file.
func (p *PartialFile) Discard() error {
	if p.file == nil {
		return nil
	}
	err := p.file.Close()
	if p.name != "" {
		err = errors.Join(err, p.close())
	}
	p.file, p.err = nil, fs.ErrClosed
	return err
}

// IsInput reports whether a file is one of the inputs, or is in a folder among them.
func IsInput(name string, inputs []string) bool {
	is, err := os.Stat(name)
	if err != nil {
		return false
	}
	folder, err := os.Stat(filepath.Dir(name))
	for _, in := range inputs {
		other, failed := os.Stat(in)
		if failed != nil {
			continue
		}
		if os.SameFile(is, other) {
			return true
		}
		switch filepath.Ext(name) {
		case ".json", ".yaml", ".yml":
			if err == nil && other.IsDir() && os.SameFile(folder, other) {
				return true
			}
		}
	}
	return false
}
