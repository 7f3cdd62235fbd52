// Package annotation writes workflow commands of GitHub Actions.
package annotation

import (
	"fmt"
	"path/filepath"
	"strings"

	"kstatus.dev/internal/text"
)

// SummaryLimit is the number of bytes that a step may add to
// $GITHUB_STEP_SUMMARY. GitHub shows nothing of longer summaries:
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
const SummaryLimit = 1 << 20

// File returns the path of a file relative to root, the workspace. The given
// path may be relative to dir. The result is empty for a file outside of the
// workspace.
func File(root, dir, file string) string {
	if file == "-" || strings.Contains(file, "://") {
		return ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if root != "" {
		rel, err := filepath.Rel(root, file)
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
// values in turn. It removes unsafe characters, and escapes values as the
// commands of github.com/actions/toolkit do.
func Command(name, message string, properties ...string) string {
	var b strings.Builder
	b.WriteString("::" + name)
	sep := " "
	for i := 0; i+1 < len(properties); i += 2 {
		fmt.Fprintf(&b, "%s%s=%s", sep, properties[i], propertyEscapes.Replace(text.Safe(properties[i+1])))
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
