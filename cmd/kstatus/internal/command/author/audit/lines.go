package audit

import (
	"bufio"
	"io"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/severity"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/annotation"
)

// docs/reference/audit.schema.json is the schema of the lines of -o json. Their times are those
// of the writes, so that the same stream gives the same lines.

// An auditStart is the first line.
type auditStart struct {
	V    int    `json:"v"`
	Type string `json:"type"` // "start"
	Time string `json:"time"` // of the first write
}

// A findingLine is the line about a finding.
type findingLine struct {
	V    int    `json:"v"`
	Type string `json:"type"` // "finding"
	audit.Finding
}

// A kindLine counts the writes to the objects of a kind.
type kindLine struct {
	V    int    `json:"v"`
	Type string `json:"type"` // "kind"
	audit.KindMetrics
}

// An auditEnd is the last line.
type auditEnd struct {
	V        int                    `json:"v"`
	Type     string                 `json:"type"` // "result"
	Time     string                 `json:"time"` // of the last write
	Outcome  string                 `json:"outcome"`
	ExitCode exit.Code              `json:"exitCode"`
	Counts   map[severity.Level]int `json:"counts"`
	Coverage audit.Coverage         `json:"coverage"`
	Unused   []audit.Suppression    `json:"unused,omitempty"`
}

// lines prints the report as lines of JSON.
func (r auditResult) lines(env cli.Env) error {
	out := bufio.NewWriterSize(env.Out, 1<<16)
	encoder := terminal.NewEncoder(out)
	all := []any{auditStart{output.Version, "start", output.FormatExactTime(r.report.From)}}
	end := auditEnd{V: output.Version, Type: "result", Time: output.FormatExactTime(r.report.To), Outcome: r.code.Outcome(), ExitCode: r.code,
		Counts: map[severity.Level]int{severity.Error: 0, severity.Warning: 0, severity.Info: 0}, Coverage: r.report.Coverage, Unused: r.report.Unused}
	for _, f := range r.report.Findings {
		end.Counts[f.Severity]++
		all = append(all, findingLine{V: output.Version, Type: "finding", Finding: f})
	}
	for _, f := range r.report.Suppressed {
		all = append(all, findingLine{output.Version, "finding", f})
	}
	for _, m := range r.kinds {
		all = append(all, kindLine{output.Version, "kind", m})
	}
	for _, line := range append(all, end) {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// github prints the report as workflow commands of GitHub Actions, one for each group of equal
// findings.
func (r auditResult) github(env cli.Env) error {
	for _, b := range groupFindings(r.report.Findings) {
		f := b.findings[0]
		text := b.frequency() + "\n" + example(f)
		if _, err := io.WriteString(cli.Commands(env.Out), annotation.Command(findings.GitHubCommand(f.Severity), text, "title", f.Rule+" "+f.Name)); err != nil {
			return err
		}
	}
	return nil
}
