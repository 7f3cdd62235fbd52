// Package archive writes objects into a folder and reads them from it. Each object has a file, and
// manifest.json has the order and the hashes of the files.
//
// [Write] creates the whole folder or nothing. [Read] refuses a folder with a file that was
// changed, removed, added or listed twice.
//
// # Reading order
//
// archive.go has the API, manifest.go the manifest and its checks, and name.go the names of the
// files.
package archive

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// Write writes entries into a folder, which must be empty or not exist. It writes a folder beside
// it and renames that, so a crash leaves no incomplete archive. Only the owner can read it.
func Write(dir string, h Header, entries []Entry) (err error) {
	dir = filepath.Clean(dir)
	if err := checkEmpty(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.%s.tmp", dir, rand.Text())
	if err := os.Mkdir(temporary, 0o700); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write %s: %w", dir, err), os.RemoveAll(temporary))
		}
	}()
	m := newManifest(h)
	for _, e := range entries {
		content, err := m.add(e)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(temporary, m.last().Name), content); err != nil {
			return err
		}
	}
	content, err := m.encode()
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(temporary, manifestName), content); err != nil {
		return err
	}
	if err := syncFolder(temporary); err != nil {
		return err
	}
	// Not every system renames a folder to an existing one. An empty folder has nothing to lose.
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(temporary, dir); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(dir))
}

// checkEmpty checks that a path is that of an empty folder, or of nothing.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: it has %s", dir, text.Line(entries[0].Name()))
	}
	return nil
}

// writeFile creates a file that only its owner can read.
func writeFile(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
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
func Read(dir string) (Header, []Entry, error) {
	fail := func(err error) (Header, []Entry, error) {
		return Header{}, nil, fmt.Errorf("read %s: %w", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	encoded, err := readFile(root, manifestName, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("it has no file %s: it is not an archive of a move, or is incomplete", manifestName)
	}
	if err != nil {
		return fail(err)
	}
	m, err := decode(encoded)
	if err != nil {
		return fail(fmt.Errorf("%s: %w", manifestName, err))
	}
	var problems []error
	entries := make([]Entry, 0, len(m.Files))
	for _, f := range m.Files {
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
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
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
