package findings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"kstatus.dev/author/crd"
	"kstatus.dev/cmd/kstatus/internal/manifest"
)

// ReadFiles adds the files of a name, as [TextReader.each] reads them. It collects errors in
// Unread and continues with the other files.
func (r *Run) ReadFiles(name string, recursive bool) {
	if strings.Contains(name, "://") {
		r.fileFailed(name, errors.New("it is an address; fetch it, and give it as -"))
		return
	}
	manifest.TextReader{In: r.Env.In, Recursive: recursive, Read: crd.ReadAll}.Each(name, func(name string, text []byte, err error) {
		if errors.Is(err, filepath.ErrBadPattern) {
			err = errors.Join(manifest.ErrNoMatch, err)
		}
		if err != nil {
			r.fileFailed(name, err)
			return
		}
		r.addFile(name, text)
	})
}

// fileFailed adds the error about a file to Unread.
func (r *Run) fileFailed(name string, err error) {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	r.Unread = append(r.Unread, fmt.Errorf("%s: %w", name, err))
}

// addFile adds the objects of a file, and prints warnings about its text.
func (r *Run) addFile(name string, content []byte) {
	f := crd.Parse(name, content)
	r.Unread = append(r.Unread, f.Errors()...)
	for _, odd := range f.Warnings() {
		r.Env.Print("warning: %v", odd)
	}
	r.Files = append(r.Files, File{name, content, f})
	for _, err := range f.SuppressionErrors() {
		r.Env.Print("warning: %v", err)
	}
	for i, o := range f.Objects() {
		suppressions, errs := o.Suppressions()
		place := Place{File: len(r.Files) - 1, Object: i, text: o}
		for _, s := range suppressions {
			c := checkByName(LintChecks(), s.Check)
			if c == nil {
				errs = append(errs, &crd.Error{File: name, Line: s.Line, Err: fmt.Errorf("kstatus-lint: unknown check %q", s.Check)})
				continue
			}
			s.Check = c.Name
			place.suppressions = append(place.suppressions, s)
		}
		for _, err := range errs {
			r.Env.Print("warning: %v", err)
		}
		r.add(o.Value, place)
	}
}

// Reread returns a run of the same checks on the same files with new texts.
func (r *Run) Reread(texts [][]byte) *Run {
	again := &Run{Options: r.Options, Form: r.Form}
	again.Env.Err = io.Discard // the first run has printed the warnings
	for i, f := range r.Files {
		again.addFile(f.Name, texts[i])
	}
	again.Env, again.Unread = r.Env, r.Unread
	again.Check()
	return again
}
