package findings

import (
	"io"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// A findingLine is one finding as a line of JSON. docs/reference/lint.schema.json is the schema
// of these lines.
type findingLine struct {
	V        int            `json:"v"`
	Type     string         `json:"type"` // "finding"
	ID       string         `json:"id"`
	Check    string         `json:"check"`
	Severity severity.Level `json:"severity"`
	Name     string         `json:"name"`
	Version  string         `json:"version,omitempty"`
	Path     string         `json:"path"`
	Message  string         `json:"message"`
	Repair   string         `json:"repair,omitempty"`
	Mends    string         `json:"mends"` // "safe", "unsafe" or "no"
	filePosition
	Ignored string `json:"ignored,omitempty"` // the reason for ignoring it
}

// A findingsEnd is the last line.
type findingsEnd struct {
	V           int       `json:"v"`
	Type        string    `json:"type"` // "result"
	Outcome     string    `json:"outcome"`
	ExitCode    exit.Code `json:"exitCode"`
	Definitions int       `json:"definitions"`
	Errors      int       `json:"errors"`
	Warnings    int       `json:"warnings"`
	Infos       int       `json:"infos"`
	Ignored     int       `json:"ignored"`
	Unread      []string  `json:"unread,omitempty"`
}

func (r *Run) findingLine(f lint.Finding, ignored string) findingLine {
	return findingLine{V: output.Version, Type: "finding", ID: f.ID, Check: f.Check, Severity: f.Severity, Name: f.Name, Version: f.Version,
		Path: f.Path.String(), Message: f.Message, Repair: f.Suggestion, Mends: FixabilityOf(f).String(), filePosition: r.position(f), Ignored: ignored}
}

// printJSON prints a line per finding, the lines of the command, and the result.
func (r *Run) printJSON(out io.Writer) error {
	var lines []any
	for _, f := range r.sorted() {
		lines = append(lines, r.findingLine(f.Finding, ""))
	}
	for _, f := range r.ignored {
		lines = append(lines, r.findingLine(f.Finding, f.reason))
	}
	for _, line := range r.moreLines() {
		lines = append(lines, line.JSON)
	}
	code := r.Code()
	end := findingsEnd{V: output.Version, Type: "result", Outcome: code.Outcome(), ExitCode: code, Definitions: len(r.Bundle.CRDs()),
		Errors: r.count(severity.Error), Warnings: r.count(severity.Warning), Infos: r.count(severity.Info), Ignored: len(r.ignored)}
	for _, err := range r.Unread {
		end.Unread = append(end.Unread, err.Error())
	}
	encode := terminal.NewEncoder(out)
	for _, line := range append(lines, end) {
		if err := encode.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
