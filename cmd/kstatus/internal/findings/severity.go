package findings

import (
	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

// A severityForm holds the words for a severity in each output.
type severityForm struct {
	gitHub string // the workflow command of GitHub Actions
	sarif  string // the level
	colour ansi.BasicColor
}

// severityForms are the words for each severity.
var severityForms = map[severity.Level]severityForm{
	severity.Off:     {sarif: "none"},
	severity.Info:    {gitHub: "notice", sarif: "note", colour: ansi.Cyan},
	severity.Warning: {gitHub: "warning", sarif: "warning", colour: ansi.Yellow},
	severity.Error:   {gitHub: "error", sarif: "error", colour: ansi.Red},
}

// severityWord returns the word for a severity, with its colour if colour is true.
func severityWord(s severity.Level, colour bool) string {
	if !colour {
		return s.String()
	}
	return ansi.NewStyle().ForegroundColor(severityForms[s].colour).Styled(s.String())
}

// A Fixability is how a finding can be fixed.
type Fixability int

// The ways to fix a finding.
const (
	fixByHand   Fixability = iota
	FixSafely              // valid objects remain valid
	FixUnsafely            // valid objects may become invalid, or behaviour changes for users
)

// fixabilityForms are the words for each Fixability.
var fixabilityForms = [...]struct {
	flags string // the flags for the fix, in text
	word  string // in JSON
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

// Flags returns the flags that fix a finding, or a text about a fix by hand.
func (f Fixability) Flags() string { return fixabilityForms[f].flags }

// AdviceFor returns the text before the suggested fix of a finding: the flags that make the fix,
// and why it is unsafe.
func AdviceFor(f lint.Finding) string {
	advice := FixabilityOf(f).Flags()
	if f.Fix != nil && f.Fix.Unsafe && f.Fix.Risk != "" {
		advice += " (" + f.Fix.Risk + ")"
	}
	return advice + ": "
}

// String returns the word in JSON.
func (f Fixability) String() string { return fixabilityForms[f].word }
