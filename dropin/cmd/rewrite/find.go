package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// find returns the Go files that the arguments name.
func find(patterns []string) ([]string, error) {
	found := map[string]bool{}
	for _, pattern := range patterns {
		root, below := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
		if pattern == "..." {
			root, below = ".", true
		}
		root = filepath.FromSlash(root)
		info, err := os.Stat(root)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s does not exist: want a folder or a file, such as ./... or ./pkg", pattern)
		} else if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			found[filepath.Clean(root)] = true
			continue
		}
		if err := walk(filepath.Clean(root), below, found); err != nil {
			return nil, err
		}
	}
	return sortedKeys(found), nil
}

// walk adds the Go files of a folder and, if below is true, of those below.
func walk(root string, below bool, found map[string]bool) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == root {
			return nil
		}
		base := d.Name()
		hidden := strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
		if d.IsDir() {
			if !below || hidden || base == "vendor" || base == "testdata" || exists(filepath.Join(name, "go.mod")) {
				return fs.SkipDir
			}
			return nil
		}
		if !hidden && strings.HasSuffix(base, ".go") {
			found[name] = true
		}
		return nil
	})
}

// moduleFolder returns the folder with the go.mod that a folder belongs to.
func moduleFolder(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for up := "."; ; up = filepath.Join(up, "..") {
		if exists(filepath.Join(at, up, "go.mod")) {
			return filepath.Join(dir, up)
		}
		if filepath.Dir(filepath.Join(at, up)) == filepath.Join(at, up) {
			return dir
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
