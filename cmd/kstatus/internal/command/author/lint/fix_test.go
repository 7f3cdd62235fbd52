package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rewriteFile replaces a file only if its content is equal to before.
func TestRewriteFile(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "link.yaml")
	if err := os.WriteFile(name, []byte("a: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	refused := []struct {
		it, name, before, want string
	}{
		{"a symbolic link", link, "a: 1\n", "symbolic link"},
		{"what has changed", name, "a: 0\n", "changed since"},
		{"a directory", dir, "", "not a regular file"},
		{"what is not there", filepath.Join(dir, "none"), "", "no such file"},
	}
	for _, row := range refused {
		t.Run("it refuses "+row.it, func(t *testing.T) {
			if err := rewriteFile(row.name, []byte(row.before), []byte("b: 1\n")); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("have %v, want an error with %q", err, row.want)
			}
		})
	}
	if err := rewriteFile(name, []byte("a: 1\n"), []byte("b: 1\n")); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(name)
	info, err := os.Stat(name)
	if err != nil || string(text) != "b: 1\n" || info.Mode().Perm() != 0o600 {
		t.Errorf("have %q with mode %v, %v", text, info.Mode(), err)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 2 {
		t.Errorf("have %d files, want the file and the link", len(left))
	}
}
