package crd

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
)

// IgnoreAnnotation is the annotation of a definition that suppresses checks.
// Each line has the name of a check, then the reason.
const IgnoreAnnotation = "kstatus.dev/author/lint-ignore"

// A Suppression is a comment or annotation that suppresses a check for a field
// and the fields below it.
type Suppression struct {
	Check  string
	Reason string
	Line   int // of the comment in its file; zero for an annotation
	target int // the line of the field in the document; zero for the whole object
}

var ignoreComment = regexp.MustCompile(`#\s*kstatus-lint:\s*(.*?)\s*$`)

// Suppressions returns the suppressions in the annotation [IgnoreAnnotation].
// It also returns those in comments above or beside a field of the object, with
// the form
//
//	# kstatus-lint: ignore NAME reason
//
// A comment without a reason suppresses nothing. It is an error with its line,
// see [File.SuppressionErrors].
func (o *Object) Suppressions() (all []Suppression, errs []error) {
	d := o.Document
	all = d.comments
	if !d.hasAliases { // the fields of an alias are elsewhere in the text
		from, _ := slices.BinarySearchFunc(all, o.node.Line, compareTarget)
		to := len(all)
		if o.end > 0 && o.found {
			to, _ = slices.BinarySearchFunc(all, o.end+1, compareTarget) // the next object may begin on the last line of this one
		}
		all = all[from:max(from, to)]
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].Line += d.Line - 1
	}
	for line, s := range annotations(o.Value) {
		if s.Reason == "" {
			at, _ := o.Position(lint.Path{"metadata", "annotations", IgnoreAnnotation})
			errs = append(errs, &Error{File: o.Document.file, Line: at, Err: fmt.Errorf("annotation %s: %q: want a name and a reason", IgnoreAnnotation, line)})
			continue
		}
		all = append(all, s)
	}
	return all, errs
}

func compareTarget(s Suppression, line int) int { return s.target - line }

// SuppressionErrors returns errors for malformed comments that are meant to
// suppress checks.
func (f *File) SuppressionErrors() (all []error) {
	for _, d := range f.Documents {
		for _, err := range d.commentErrors {
			all = append(all, d.locate(err))
		}
	}
	return all
}

// readComments reads the comments that suppress checks.
func (d *Document) readComments() {
	if !bytes.Contains(d.text, []byte("kstatus-lint")) {
		return
	}
	lines := strings.SplitAfter(string(d.text), "\n")
	target := len(lines) // the target of a comment: the next line that is neither blank nor a comment
	for i := len(lines) - 1; i >= 0; i-- {
		if !isBlankOrComment([]byte(lines[i])) {
			target = i + 1
		}
		match := ignoreComment.FindStringSubmatch(strings.TrimRight(lines[i], "\r\n"))
		if match == nil {
			continue
		}
		verb, rest, _ := strings.Cut(match[1], " ")
		s, err := suppression(rest)
		if verb != "ignore" {
			err = fmt.Errorf("kstatus-lint: want ignore NAME reason, have %q", match[1])
		}
		if err != nil {
			d.commentErrors = append(d.commentErrors, &Error{File: d.file, Line: i + 1, Err: err})
			continue
		}
		s.Line, s.target = i+1, target
		d.comments = append(d.comments, s)
	}
	slices.Reverse(d.comments)
	slices.Reverse(d.commentErrors)
}

// AnnotationSuppressions returns the suppressions in the annotation [IgnoreAnnotation] of
// an object. Lines without a reason suppress nothing.
func AnnotationSuppressions(o map[string]any) (all []Suppression) {
	for _, s := range annotations(o) {
		if s.Reason != "" {
			all = append(all, s)
		}
	}
	return all
}

// annotations yields the lines of the annotation, including those without a
// reason.
func annotations(o map[string]any) iter.Seq2[string, Suppression] {
	text := decoded.Text(o, "metadata", "annotations", IgnoreAnnotation)
	return func(yield func(string, Suppression) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if s, err := suppression(line); line != "" && (err == nil || s.Reason == "") && !yield(line, s) {
				return
			}
		}
	}
}

func suppression(text string) (Suppression, error) {
	name, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	s := Suppression{Check: name, Reason: strings.TrimSpace(reason)}
	switch {
	case name == "":
		return s, errors.New("kstatus-lint: want the name of a check and a reason, have neither")
	case s.Reason == "":
		return s, fmt.Errorf("kstatus-lint: ignore %s: want a reason after it", name)
	}
	return s, nil
}

// Covers reports whether the suppression applies to a check of a field.
func (s Suppression) Covers(o *Object, check string, p lint.Path) bool {
	if s.Check != check {
		return false
	}
	if s.target == 0 {
		return true
	}
	for _, node := range o.nodePath(p) {
		if node.Line == s.target {
			return true
		}
	}
	return false
}
