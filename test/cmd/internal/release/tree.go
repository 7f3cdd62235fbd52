package release

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// export writes the files of a revision to a folder, as git stores them.
func export(ctx context.Context, repository, revision, folder string) error {
	packed, err := shell{folder: repository}.run(ctx, "git", "archive", "--format=tar", revision)
	if err != nil {
		return err
	}
	for from := tar.NewReader(bytes.NewReader([]byte(packed))); ; {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := extract(from, header, folder); err != nil {
			return err
		}
	}
}

func extract(from io.Reader, header *tar.Header, folder string) error {
	at := filepath.Join(folder, filepath.FromSlash(header.Name))
	switch header.Typeflag {
	case tar.TypeDir:
		return os.MkdirAll(at, 0o755)
	case tar.TypeReg:
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		text, err := io.ReadAll(from)
		if err != nil {
			return err
		}
		return os.WriteFile(at, text, header.FileInfo().Mode())
	}
	return nil // links are not part of a module
}

// addLicense copies the license of the repository to a module without one, as the go command
// does when it creates the module from a tag.
func addLicense(root, folder string) error {
	at := filepath.Join(root, folder, "LICENSE")
	if _, err := os.Stat(at); err == nil {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(at, text, 0o644)
}
