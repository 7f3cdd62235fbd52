package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var (
	errNoManifests = errors.New("no .yaml, .yml or .json file in the directory; use -R to read subdirectories too")

	// ErrNoMatch is the error for a pattern that matches no file.
	ErrNoMatch = errors.New("no file matches the pattern")
)

// A TextReader reads the texts of arguments.
type TextReader struct {
	In        io.Reader // for the argument "-"
	Recursive bool      // read subdirectories of directories too
	// Read reads one text, and may check its size. If it is nil, the whole text is read.
	Read func(io.Reader) ([]byte, error)
}

// Each reads the files of an argument: "-", a file, the manifests of a directory, or a pattern
// of file names. It calls take for each text, or with an error for a text that cannot be read.
// An error does not end it.
func (r TextReader) Each(arg string, take func(name string, text []byte, err error)) {
	if arg == "-" {
		text, err := r.all(r.In)
		take(arg, text, err)
		return
	}
	info, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		r.pattern(arg, take)
	case err != nil:
		take(arg, nil, err)
	case info.IsDir():
		r.directory(arg, take)
	default:
		text, err := r.file(arg)
		take(arg, text, err)
	}
}

func (r TextReader) all(in io.Reader) ([]byte, error) {
	if r.Read == nil {
		return io.ReadAll(in)
	}
	return r.Read(in)
}

func (r TextReader) file(name string) ([]byte, error) {
	if r.Read == nil {
		return os.ReadFile(name) // allocates the size of the file at once
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return r.Read(f)
}

func (r TextReader) pattern(pattern string, take func(string, []byte, error)) {
	names, err := filepath.Glob(pattern)
	if err == nil && len(names) == 0 {
		err = ErrNoMatch
	}
	if err != nil {
		take(pattern, nil, err)
	}
	for _, name := range names {
		r.Each(name, take)
	}
}

// directory reads the manifests of a directory, sorted by name.
func (r TextReader) directory(dir string, take func(string, []byte, error)) {
	if err := notManifests(dir); err != nil {
		take(dir, nil, err)
		return
	}
	failed := false
	found := manifestsIn(dir, r.Recursive, func(path string, err error) {
		if err != nil {
			failed = true
			take(path, nil, err)
			return
		}
		text, err := r.file(path)
		take(path, text, err)
	})
	if !found && !failed {
		take(dir, nil, errNoManifests)
	}
}

// notManifests returns an error for a directory with a Helm chart or a kustomization, since its
// files are not manifests yet. It returns nil for other directories.
func notManifests(dir string) error {
	has := func(dir, name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && info.Mode().IsRegular()
	}
	const chart = "it is a chart of Helm, whose templates are no manifests: read the output of helm template NAME %s from standard input, which is -"
	parent := filepath.Dir(filepath.Clean(dir))
	switch {
	case has(dir, "Chart.yaml"):
		return fmt.Errorf(chart, dir)
	case filepath.Base(filepath.Clean(dir)) == "templates" && has(parent, "Chart.yaml"):
		return fmt.Errorf(chart, parent)
	}
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if has(dir, name) {
			return fmt.Errorf("it has a %s: -k %s builds it", name, dir)
		}
	}
	return nil
}

// manifestsIn calls name for each manifest of a directory, sorted by path, and with an error for
// each directory that cannot be listed. It reports whether it found a manifest. It follows links
// to files but not to directories, so there are no loops. It skips directories whose names begin
// with "..", since mounted volumes have the same files there again.
func manifestsIn(dir string, recursive bool, name func(path string, err error)) (found bool) {
	dir = filepath.Clean(dir)
	visit := func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			name(path, err)
			return fs.SkipDir
		case entry.IsDir():
			if path != dir && (!recursive || strings.HasPrefix(entry.Name(), "..")) {
				return fs.SkipDir
			}
			return nil
		case !isManifest(path):
			return nil
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil
		}
		found = true
		name(path, nil)
		return nil
	}
	// With the trailing separator, WalkDir follows a link if dir itself is one.
	if err := filepath.WalkDir(dir+string(filepath.Separator), visitClean(visit)); err != nil {
		name(dir, err)
	}
	return found
}

// visitClean passes clean paths to visit.
func visitClean(visit fs.WalkDirFunc) fs.WalkDirFunc {
	return func(path string, entry fs.DirEntry, err error) error { return visit(filepath.Clean(path), entry, err) }
}

func isManifest(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path)))
}
