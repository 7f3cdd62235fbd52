package main

import (
	"errors"
	"os"
	"path/filepath"
)

// write replaces a file at once. It keeps the permissions.
func write(name string, text []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(name), ".rewrite-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(text)
	if err := errors.Join(err, temporary.Chmod(info.Mode().Perm()), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}
