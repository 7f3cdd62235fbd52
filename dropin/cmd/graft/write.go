package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// write writes the copy to a new folder beside the old one, and then exchanges them.
func (p *plan) write(to string) error {
	text, err := p.record.text()
	if err != nil {
		return err
	}
	parent := filepath.Dir(filepath.Clean(to))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(parent, ".graft-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	fresh, old := filepath.Join(work, "new"), filepath.Join(work, "old")
	for name, text := range p.files {
		if err := writeFile(filepath.Join(fresh, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(fresh, recordFile), text); err != nil {
		return err
	}
	if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, to); err != nil {
		return errors.Join(err, ignoreMissing(os.Rename(old, to)))
	}
	return nil
}

func writeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
