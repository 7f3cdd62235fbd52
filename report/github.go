package report

import (
	"fmt"
	"io"
	"strings"

	"kstatus.dev/internal/annotation"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// How many annotations of a kind a step may make; more are dropped.
const mostAnnotations = 10

// How long the texts of an annotation may be, as the API of check runs has it.
const (
	mostTitle      = 255
	mostAnnotation = 4096
)

// GitHub writes the run as workflow commands of GitHub Actions: an error for
// each object that is not there, the worst first, and a warning for each of which
// that is only assumed or that has a caveat, where its manifest stands. Files are told relative to root,
// the workspace; those of the run may be relative to dir, where it was started.
// What is not in the workspace is told without its file.
func (r *Run) GitHub(w io.Writer, root, dir string) error {
	var errs, warnings []string
	for _, o := range r.Objects {
		switch {
		case !o.counts():
		case o.Standing == observe.ProgressReached && o.Status == status.CurrentStatus && o.Confidence == status.ConfidenceAssumed:
			warnings = append(warnings, r.annotation("warning", o, "is only assumed to be there", root, dir))
		case o.Standing == observe.ProgressReached && o.warning() != "":
			warnings = append(warnings, r.annotation("warning", o, "is Current, with a warning", root, dir))
		case o.Standing != observe.ProgressReached && !r.isUndecided(o):
			errs = append(errs, r.annotation("error", o, r.ended(o), root, dir))
		}
	}
	if len(errs) == 0 && r.Result.ExitCode != 0 {
		text := r.Result.Error
		if text == "" {
			text = r.summary()
		}
		errs = append(errs, annotation.Command("error", text, "title", "kstatus wait: "+r.Result.Outcome))
	}
	out := append(shown(errs, "error", "not there"), shown(warnings, "warning", "Current, with a warning")...)
	_, err := io.WriteString(w, strings.Join(out, ""))
	return err
}

// shown keeps as many annotations as GitHub shows. Where there are more, a
// notice tells how many.
func shown(all []string, kind, are string) []string {
	if len(all) <= mostAnnotations {
		return all
	}
	more := fmt.Sprintf("%d more objects are %s; the summary of the job tells of all", len(all)-mostAnnotations, are)
	return append(all[:mostAnnotations:mostAnnotations], annotation.Command("notice", more, "title", "kstatus wait: more "+text.Plural(kind)))
}

// ended says in a word or two how it went with an object that is not there.
func (r *Run) ended(o *Object) string {
	if r.hasFailed(o) {
		return "failed"
	}
	switch o.Standing {
	case observe.ProgressUnreadable:
		return "cannot be seen"
	case observe.ProgressMissing:
		return "is missing"
	}
	return "is not there"
}

// annotation tells of an object: its first cause if one is known, and its verdict.
func (r *Run) annotation(kind string, o *Object, ended, root, dir string) string {
	message := o.word() + ": " + o.text()
	if warning := o.warning(); warning != "" {
		message = warning + "\n" + message
	}
	if cause := r.firstCause(o); cause != "" && !strings.Contains(message, cause) {
		message = cause + "\n" + message
	}
	_, name, _ := strings.Cut(o.String(), "/")
	props := []string{"title", cut(text.Safe(fmt.Sprintf("%s %s %s", o.ID.Kind, name, ended)), mostTitle)}
	if file := workspaceFile(o.Source, root, dir); file != "" {
		props = append(props, "file", file, "line", fmt.Sprint(o.Source.Line))
	}
	return annotation.Command(kind, cut(message, mostAnnotation), props...)
}

// workspaceFile returns the file of a source as an annotation names it, empty if it is none
// in the workspace. A source without a line may be a folder, as that of a kustomization.
func workspaceFile(from *Source, root, dir string) string {
	if from == nil || from.Line == 0 {
		return ""
	}
	return annotation.File(root, dir, from.File)
}
