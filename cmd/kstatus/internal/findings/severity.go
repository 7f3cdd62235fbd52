package findings

import (
	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

// A severityForm is how a severity is shown in each output.
type severityForm struct {
	gitHub string // the workflow command of GitHub Actions
	sarif  string // the level
	colour ansi.BasicColor
}

// severityForms is how each severity is shown.
var severityForms = map[severity.Level]severityForm{
	severity.Off:     {sarif: "none"},
	severity.Info:    {gitHub: "notice", sarif: "note", colour: ansi.Cyan},
	severity.Warning: {gitHub: "warning", sarif: "warning", colour: ansi.Yellow},
	severity.Error:   {gitHub: "error", sarif: "error", colour: ansi.Red},
}

// severityWord returns the word for a severity, coloured or not.
func severityWord(s severity.Level, colour bool) string {
	if !colour {
		return s.String()
	}
	return ansi.NewStyle().ForegroundColor(severityForms[s].colour).Styled(s.String())
}

// A Fixability says how a finding can be fixed.
type Fixability int

// The ways to fix a finding.
const (
	fixByHand   Fixability = iota
	FixSafely              // valid objects remain valid
	FixUnsafely            // valid objects may become invalid, or users see a change
)

// fixabilityForms is how each is shown.
var fixabilityForms = [...]struct {
	flags string // those that fix it, for people
	word  string // for programs
}{
	fixByHand:   {"by hand", "no"},
	FixSafely:   {"--fix", "safe"},
	FixUnsafely: {"--fix --unsafe", "unsafe"},
}

// GitHubCommand returns the workflow command of GitHub Actions for a severity.
func GitHubCommand(s severity.Level) string { return severityForms[s].gitHub }

// FixabilityOf returns how a finding can be fixed.
func FixabilityOf(f lint.Finding) Fixability {
	switch {
	case f.Fix == nil:
		return fixByHand
	case f.Fix.Unsafe:
		return FixUnsafely
	}
	return FixSafely
}

// Flags returns the flags that fix a finding, or that it is fixed by hand.
func (f Fixability) Flags() string { return fixabilityForms[f].flags }

// String returns the word for programs.
func (f Fixability) String() string { return fixabilityForms[f].word }
