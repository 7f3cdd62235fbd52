package main

import (
	"bufio"
	"fmt"
	"strings"

	"kstatus.dev/lint"
)

// explain prints what a check demands, or with the name list all that there are.
func (l *lintCommand) explain(args []string) error {
	if len(args) > 0 {
		return usagef("%s: want it without --explain", args[0])
	}
	out := bufio.NewWriter(l.env.out)
	if l.explained == "list" {
		for _, c := range lintChecks() {
			title, _, _ := strings.Cut(c.Doc, "\n")
			fmt.Fprintf(out, "%-7s %-32s %-8s %s\n", c.ID, c.Name, c.Severity, title)
		}
		return out.Flush()
	}
	c := checkNamed(l.explained)
	if c == nil {
		return usagef("--explain %q: there is no such check; --explain list names them", l.explained)
	}
	title, rest, _ := strings.Cut(c.Doc, "\n")
	fmt.Fprintf(out, "%s %s: %s\n\n%s\n\n", c.ID, c.Name, title, strings.TrimSpace(rest))
	fmt.Fprintf(out, "A finding is %s", article(c.Severity))
	for _, p := range lint.Profiles() {
		if w := c.Weight(p); w != c.Severity {
			fmt.Fprintf(out, "; with --profile %s %s", p, article(w))
		}
	}
	fmt.Fprintln(out, ".")
	return out.Flush()
}

func article(s lint.Severity) string {
	switch s {
	case lint.Off:
		return "not told"
	case lint.Error:
		return "an error"
	}
	return "a " + s.String()
}
