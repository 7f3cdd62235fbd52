package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"kstatus.dev/internal/text"
	"kstatus.dev/kube/crd"
)

// readFiles adds the files that a name stands for, as [textReader.each] reads them.
// It keeps errors in unread, so that everything else is checked.
func (r *checkRun) readFiles(name string, recursive bool) {
	if strings.Contains(name, "://") {
		r.fileFailed(name, errors.New("it is an address; fetch it, and give it as -"))
		return
	}
	textReader{in: r.env.in, recursive: recursive, read: crd.ReadAll}.each(name, func(name string, text []byte, err error) {
		if errors.Is(err, filepath.ErrBadPattern) {
			err = errors.Join(errNoMatch, err)
		}
		if err != nil {
			r.fileFailed(name, err)
			return
		}
		r.addFile(name, text)
	})
}

// fileFailed keeps why a file cannot be read.
func (r *checkRun) fileFailed(name string, err error) {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	r.unread = append(r.unread, fmt.Errorf("%s: %w", name, err))
}

// addFile adds the objects of a file, and prints warnings about what is odd in it.
func (r *checkRun) addFile(name string, content []byte) {
	f := crd.Parse(name, content)
	r.unread = append(r.unread, f.Errors()...)
	for _, odd := range f.Warnings() {
		fmt.Fprintln(r.env.err, text.Line("warning: "+odd.Error()))
	}
	r.files = append(r.files, checkedFile{name, content, f})
	for i, o := range f.Objects() {
		suppressions, errs := o.Suppressions()
		place := objectPlace{file: len(r.files) - 1, object: i}
		for _, s := range suppressions {
			c := checkCalled(lintChecks(), s.Check)
			if c == nil {
				errs = append(errs, &crd.Error{File: name, Line: s.Line, Err: fmt.Errorf("kstatus-lint: there is no check %q", s.Check)})
				continue
			}
			s.Check = c.Name
			place.suppressions = append(place.suppressions, s)
		}
		for _, err := range errs {
			fmt.Fprintln(r.env.err, text.Line("warning: "+err.Error()))
		}
		r.add(o.Value, place)
	}
}

// reread returns a run of the same checks on the same files with new texts.
func (r *checkRun) reread(texts [][]byte) *checkRun {
	again := &checkRun{options: r.options, form: r.form}
	again.env.err = io.Discard // warnings are printed already
	for i, f := range r.files {
		again.addFile(f.name, texts[i])
	}
	again.env, again.unread = r.env, r.unread
	again.check()
	return again
}
