package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"k8s.io/client-go/rest"

	"kstatus.dev/internal/text"
	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// A lintRun is what was read to be checked, and what was found.
type lintRun struct {
	env      environment
	contract bool // the findings are about the contract of Cluster API: what new objects read is not told
	options  lint.Options
	files    []lintFile
	bundle   lint.Bundle
	places   []lintPlace // of the objects of the bundle
	unread   []error     // what could not be read
	findings []lint.Finding
	ignored  []ignoredFinding
	config   *rest.Config // of the cluster, if there are definitions of one
}

// A lintFile is a file that was read.
type lintFile struct {
	name   string
	text   []byte
	parsed *crd.File
}

// A lintPlace is where an object of the bundle was read.
type lintPlace struct {
	file, object int // indices; the file is -1 for an object of a cluster
	suppressed   []crd.Suppression
}

// An ignoredFinding is one that somebody has written a reason not to tell for.
type ignoredFinding struct {
	lint.Finding
	reason string
}

// add takes in a file that was read.
func (r *lintRun) add(name string, data []byte) {
	f := crd.Parse(name, data)
	r.unread = append(r.unread, f.Errors()...)
	for _, odd := range f.Warnings() {
		fmt.Fprintln(r.env.err, text.Line("warning: "+odd.Error()))
	}
	r.files = append(r.files, lintFile{name, data, f})
	for i, o := range f.Objects() {
		suppressed, errs := o.Suppressions()
		place := lintPlace{file: len(r.files) - 1, object: i}
		for _, s := range suppressed {
			c := checkNamed(s.Check)
			if c == nil {
				errs = append(errs, &crd.Error{File: name, Line: s.Line, Err: fmt.Errorf("kstatus-lint: there is no check %q", s.Check)})
				continue
			}
			s.Check = c.Name
			place.suppressed = append(place.suppressed, s)
		}
		for _, err := range errs {
			fmt.Fprintln(r.env.err, text.Line("warning: "+err.Error()))
		}
		r.bundle.Objects = append(r.bundle.Objects, o.Value)
		r.places = append(r.places, place)
	}
}

// object returns the text of an object of the bundle; nil if it has none.
func (r *lintRun) object(i int) *crd.Object {
	if i < 0 || i >= len(r.places) || r.places[i].file < 0 {
		return nil
	}
	return r.files[r.places[i].file].parsed.Objects()[r.places[i].object]
}

// look runs the checks.
func (r *lintRun) look() {
	r.options.Ignored = func(f lint.Finding) bool {
		_, ignored := r.suppressedBy(f)
		return ignored
	}
	o := r.options
	o.Ignored = func(f lint.Finding) bool {
		s, ignored := r.suppressedBy(f)
		if ignored {
			r.ignored = append(r.ignored, ignoredFinding{f, s.Reason})
		}
		return ignored
	}
	r.ignored = nil
	r.findings = lint.Run(r.bundle, o)
}

// suppressedBy returns what has a finding ignored, if something has.
func (r *lintRun) suppressedBy(f lint.Finding) (crd.Suppression, bool) {
	if f.Object < 0 || f.Object >= len(r.places) {
		return crd.Suppression{}, false
	}
	o := r.object(f.Object)
	for _, s := range r.places[f.Object].suppressed {
		if s.Covers(o, f.Check, f.Path) {
			return s, true
		}
	}
	return crd.Suppression{}, false
}

// count returns how many findings have a severity.
func (r *lintRun) count(s lint.Severity) int {
	n := 0
	for _, f := range r.findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// A spot is where a finding is shown: a field of a file, or of a definition of a cluster.
type lintSpot struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// spot returns where a finding is to be shown. What is about the bundle as a
// whole is shown at the first file.
func (r *lintRun) spot(f lint.Finding) lintSpot {
	if o := r.object(f.Object); o != nil {
		line, column := o.Position(f.Path)
		return lintSpot{o.File(), line, column}
	}
	if f.Object < 0 && len(r.files) > 0 {
		return lintSpot{File: r.files[0].name, Line: 1, Column: 1}
	}
	return lintSpot{}
}

// String returns the spot as compilers do.
func (s lintSpot) String() string {
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
}

// A placed finding is one with where it is shown.
type placedFinding struct {
	lint.Finding
	at lintSpot
}

// inOrder returns the findings by file and line.
func (r *lintRun) inOrder() []placedFinding {
	var all []placedFinding
	for _, f := range r.findings {
		all = append(all, placedFinding{f, r.spot(f)})
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

// mendable says in a word whether a program can repair a finding.
func mendable(f lint.Finding) string {
	switch {
	case f.Fix == nil:
		return "by hand"
	case f.Fix.Unsafe:
		return "--fix --unsafe"
	}
	return "--fix"
}

// relative returns a file as it is named from the working directory, if it is below it.
func relative(file string) string {
	if rel, err := filepath.Rel(".", file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}
