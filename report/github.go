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

// maxAnnotations is how many annotations of a kind a step may have; GitHub drops more.
const maxAnnotations = 10

// The longest texts of an annotation, by the API of check runs.
const (
	maxTitle      = 255
	maxAnnotation = 4096
)

// GitHub writes the run as workflow commands of GitHub Actions, at the places of the objects in
// their manifests. Each object that does not meet its goals is an error, the worst first. Each
// object that is only assumed to be Current or has a caveat is a warning. Files are relative to
// root, the workspace; those of the run may be relative to dir, its working directory. Files
// outside of the workspace are omitted.
func (r *Run) GitHub(w io.Writer, root, dir string) error {
	var errs, warnings []string
	for _, o := range r.Objects {
		switch {
		case !o.isCounted():
		case o.Progress == observe.ProgressReached && o.Status == status.CurrentStatus && o.Confidence == status.ConfidenceAssumed:
			warnings = append(warnings, r.annotation("warning", o, "is only assumed to be Current", root, dir))
		case o.Progress == observe.ProgressReached && o.warning() != "":
			warnings = append(warnings, r.annotation("warning", o, "is Current, with a warning", root, dir))
		case o.Progress != observe.ProgressReached && !r.isUndecided(o):
			errs = append(errs, r.annotation("error", o, r.outcomeText(o), root, dir))
		}
	}
	if len(errs) == 0 && r.Result.ExitCode != 0 {
		text := r.Result.Error
		if text == "" {
			text = r.summary()
		}
		errs = append(errs, annotation.Command("error", text, "title", "kstatus wait: "+r.Result.Outcome))
	}
	out := append(limitAnnotations(errs, "error", "have not met their goals"), limitAnnotations(warnings, "warning", "are Current, with a warning")...)
	_, err := io.WriteString(w, strings.Join(out, ""))
	return err
}

// limitAnnotations keeps as many annotations as GitHub shows, and adds a notice with the number of
// others.
func limitAnnotations(all []string, kind, are string) []string {
	if len(all) <= maxAnnotations {
		return all
	}
	more := fmt.Sprintf("%d more objects %s; see the summary of the job", len(all)-maxAnnotations, are)
	return append(all[:maxAnnotations:maxAnnotations], annotation.Command("notice", more, "title", "kstatus wait: more "+text.Plural(kind)))
}

// outcomeText returns in a word or two how an object ended that does not meet its goals.
func (r *Run) outcomeText(o *Object) string {
	if r.hasFailed(o) {
		return "failed"
	}
	switch o.Progress {
	case observe.ProgressUnreadable:
		return "cannot be read"
	case observe.ProgressMissing:
		return "is missing"
	}
	return "has not met its goals"
}

// annotation returns the annotation of an object: its first known cause, and its verdict.
func (r *Run) annotation(kind string, o *Object, ended, root, dir string) string {
	message := o.word() + ": " + o.text()
	if warning := o.warning(); warning != "" {
		message = warning + "\n" + message
	}
	if cause := r.firstCause(o); cause != "" && !strings.Contains(message, cause) {
		message = cause + "\n" + message
	}
	_, name, _ := strings.Cut(o.String(), "/")
	props := []string{"title", cut(text.Safe(fmt.Sprintf("%s %s %s", o.ID.Kind.Kind, name, ended)), maxTitle)}
	if file := workspaceFile(o.Source, root, dir); file != "" {
		props = append(props, "file", file, "line", fmt.Sprint(o.Source.Line))
	}
	return annotation.Command(kind, cut(message, maxAnnotation), props...)
}

// workspaceFile returns the file of a source relative to the workspace, empty if it is outside.
// A source without a line may be a folder, such as that of a kustomization.
func workspaceFile(from *Source, root, dir string) string {
	if from == nil || from.Line == 0 {
		return ""
	}
	return annotation.File(root, dir, from.File)
}
