package main

import (
	"io"
	"os"

	"kstatus.dev/lint"
	"kstatus.dev/report"
)

// printGitHub prints the findings as workflow commands of GitHub Actions. What
// stands outside of the workspace is told without its file.
func (l *lintCommand) printGitHub(out io.Writer, r *lintRun) error {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	words := map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Hint: "notice"}
	for _, f := range r.inOrder() {
		text := f.Message
		if f.Repair != "" {
			text += "\n" + mendable(f.Finding) + ": " + f.Repair
		}
		at := f.at
		properties := []string{"title", aboutOf(f.Finding) + f.Check}
		if file := report.InWorkspace(l.env.getenv("GITHUB_WORKSPACE"), dir, at.File); at.Line > 0 && file != "" {
			properties = append(properties, "file", file, "line", itoa(at.Line), "col", itoa(at.Column))
		}
		if _, err := io.WriteString(out, report.Command(words[f.Severity], text, properties...)); err != nil {
			return err
		}
	}
	return nil
}
