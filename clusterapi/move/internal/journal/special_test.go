//go:build unix

package journal

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is no regular file is neither opened nor replaced. A pipe without a writer would block
// everybody who opens it.
func TestSpecialFilesAreNotOpened(t *testing.T) {
	for it, make := range map[string]func(path string) error{
		"a named pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":     func(path string) error { return os.Mkdir(path, 0o700) },
		"a device":     func(path string) error { return os.Symlink(os.DevNull, path) },
	} {
		t.Run(it, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal.json")
			if err := make(path); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			s := File(path)
			_, load := s.Load(t.Context())
			for what, err := range map[string]error{"load": load, "save": s.Save(t.Context(), []byte(`1`)), "check": s.Check(t.Context()), "remove": s.Remove(t.Context())} {
				if !errors.Is(err, errNotRegular) {
					t.Errorf("%s: have the error %v, want %v", what, err, errNotRegular)
				}
			}
			if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
				t.Errorf("it was replaced: %v", err)
			}
		})
	}
}
