//go:build unix

package archive

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe without a writer blocks everybody who opens it.
func TestPipesAreNotOpened(t *testing.T) {
	pipe := func(t *testing.T, path ...string) {
		t.Helper()
		_ = os.Remove(filepath.Join(path...))
		if err := syscall.Mkfifo(filepath.Join(path...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("as the folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "backup")
		pipe(t, dir)
		_, _, err := Read(t.Context(), dir)
		checkFailure(t, err, "it is a special file, want a folder")
		checkFailure(t, Remove(t.Context(), dir, header.ID), "backup stays: it is a special file")
		checkFailure(t, Write(t.Context(), dir, header, nil), "backup is a special file, want an empty folder or nothing")
	})
	for _, name := range []string{manifestName, clusterFile} {
		t.Run("as "+name, func(t *testing.T) {
			dir := write(t)
			pipe(t, dir, name)
			_, _, err := Read(t.Context(), dir)
			checkFailure(t, err, name+" is not a regular file")
			checkFailure(t, Remove(t.Context(), dir, header.ID), "backup stays: ", name)
		})
	}
}
