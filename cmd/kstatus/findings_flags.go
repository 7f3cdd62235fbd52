package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/capi"
	"kstatus.dev/lint"
)

// checkFlags are the flags of a command that runs checks: what to read, which
// checks to run, and how to print the findings.
type checkFlags struct {
	files      []string
	recursive  bool
	only, skip []string
	explained  string
	output     string
	colour     string
}

// addTo defines the flags, and completes their values. The checks are those that
// --only, --skip and --explain name.
func (f *checkFlags) addTo(cmd *cobra.Command, checks []*lint.Check) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.files, "filename", "f", nil, "file, directory, or - for standard input, as the arguments; repeatable")
	flags.BoolVarP(&f.recursive, "recursive", "R", false, "look into subdirectories too")
	flags.StringSliceVar(&f.only, "only", nil, "run only these checks, by name or id")
	flags.StringSliceVar(&f.skip, "skip", nil, "do not run these checks, by name or id")
	flags.StringVar(&f.explained, "explain", "", "print what the check of this `NAME` demands, and why; list names them")
	flags.StringVarP(&f.output, "output", "o", "text", "one of "+strings.Join(findingFormats, ", "))
	flags.StringVar(&f.colour, "color", "auto", "one of "+strings.Join(colourModes, ", "))
	var names []string
	for _, c := range checks {
		names = append(names, c.Name)
	}
	completeWords(cmd, "only", names)
	completeWords(cmd, "skip", names)
	completeWords(cmd, "explain", append(names, "list"))
	completeWords(cmd, "output", findingFormats)
	completeWords(cmd, "color", colourModes)
	// An error would mean that the flag does not exist.
	_ = cmd.MarkFlagFilename("filename")
}

// checkWords returns an error if -o or --color has a value that does not exist.
func (f *checkFlags) checkWords() error {
	if err := oneOf("-o", f.output, findingFormats); err != nil {
		return err
	}
	return oneOf("--color", f.colour, colourModes)
}

// names returns what -f and the arguments name.
func (f *checkFlags) names(args []string) []string { return append(slices.Clone(f.files), args...) }

// namesTwice reports whether a name occurs more than once.
func namesTwice(names []string, name string) bool {
	i := slices.Index(names, name)
	return i >= 0 && slices.Contains(names[i+1:], name)
}

// choose returns the checks that --only and --skip leave. Besides names of checks
// the flags may have the others.
func (f *checkFlags) choose(all []*lint.Check, others ...string) (chosen []*lint.Check, err error) {
	for _, name := range append(slices.Clone(f.only), f.skip...) {
		if checkCalled(all, name) == nil && !slices.Contains(others, name) {
			return nil, usagef("%q: there is no such check; --explain list names them", name)
		}
	}
	for _, c := range all {
		is := func(name string) bool { return isNamed(c, name) }
		if (len(f.only) == 0 || slices.ContainsFunc(f.only, is)) && !slices.ContainsFunc(f.skip, is) {
			chosen = append(chosen, c)
		}
	}
	return chosen, nil
}

// isNamed reports whether a name is that of a check, or its ID.
func isNamed(c *lint.Check, name string) bool { return c.Name == name || strings.EqualFold(c.ID, name) }

// checkCalled returns the check with a name or an ID; nil if there is none.
func checkCalled(all []*lint.Check, name string) *lint.Check {
	i := slices.IndexFunc(all, func(c *lint.Check) bool { return isNamed(c, name) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// lintChecks returns the checks of kstatus lint: of all kinds, and of providers of
// Cluster API. Comments that have checks ignored name these, in all commands.
func lintChecks() []*lint.Check { return slices.Concat(lint.Checks, capi.Besides(capi.Options{})) }

// A checkCatalog prints the documentation of checks for --explain.
type checkCatalog struct {
	checks   []*lint.Check
	row      string         // the format of a row of the list: ID, name, severity and title
	profiles []lint.Profile // those that may weigh a finding differently
}

// explain prints what the check with a name demands, and how each profile weighs
// it. For the name list it prints a row for each check.
func (c checkCatalog) explain(w io.Writer, name string, args []string) error {
	if len(args) > 0 {
		return usagef("%s: want it without --explain", args[0])
	}
	out := bufio.NewWriter(w)
	if name == "list" {
		for _, check := range c.checks {
			title, _, _ := strings.Cut(check.Doc, "\n")
			fmt.Fprintf(out, c.row, check.ID, check.Name, check.Severity, title)
		}
		return out.Flush()
	}
	check := checkCalled(c.checks, name)
	if check == nil {
		return usagef("--explain %q: there is no such check; --explain list names them", name)
	}
	title, rest, _ := strings.Cut(check.Doc, "\n")
	fmt.Fprintf(out, "%s %s: %s\n\n%s\n\n", check.ID, check.Name, title, strings.TrimSpace(rest))
	fmt.Fprintf(out, "A finding is %s", withArticle(check.Severity))
	for _, p := range c.profiles {
		if weight := check.Weight(p); weight != check.Severity {
			fmt.Fprintf(out, "; with --profile %s %s", p, withArticle(weight))
		}
	}
	fmt.Fprintln(out, ".")
	return out.Flush()
}

func withArticle(s lint.Severity) string {
	switch s {
	case lint.Off:
		return "not told"
	case lint.Error:
		return "an error"
	}
	return "a " + s.String()
}
