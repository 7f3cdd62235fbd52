// Package docs embeds the pages that the command prints.
package docs

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed reference/rules.md
var rules string

// Rule returns the section of rules.md about a kind, given as kubectl prints
// it, such as Deployment.apps, without its cases. It is empty if the kind has no rule.
func Rule(kind string) string {
	for section := range strings.SplitSeq(rules, "\n## ") {
		heading, text, _ := strings.Cut(section, "\n")
		if !slices.Contains(strings.Split(heading, ", "), kind) {
			continue
		}
		text, _, _ = strings.Cut(text, "\n| the object … |")
		return strings.TrimSpace(text)
	}
	return ""
}
