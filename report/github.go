package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// SummaryLimit is how many bytes a step may add to $GITHUB_STEP_SUMMARY. What is
// longer is not shown at all: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
const SummaryLimit = 1 << 20

// How many annotations of a kind a step may make; more are dropped.
const mostAnnotations = 10

// How long the texts of an annotation may be, as the API of check runs has it.
const (
	mostTitle      = 255
	mostAnnotation = 4096
)

// GitHub writes the run as workflow commands of GitHub Actions: an error for
// each object that is not there, the worst first, and a warning for each of which
// that is only assumed, where its manifest stands. Files are told relative to root,
// the workspace; those of the run may be relative to dir, where it was started.
// What is not in the workspace is told without its file.
func (r *Run) GitHub(w io.Writer, root, dir string) error {
	in := workspace{root, dir}
	var errs, warnings []string
	for _, o := range r.Objects {
		switch {
		case !o.counts():
		case o.Standing == observe.ProgressReached && o.Status == status.CurrentStatus && o.Confidence == status.ConfidenceAssumed:
			warnings = append(warnings, r.annotation("warning", o, "is only assumed to be there", in))
		case o.Standing != observe.ProgressReached && !r.isUndecided(o):
			errs = append(errs, r.annotation("error", o, ended(o), in))
		}
	}
	if len(errs) == 0 && r.Result.ExitCode != 0 {
		text := r.Result.Error
		if text == "" {
			text = r.summary()
		}
		errs = append(errs, Command("error", text, "title", "kstatus wait: "+r.Result.Outcome))
	}
	out := append(shown(errs, "error", "not there"), shown(warnings, "warning", "only assumed to be there")...)
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
	return append(all[:mostAnnotations:mostAnnotations], Command("notice", more, "title", "kstatus wait: more "+text.Plural(kind)))
}

// ended says in a word or two how it went with an object that is not there.
func ended(o *Object) string {
	switch o.Standing {
	case observe.ProgressFailed:
		return "failed"
	case observe.ProgressUnreadable:
		return "cannot be seen"
	case observe.ProgressMissing:
		return "is missing"
	}
	return "is not there"
}

// annotation tells of an object: its first cause if one is known, and its verdict.
func (r *Run) annotation(kind string, o *Object, ended string, in workspace) string {
	message := o.word() + ": " + o.text()
	if cause := r.firstCause(o); cause != "" && !strings.Contains(message, cause) {
		message = cause + "\n" + message
	}
	_, name, _ := strings.Cut(o.String(), "/")
	props := []string{"title", cut(text.Safe(fmt.Sprintf("%s %s %s", o.ID.Kind, name, ended)), mostTitle)}
	if file := in.file(o.Source); file != "" {
		props = append(props, "file", file, "line", fmt.Sprint(o.Source.Line))
	}
	return Command(kind, cut(message, mostAnnotation), props...)
}

// A workspace is where files are.
type workspace struct{ root, dir string }

// InWorkspace returns a file as an annotation of GitHub names it: relative to
// root, the workspace, where files may be relative to dir. It is empty for what
// is no file in there.
func InWorkspace(root, dir, file string) string {
	return workspace{root, dir}.file(&Source{File: file, Line: 1})
}

// file returns the file of a source relative to the root, empty if it is none
// in there. What has no line may be a folder, as that of a kustomization.
func (in workspace) file(from *Source) string {
	if from == nil || from.Line == 0 || from.File == "-" || strings.Contains(from.File, "://") {
		return ""
	}
	file := from.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(in.dir, file)
	}
	if in.root != "" {
		rel, err := filepath.Rel(in.root, file)
		if err != nil {
			return ""
		}
		file = rel
	}
	if !filepath.IsLocal(file) {
		return ""
	}
	return filepath.ToSlash(file)
}

// Command returns a workflow command as a line. The properties are names and
// their values in turn. What would end a value is escaped, as the commands of
// github.com/actions/toolkit do.
func Command(name, message string, properties ...string) string {
	var b strings.Builder
	b.WriteString("::" + name)
	sep := " "
	for i := 0; i+1 < len(properties); i += 2 {
		fmt.Fprintf(&b, "%s%s=%s", sep, properties[i], propertyEscapes.Replace(properties[i+1]))
		sep = ","
	}
	var lines []string
	for line := range strings.SplitSeq(message, "\n") {
		lines = append(lines, text.Safe(line))
	}
	b.WriteString("::" + messageEscapes.Replace(strings.Join(lines, "\n")) + "\n")
	return b.String()
}

var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
