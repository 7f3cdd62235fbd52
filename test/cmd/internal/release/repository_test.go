package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A repository contains a workspace of three modules, in a temporary folder.
type repository struct {
	*testing.T
	root  string
	lines []string // printed lines
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-buildvcs=false")
	for _, variable := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"} {
		t.Setenv(variable, "tester@example.com")
	}
	r := &repository{T: t, root: t.TempDir()}
	archive, err := txtar.ParseFile("testdata/repository.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		r.write(f.Name, string(f.Data))
	}
	r.git("init", "--quiet")
	r.commit()
	return r
}

func (r *repository) write(name, text string) {
	r.Helper()
	at := filepath.Join(r.root, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *repository) read(name string) string {
	r.Helper()
	text, err := os.ReadFile(filepath.Join(r.root, name))
	if err != nil {
		r.Fatal(err)
	}
	return string(text)
}

// replace replaces the only occurrence of a text in a file.
func (r *repository) replace(name, old, new string) {
	r.Helper()
	text := r.read(name)
	if strings.Count(text, old) != 1 {
		r.Fatalf("%s: want %q once, have:\n%s", name, old, text)
	}
	r.write(name, strings.Replace(text, old, new, 1))
}

func (r *repository) git(args ...string) {
	r.Helper()
	if _, err := (shell{folder: r.root}).run(r.Context(), "git", args...); err != nil {
		r.Fatal(err)
	}
}

func (r *repository) commit() {
	r.Helper()
	r.git("add", "--all")
	r.git("commit", "--quiet", "--message", "Change")
}

// open opens the workspace, whose later output replaces lines.
func (r *repository) open() *Workspace {
	r.Helper()
	r.lines = nil
	w, err := Open(r.root, func(line string) { r.lines = append(r.lines, line) })
	if err != nil {
		r.Fatal(err)
	}
	return w
}

func (r *repository) printed() string { return strings.Join(r.lines, "\n") }

// expectError fails unless an error contains all of the texts.
func expectError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("have no error, want one with %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("have error %q, want one with %q", err, text)
		}
	}
}
