package testutil

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A TestFilesystem is a temporary folder.
type TestFilesystem struct {
	root string
}

// Setup makes a temporary folder with these folders in it, and makes it the working folder.
func Setup(t *testing.T, dirs ...string) TestFilesystem {
	t.Helper()
	root, err := os.MkdirTemp("", "test-filesystem")
	require.NoError(t, err)
	require.NoError(t, os.Chdir(root))
	for _, dir := range dirs {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	return TestFilesystem{root: root}
}

// GetRootDir returns the path of the folder.
func (tf TestFilesystem) GetRootDir() string { return tf.root }

// WriteFile writes a file and the folders of its path, which is relative to the folder.
func (tf TestFilesystem) WriteFile(t *testing.T, path string, value []byte) {
	t.Helper()
	full := filepath.Join(tf.root, path)
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o700))
	require.NoError(t, os.WriteFile(full, value, 0o600))
}

// Clean removes the folder.
func (tf TestFilesystem) Clean() { _ = os.RemoveAll(tf.root) }
