package main

import (
	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/audit"
	"kstatus.dev/lint"
)

// A severityForm is how a severity is shown in each output.
type severityForm struct {
	gitHub string // the workflow command of GitHub Actions
	sarif  string // the level
	colour ansi.BasicColor
}

var severityForms = map[lint.Severity]severityForm{
	lint.Off:     {sarif: "none"},
	lint.Hint:    {gitHub: "notice", sarif: "note", colour: ansi.Cyan},
	lint.Warning: {gitHub: "warning", sarif: "warning", colour: ansi.Yellow},
	lint.Error:   {gitHub: "error", sarif: "error", colour: ansi.Red},
}

// auditSeverities gives the severities of audits in those of checks.
var auditSeverities = map[audit.Severity]lint.Severity{audit.Info: lint.Hint, audit.Warning: lint.Warning, audit.Error: lint.Error}

// severityWord returns the word for a severity, coloured or not.
func severityWord(s lint.Severity, colour bool) string {
	if !colour {
		return s.String()
	}
	return ansi.NewStyle().ForegroundColor(severityForms[s].colour).Styled(s.String())
}

// A fixability says how a finding can be fixed.
type fixability int

// The ways to fix a finding.
const (
	fixByHand fixability = iota
	fixSafely            // no valid object becomes invalid
	fixUnsafely
)

// fixabilityForms is how each is shown.
var fixabilityForms = [...]struct {
	flags string // those that fix it, for people
	word  string // for programs
}{
	fixByHand:   {"by hand", "no"},
	fixSafely:   {"--fix", "safe"},
	fixUnsafely: {"--fix --unsafe", "unsafe"},
}

func fixabilityOf(f lint.Finding) fixability {
	switch {
	case f.Fix == nil:
		return fixByHand
	case f.Fix.Unsafe:
		return fixUnsafely
	}
	return fixSafely
}

// flags returns the flags that fix a finding, or that it is fixed by hand.
func (f fixability) flags() string { return fixabilityForms[f].flags }

// String returns the word for programs.
func (f fixability) String() string { return fixabilityForms[f].word }
