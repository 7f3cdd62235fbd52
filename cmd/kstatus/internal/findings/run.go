// Package findings has the common parts of lint and capi check. It reads definitions, runs checks,
// and prints findings as text, JSON, SARIF and annotations of GitHub.
package findings

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// A Run runs checks on definitions and other objects, and prints the findings. The caller sets
// the options, adds objects from files or a cluster, and then calls Check and Print.
type Run struct {
	Env     cli.Env
	Options lint.Options
	Form    Form

	Files  []File
	Bundle lint.Bundle
	Places []Place // of the objects of the bundle, by index
	Unread []error // files and objects that could not be read or written

	Findings []lint.Finding
	ignored  []ignoredFinding
}

// A File is a file and its text.
type File struct {
	Name   string
	Text   []byte
	Parsed *crd.File
}

// A Place is the origin of an object of the bundle.
type Place struct {
	File, Object int // indices; the file is -1 for an object of a cluster
	text         *crd.Object
	suppressions []crd.Suppression
}

// An ignoredFinding is a finding that a comment or an annotation ignores.
type ignoredFinding struct {
	lint.Finding
	reason string
}

// add adds an object to the bundle.
func (r *Run) add(o map[string]any, place Place) {
	r.Bundle.Objects = append(r.Bundle.Objects, o)
	r.Places = append(r.Places, place)
}

// object returns the text of an object of the bundle, or nil without one.
func (r *Run) object(i int) *crd.Object {
	if i < 0 || i >= len(r.Places) {
		return nil
	}
	return r.Places[i].text
}

// Check runs the checks.
func (r *Run) Check() {
	r.Options.Ignore = func(f lint.Finding) bool {
		_, ignored := r.suppressionOf(f)
		return ignored
	}
	o := r.Options
	o.Ignore = func(f lint.Finding) bool {
		s, ignored := r.suppressionOf(f)
		if ignored {
			r.ignored = append(r.ignored, ignoredFinding{f, s.Reason})
		}
		return ignored
	}
	r.ignored = nil
	r.Findings = lint.Run(r.Bundle, o)
	for i := range r.Findings {
		r.Findings[i].Message = RedactMessage(r.Findings[i].Message)
	}
}

// suppressionOf returns the comment or annotation that ignores a finding.
func (r *Run) suppressionOf(f lint.Finding) (crd.Suppression, bool) {
	if f.Object < 0 || f.Object >= len(r.Places) {
		return crd.Suppression{}, false
	}
	o := r.object(f.Object)
	for _, s := range r.Places[f.Object].suppressions {
		if s.Covers(o, f.Check, f.Path) {
			return s, true
		}
	}
	return crd.Suppression{}, false
}

// Fail prints an error at once, and sets the exit code to at least 1.
func (r *Run) Fail(err error) {
	r.Unread = append(r.Unread, err)
	r.Env.PrintError(err)
}

// Code returns the exit code.
func (r *Run) Code() exit.Code {
	code := exit.OK
	if r.count(severity.Error) > 0 {
		code = exit.Findings
	}
	if len(r.Unread) > 0 {
		code = exit.Worse(code, exit.Uncertain)
	}
	return code
}

// count returns the number of findings with a severity.
func (r *Run) count(s severity.Level) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// A filePosition is the displayed position of a finding. It is empty for objects of a cluster.
type filePosition struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// String returns the position in the form of compiler errors.
func (p filePosition) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// position returns the displayed position of a finding. A finding about the whole bundle gets
// the first file.
func (r *Run) position(f lint.Finding) filePosition {
	if o := r.object(f.Object); o != nil {
		line, column := o.Position(f.Path)
		return filePosition{o.File(), line, column}
	}
	if f.Object < 0 && len(r.Files) > 0 {
		return filePosition{File: r.Files[0].Name, Line: 1, Column: 1}
	}
	return filePosition{}
}

// A placedFinding is a finding with its position.
type placedFinding struct {
	lint.Finding
	at filePosition
}

// sorted returns the findings by file and line.
func (r *Run) sorted() []placedFinding {
	var all []placedFinding
	for _, f := range r.Findings {
		all = append(all, placedFinding{f, r.position(f)})
	}
	order := map[string]int{}
	for i, f := range r.Files {
		if _, known := order[f.Name]; !known {
			order[f.Name] = i
		}
	}
	slices.SortStableFunc(all, func(a, b placedFinding) int {
		return cmp.Or(order[a.at.File]-order[b.at.File], a.at.Line-b.at.Line, a.at.Column-b.at.Column)
	})
	return all
}

// RelativePath returns the path of a file relative to the working directory if the file is below
// it. Otherwise it returns file.
func RelativePath(file string) string {
	if rel, err := filepath.Rel(".", file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}
