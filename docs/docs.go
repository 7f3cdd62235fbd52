// Package docs holds those of the pages that the command tells from.
package docs

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed rules.md
var rules string

// Rule returns what rules.md says of the rule for a kind, given as kubectl writes
// it, such as Deployment.apps; empty if it has none. The cases are left out.
func Rule(kind string) string {
	for section := range strings.SplitSeq(rules, "\n## ") {
		heading, text, _ := strings.Cut(section, "\n")
		if !slices.Contains(strings.Split(heading, ", "), kind) {
			continue
		}
		text, _, _ = strings.Cut(text, "\n| it … |")
		return strings.TrimSpace(text)
	}
	return ""
}
