package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// A checkRun runs checks on definitions and other objects, and prints the findings.
// The caller reads files or a cluster into it, sets the options, calls check and
// then print.
type checkRun struct {
	env     environment
	options lint.Options
	form    findingForm

	files  []checkedFile
	bundle lint.Bundle
	places []objectPlace // of the objects of the bundle
	unread []error       // what could not be read or written

	findings []lint.Finding
	ignored  []ignoredFinding
}

// A checkedFile is a file that was read.
type checkedFile struct {
	name   string
	text   []byte
	parsed *crd.File
}

// An objectPlace is where an object of the bundle was read.
type objectPlace struct {
	file, object int // indices; the file is -1 for an object of a cluster
	suppressions []crd.Suppression
}

// An ignoredFinding is a finding that a comment or an annotation has ignored.
type ignoredFinding struct {
	lint.Finding
	reason string
}

// add adds an object to the bundle.
func (r *checkRun) add(o map[string]any, place objectPlace) {
	r.bundle.Objects = append(r.bundle.Objects, o)
	r.places = append(r.places, place)
}

// object returns the text of an object of the bundle; nil if it has none.
func (r *checkRun) object(i int) *crd.Object {
	if i < 0 || i >= len(r.places) || r.places[i].file < 0 {
		return nil
	}
	return r.files[r.places[i].file].parsed.Objects()[r.places[i].object]
}

// check runs the checks.
func (r *checkRun) check() {
	r.options.Ignored = func(f lint.Finding) bool {
		_, ignored := r.suppressionOf(f)
		return ignored
	}
	o := r.options
	o.Ignored = func(f lint.Finding) bool {
		s, ignored := r.suppressionOf(f)
		if ignored {
			r.ignored = append(r.ignored, ignoredFinding{f, s.Reason})
		}
		return ignored
	}
	r.ignored = nil
	r.findings = lint.Run(r.bundle, o)
}

// suppressionOf returns the comment or annotation that has a finding ignored.
func (r *checkRun) suppressionOf(f lint.Finding) (crd.Suppression, bool) {
	if f.Object < 0 || f.Object >= len(r.places) {
		return crd.Suppression{}, false
	}
	o := r.object(f.Object)
	for _, s := range r.places[f.Object].suppressions {
		if s.Covers(o, f.Check, f.Path) {
			return s, true
		}
	}
	return crd.Suppression{}, false
}

// fail prints an error at once, and makes the exit code 1 at least.
func (r *checkRun) fail(err error) {
	r.unread = append(r.unread, err)
	r.env.complain(err)
}

// code returns the exit code.
func (r *checkRun) code() exitCode {
	code := exitOK
	if r.count(lint.Error) > 0 {
		code = exitFindings
	}
	if len(r.unread) > 0 {
		code = worse(code, exitUncertain)
	}
	return code
}

// count returns how many findings have a severity.
func (r *checkRun) count(s lint.Severity) int {
	n := 0
	for _, f := range r.findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// A filePosition is where a finding is shown. It is empty for objects of a cluster.
type filePosition struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// String returns the position as compilers print it.
func (p filePosition) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// position returns where a finding is shown. A finding about the whole bundle is
// shown at the first file.
func (r *checkRun) position(f lint.Finding) filePosition {
	if o := r.object(f.Object); o != nil {
		line, column := o.Position(f.Path)
		return filePosition{o.File(), line, column}
	}
	if f.Object < 0 && len(r.files) > 0 {
		return filePosition{File: r.files[0].name, Line: 1, Column: 1}
	}
	return filePosition{}
}

// A placedFinding is a finding and where it is shown.
type placedFinding struct {
	lint.Finding
	at filePosition
}

// inOrder returns the findings by file and line.
func (r *checkRun) inOrder() []placedFinding {
	var all []placedFinding
	for _, f := range r.findings {
		all = append(all, placedFinding{f, r.position(f)})
	}
	order := map[string]int{}
	for i, f := range r.files {
		if _, known := order[f.name]; !known {
			order[f.name] = i
		}
	}
	slices.SortStableFunc(all, func(a, b placedFinding) int {
		return cmp.Or(order[a.at.File]-order[b.at.File], a.at.Line-b.at.Line, a.at.Column-b.at.Column)
	})
	return all
}

// relativePath returns a file as it is named from the working directory, if it is below it.
func relativePath(file string) string {
	if rel, err := filepath.Rel(".", file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}
