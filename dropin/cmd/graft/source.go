package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A source is a module at one version, or in a folder.
type source struct {
	Module  string
	Version string `json:",omitempty"` // empty for a folder
	Sum     string `json:",omitempty"` // as in go.sum
	dir     string
}

func (s source) String() string {
	if s.Version == "" {
		return s.Module + " of a folder"
	}
	return s.Module + " " + s.Version
}

// fetch finds a module in one of the folders or in the module cache. It downloads a missing version.
func fetch(ctx context.Context, module, query string, replace folders) (source, error) {
	if dir, ok := replace[module]; ok {
		return source{Module: module, dir: dir}, nil
	}
	// In another folder, so that the go.mod of the user has no effect.
	out, err := goCommand(ctx, os.TempDir(), "mod", "download", "-json", module+"@"+query)
	var found struct{ Version, Sum, Dir, Error string }
	if jsonErr := json.Unmarshal(out, &found); err == nil {
		err = jsonErr
	} else if found.Error != "" {
		err = errors.New(found.Error)
	}
	if err != nil {
		return source{}, fmt.Errorf("download of %s@%s: %w", module, query, err)
	}
	return source{module, found.Version, found.Sum, found.Dir}, nil
}

// goCommand runs the go command, and returns its standard output.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GO111MODULE=on", "GOFLAGS="+goFlags())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		err = fmt.Errorf("%w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	return out, err
}

// goFlags returns GOFLAGS without -modfile, which names the go.mod of another folder.
func goFlags() string {
	flags := strings.Fields(os.Getenv("GOFLAGS"))
	return strings.Join(slices.DeleteFunc(flags, func(f string) bool { return strings.HasPrefix(strings.TrimLeft(f, "-"), "modfile=") }), " ")
}

// minor returns the major and the minor version, such as v0.37 of v0.37.2.
func minor(v string) string {
	parts := strings.SplitN(v, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// newer reports whether a release is newer than another one. It is for versions such as v0.35.0,
// which count like the versions of Go.
func newer(a, b string) bool {
	return version.Compare("go"+strings.TrimPrefix(a, "v"), "go"+strings.TrimPrefix(b, "v")) > 0
}

// read returns the files of a folder, by path with slashes. It leaves out names that begin with a
// dot.
func read(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		switch {
		case rel == ".":
		case strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), ".") || d.IsDir():
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file", name)
		default:
			files[filepath.ToSlash(rel)], err = os.ReadFile(name)
		}
		return err
	})
	return files, err
}
