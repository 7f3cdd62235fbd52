package findings

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/internal/annotation"
	"kstatus.dev/internal/text"
)

// The formats of -o.
var findingFormats = []string{"text", "json", "sarif", "github"}

// A Form holds the parts of the output that differ between commands.
type Form struct {
	CommandName string                    // such as "capi check", for SARIF.
	Place       func(lint.Finding) string // returns the place of a finding without a file.
	Advice      func(lint.Finding) string // precedes a suggested fix; nil for no text
	Summary     func(*Run) string         // the last line of the text
	More        func(*Run) []ExtraLine
}

// An ExtraLine is a line after the findings.
type ExtraLine struct {
	Text string // empty for no line
	JSON any
}

// moreLines returns the lines of the command after the findings.
func (r *Run) moreLines() []ExtraLine {
	if r.Form.More == nil {
		return nil
	}
	return r.Form.More(r)
}

// Print prints the findings in the format of -o.
func (r *Run) Print(flags Flags) error {
	out := bufio.NewWriter(r.Env.Out)
	var err error
	switch flags.Output {
	case "json":
		err = r.printJSON(out)
	case "sarif":
		err = r.printSARIF(out)
	case "github":
		err = r.printGitHub(out)
	default:
		r.printText(out, r.Env.HasColours(r.Env.Out, flags.colour))
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// printText prints one line per finding, in the form of compiler errors, with the suggestion.
func (r *Run) printText(out *bufio.Writer, colour bool) {
	for _, f := range r.sorted() {
		where := f.at.String()
		if where == "" {
			where = r.Form.Place(f.Finding)
		}
		fmt.Fprintf(out, "%s: %s: %s%s [%s %s]\n", text.Line(where), severityWord(f.Severity, colour), text.Line(subjectOf(f.Finding)), text.Line(f.Message), f.ID, f.Check)
		if f.Suggestion != "" {
			advice := ""
			if r.Form.Advice != nil {
				advice = r.Form.Advice(f.Finding)
			}
			fmt.Fprintf(out, "    %s\n", text.Line(advice+f.Suggestion))
		}
	}
	for _, line := range r.moreLines() {
		if line.Text != "" {
			fmt.Fprintln(out, text.Line(line.Text))
		}
	}
	if len(r.Bundle.Objects) > 0 || len(r.Unread) == 0 { // errors say why nothing was read
		fmt.Fprintln(out, r.Form.Summary(r))
	}
}

// subjectOf returns the name and the version in a finding, as the beginning of its message.
func subjectOf(f lint.Finding) string {
	switch {
	case f.Name == "":
		return ""
	case f.Version == "":
		return f.Name + ": "
	}
	return f.Name + " " + f.Version + ": "
}

// Counts returns the number of findings of each severity.
func (r *Run) Counts() string {
	var parts []string
	for _, s := range severity.Levels() {
		if n := r.count(s); n > 0 {
			parts = append(parts, text.Count(n, s.String()))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

// IgnoredText returns the number of ignored findings, for the end of a summary.
func (r *Run) IgnoredText() string {
	if len(r.ignored) == 0 {
		return ""
	}
	return fmt.Sprintf(", %d ignored with a reason", len(r.ignored))
}

// printGitHub prints the findings as workflow commands of GitHub Actions. Findings outside of
// the workspace have no file.
func (r *Run) printGitHub(out io.Writer) error {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	out = cli.Commands(out)
	for _, f := range r.sorted() {
		text := f.Message
		if f.Suggestion != "" {
			text += "\n" + AdviceFor(f.Finding) + f.Suggestion
		}
		properties := []string{"title", subjectOf(f.Finding) + f.Check}
		if file := annotation.File(r.Env.Getenv("GITHUB_WORKSPACE"), dir, f.at.File); f.at.Line > 0 && file != "" {
			properties = append(properties, "file", file, "line", strconv.Itoa(f.at.Line), "col", strconv.Itoa(f.at.Column))
		}
		if _, err := io.WriteString(out, annotation.Command(GitHubCommand(f.Severity), text, properties...)); err != nil {
			return err
		}
	}
	return nil
}
