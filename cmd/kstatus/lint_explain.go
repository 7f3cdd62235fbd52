package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"kstatus.dev/lint"
)

// explain prints what a check demands, or with the name list all that there are.
func (l *lintCommand) explain(args []string) error {
	return explainCheck(l.env.out, lintChecks(), args, l.explained, "%-7s %-32s %-8s %s\n", lint.Profiles())
}

// explainCheck prints what the check of a name demands, with how each profile
// weighs it, or with the name list a row for each check.
func explainCheck(w io.Writer, all []*lint.Check, args []string, name, row string, profiles []lint.Profile) error {
	if len(args) > 0 {
		return usagef("%s: want it without --explain", args[0])
	}
	out := bufio.NewWriter(w)
	if name == "list" {
		for _, c := range all {
			title, _, _ := strings.Cut(c.Doc, "\n")
			fmt.Fprintf(out, row, c.ID, c.Name, c.Severity, title)
		}
		return out.Flush()
	}
	c := checkCalled(all, name)
	if c == nil {
		return usagef("--explain %q: there is no such check; --explain list names them", name)
	}
	title, rest, _ := strings.Cut(c.Doc, "\n")
	fmt.Fprintf(out, "%s %s: %s\n\n%s\n\n", c.ID, c.Name, title, strings.TrimSpace(rest))
	fmt.Fprintf(out, "A finding is %s", article(c.Severity))
	for _, p := range profiles {
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
