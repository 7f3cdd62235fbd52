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
		kinds, text, _ := strings.Cut(section, "\n")
		if list, found := strings.CutPrefix(text, "\nThe kinds are "); found {
			kinds, text, _ = strings.Cut(list, ".\n\n")
			kinds = strings.NewReplacer("`", "", "\n", " ").Replace(kinds)
		}
		if !slices.Contains(strings.Split(kinds, ", "), kind) {
			continue
		}
		text, _, _ = strings.Cut(text, "\n| the object … |")
		return strings.TrimSpace(text)
	}
	return ""
}
