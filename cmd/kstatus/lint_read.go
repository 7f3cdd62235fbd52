package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kstatus.dev/kube/crd"
)

// read takes in what the arguments name: files, or definitions of a cluster.
func (l *lintCommand) read(ctx context.Context, r *lintRun, args []string) error {
	var names []string
	for _, name := range append(slices.Clone(l.files), args...) {
		if definition, ok := definitionNamed(name); ok && !slices.Contains(l.files, name) {
			names = append(names, definition)
			continue
		}
		l.readFiles(r, name)
	}
	if l.live || len(names) > 0 {
		return l.readLive(ctx, r, names)
	}
	return nil
}

// definitionNamed returns the name of a definition that an argument names as
// kubectl does, unless there is a file of that name.
func definitionNamed(arg string) (string, bool) {
	kind, name, ok := strings.Cut(arg, "/")
	if !ok || name == "" || strings.Contains(name, "/") {
		return "", false
	}
	kind, _, _ = strings.Cut(strings.ToLower(kind), ".")
	if !slices.Contains([]string{"crd", "crds", "customresourcedefinition", "customresourcedefinitions"}, kind) {
		return "", false
	}
	_, err := os.Lstat(arg)
	return name, err != nil
}

// readFiles takes in what one name stands for. What cannot be read is kept as an
// error, so that all else is checked.
func (l *lintCommand) readFiles(r *lintRun, name string) {
	if strings.Contains(name, "://") {
		r.broken(name, errors.New("it is an address; fetch it, and give it as -"))
		return
	}
	textReader{in: l.env.in, recursive: l.recursive, read: crd.ReadAll}.each(name, r.take)
}

func (r *lintRun) take(name string, text []byte, err error) {
	if errors.Is(err, filepath.ErrBadPattern) {
		err = errors.Join(errNoMatch, err)
	}
	if err != nil {
		r.broken(name, err)
		return
	}
	r.add(name, text)
}

// broken keeps why something could not be read.
func (r *lintRun) broken(name string, err error) {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	r.unread = append(r.unread, fmt.Errorf("%s: %w", name, err))
}
