// Package archive writes objects into a folder and reads them from it. Each object has a file, and
// manifest.json has the order and the hashes of the files.
//
// [Write] creates the whole folder or nothing. [Read] refuses a folder with a file that was
// changed, removed, added or listed twice. [Remove] keeps a folder in which somebody has added or
// changed anything.
//
// # Reading order
//
// archive.go writes and reads, remove.go removes. manifest.go has the manifest and its checks, and
// name.go the names of the files.
package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/text"
)

// A Header describes an archive.
type Header struct {
	ID     string    // of the move that has written it
	Time   time.Time // when it was written
	Source string    // the URL of the API server of the objects
}

// An Entry is an object of an archive.
type Entry struct {
	Step     int // when the object is created, beginning with 0
	Object   *unstructured.Unstructured
	Decision string // what the move does with the object
	// PausedBefore is whether the object was paused before the move. It is nil for objects that
	// the move has not paused.
	PausedBefore *bool
}

// maxFile is the largest size of the file of an object in bytes. An API server refuses objects of
// more than 3 MiB.
const maxFile = 32 << 20

// Write writes entries into a folder, which must be empty or not exist. Only the owner can read it.
//
// Write writes a folder beside it, with the ID in its name, and renames that. So a crash or the end
// of ctx leaves no incomplete archive. [Remove] and the next Write of the same move remove what is
// left beside the folder.
func Write(ctx context.Context, dir string, h Header, entries []Entry) (err error) {
	dir = filepath.Clean(dir)
	if err := CheckEmpty(dir); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", dir, err)
		}
	}()
	temporary, err := beside(dir, h.ID)
	if err != nil {
		return err
	}
	if err := empty(ctx, temporary, h.ID); err != nil {
		return err
	}
	m := newManifest(h)
	for _, e := range entries {
		if _, err := m.add(e); err != nil {
			return err
		}
	}
	encoded, err := m.encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	if err := os.Mkdir(temporary, 0o700); err != nil {
		return err
	}
	if err := fill(ctx, temporary, m, encoded, entries); err != nil {
		if ctx.Err() != nil {
			return err // there may be many files to remove
		}
		return errors.Join(err, empty(ctx, temporary, h.ID))
	}
	return replaceEmpty(dir, temporary)
}

// fill writes the manifest and then the entries into a new folder.
func fill(ctx context.Context, dir string, m *manifest, encoded []byte, entries []Entry) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := writeFile(root, manifestName, encoded); err != nil {
		return err
	}
	for i, e := range entries {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		content, err := encodeObject(e.Object)
		if err != nil {
			return err
		}
		if err := writeFile(root, m.Files[i].Name, content); err != nil {
			return err
		}
	}
	return syncFolder(dir)
}

// replaceEmpty renames a folder to the name of an empty folder, or of nothing. Not every system
// renames a folder to an existing one. An empty folder has nothing to lose.
func replaceEmpty(dir, by string) error {
	if err := syscall.Rmdir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(by, dir); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(dir))
}

// CheckEmpty checks that a path is that of an empty folder, or of nothing.
func CheckEmpty(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is %s, want an empty folder or nothing", dir, kindOf(info))
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: it has %s", dir, text.Line(entries[0].Name()))
	}
	return nil
}

// kindOf says what something in a file system is.
func kindOf(info fs.FileInfo) string {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	}
	return "a special file"
}

// partialName is the name of a file that is being written.
const partialName = "incomplete.tmp"

// writeFile creates a file that only its owner can read. A crash leaves the whole file or none.
func writeFile(root *os.Root, name string, content []byte) error {
	f, err := root.OpenFile(partialName, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return root.Rename(partialName, name)
}

// syncFolder makes the names in a folder survive a crash of the computer, where the file system
// can do that.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync() // some file systems refuse it
	return f.Close()
}

// Read reads the archive in a folder. The entries have the order of the manifest. Folders in it
// are ignored.
//
// The error names every file that is missing, changed, not listed or not a regular file.
func Read(ctx context.Context, dir string) (Header, []Entry, error) {
	fail := func(err error) (Header, []Entry, error) {
		return Header{}, nil, fmt.Errorf("read %s: %w", dir, err)
	}
	// The folder may be a symbolic link. To open a pipe would wait for its writer.
	switch info, err := os.Stat(dir); {
	case err != nil:
		return fail(err)
	case !info.IsDir():
		return fail(fmt.Errorf("it is %s, want a folder", kindOf(info)))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	m, err := readManifest(root)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("it has no file %s: it is not an archive of a move, or is incomplete", manifestName)
	}
	if err != nil {
		return fail(err)
	}
	var problems []error
	entries := make([]Entry, 0, len(m.Files))
	for _, f := range m.Files {
		if ctx.Err() != nil {
			return fail(context.Cause(ctx))
		}
		e, err := f.read(root)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		entries = append(entries, e)
	}
	problems = append(problems, unlisted(root, m)...)
	if len(problems) > 0 {
		return fail(errors.Join(shorten(problems)...))
	}
	return m.header(), entries, nil
}

// readManifest reads the manifest of a folder. The error wraps [fs.ErrNotExist] if it has none.
func readManifest(root *os.Root) (*manifest, error) {
	encoded, err := readFile(root, manifestName, maxManifest)
	if err != nil {
		return nil, err
	}
	m, err := decode(encoded)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", manifestName, err)
	}
	return m, nil
}

// maxProblems limits the problems of an error.
const maxProblems = 20

func shorten(problems []error) []error {
	if more := len(problems) - maxProblems; more > 0 {
		return append(problems[:maxProblems:maxProblems], fmt.Errorf("and %d more", more))
	}
	return problems
}

// unlisted returns an error for each file that the manifest does not list.
func unlisted(root *os.Root, m *manifest) (problems []error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return []error{err}
	}
	listed := map[string]bool{manifestName: true}
	for _, f := range m.Files {
		listed[f.Name] = true
	}
	for _, e := range entries {
		if !listed[e.Name()] && !e.IsDir() {
			problems = append(problems, fmt.Errorf("%s is not listed in %s", text.Line(e.Name()), manifestName))
		}
	}
	return problems
}

// readFile reads a regular file of a folder.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is missing: %w", name, fs.ErrNotExist)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s has %d bytes, want at most %d", name, info.Size(), limit)
	}
	// Somebody may replace it by a pipe or a link meanwhile.
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(fmt.Errorf("%s was replaced while it was read", name), err)
	}
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case int64(len(content)) > limit:
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return content, nil
}

// read reads the object of a file and compares it with the manifest.
func (f *file) read(root *os.Root) (Entry, error) {
	content, err := readFile(root, f.Name, maxFile)
	if err != nil {
		return Entry{}, err
	}
	if hash(content) != f.SHA256 {
		return Entry{}, fmt.Errorf("%s was changed: its SHA-256 is not that of the manifest", f.Name)
	}
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON(content); err != nil {
		return Entry{}, fmt.Errorf("%s is not an object: %s", f.Name, text.Line(err.Error()))
	}
	if have := identityOf(o); have != f.identity {
		return Entry{}, fmt.Errorf("%s has %s, want %s", f.Name, have, f.identity)
	}
	return Entry{Step: f.Step, Object: o, Decision: f.Decision, PausedBefore: f.PausedBefore}, nil
}

// encodeObject returns the content of the file of an object.
func encodeObject(o *unstructured.Unstructured) ([]byte, error) {
	encoded, err := o.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, bytes.TrimSpace(encoded), "", "  "); err != nil {
		return nil, err
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}
