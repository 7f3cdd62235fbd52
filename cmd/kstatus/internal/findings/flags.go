package findings

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/check"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/internal/text"
)

// Flags are the common flags of commands that run checks: the files, the checks, and the output
// format.
type Flags struct {
	Files          []string
	Recursive      bool
	Only, Skip     []string
	ExplainedCheck string
	Output         string
	colour         string
}

// AddTo defines the flags, and completes their values. checks are the checks for --only, --skip
// and --explain.
func (f *Flags) AddTo(cmd *cobra.Command, checks []*lint.Check) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.Files, "filename", "f", nil, "File, directory, or standard input (-), as arguments. Can be repeated.")
	flags.BoolVarP(&f.Recursive, "recursive", "R", false, "Read subdirectories too.")
	flags.StringSliceVar(&f.Only, "only", nil, "Run only these checks, by name or ID.")
	flags.StringSliceVar(&f.Skip, "skip", nil, "Leave out these checks, by name or ID.")
	flags.StringVar(&f.ExplainedCheck, "explain", "", "Print the requirement of the check `NAME` and its reason. list prints all names.")
	flags.StringVarP(&f.Output, "output", "o", "text", "Output format. One of: "+strings.Join(findingFormats, ", "))
	flags.StringVar(&f.colour, "color", "auto", "When to use colours. One of: "+strings.Join(cli.ColourModes, ", "))
	var names []string
	for _, c := range checks {
		names = append(names, c.Name)
	}
	cli.CompleteWords(cmd, "only", names)
	cli.CompleteWords(cmd, "skip", names)
	cli.CompleteWords(cmd, "explain", append(names, "list"))
	cli.CompleteWords(cmd, "output", findingFormats)
	cli.CompleteWords(cmd, "color", cli.ColourModes)
	// The only possible error is a flag that does not exist: it is defined above.
	_ = cmd.MarkFlagFilename("filename")
}

// CheckWords returns an error for an invalid value of -o or --color.
func (f *Flags) CheckWords() error {
	if err := cli.CheckOneOf("-o", f.Output, findingFormats); err != nil {
		return err
	}
	return cli.CheckOneOf("--color", f.colour, cli.ColourModes)
}

// Names returns the values of -f and the arguments.
func (f *Flags) Names(args []string) []string { return append(slices.Clone(f.Files), args...) }

// IsRepeated reports whether a name occurs more than once.
func IsRepeated(names []string, name string) bool {
	i := slices.Index(names, name)
	return i >= 0 && slices.Contains(names[i+1:], name)
}

// SelectChecks returns the checks that --only and --skip select. Both flags also accept the
// names in others.
func (f *Flags) SelectChecks(all []*lint.Check, others ...string) (chosen []*lint.Check, err error) {
	for _, name := range append(slices.Clone(f.Only), f.Skip...) {
		if checkByName(all, name) == nil && !slices.Contains(others, name) {
			return nil, exit.Usagef("unknown check %q; --explain list prints all checks", name)
		}
	}
	for _, c := range all {
		is := func(name string) bool { return hasName(c, name) }
		if (len(f.Only) == 0 || slices.ContainsFunc(f.Only, is)) && !slices.ContainsFunc(f.Skip, is) {
			chosen = append(chosen, c)
		}
	}
	return chosen, nil
}

// hasName reports whether name is the name or the ID of a check.
func hasName(c *lint.Check, name string) bool { return c.Name == name || strings.EqualFold(c.ID, name) }

// checkByName returns the check with a name or an ID, or nil without one.
func checkByName(all []*lint.Check, name string) *lint.Check {
	i := slices.IndexFunc(all, func(c *lint.Check) bool { return hasName(c, name) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// LintChecks returns the checks of kstatus lint: of all kinds, and of providers of Cluster API.
// In all commands, comments that ignore checks use the names of these checks.
func LintChecks() []*lint.Check {
	return slices.Concat(lint.Checks, check.ExtraChecks(check.Options{}))
}

// A Catalog prints the documentation of checks for --explain.
type Catalog struct {
	Checks   []*lint.Check
	Row      string         // the format of a row of the list: ID, name, severity and title
	Profiles []lint.Profile // profiles with their own severities
	Listed   []*lint.Check  // the checks in the list; nil for all
	More     string         // the last line of the list, if Listed leaves out checks
}

// Explain prints the requirement of a check, and its severity in each profile. For the name
// list, it prints a row for each check.
func (c Catalog) Explain(w io.Writer, name string, args []string) error {
	if len(args) > 0 {
		return exit.Usagef("%s cannot be used with --explain", args[0])
	}
	out := bufio.NewWriter(w)
	if name == "list" {
		listed := c.Checks
		if c.Listed != nil {
			listed = c.Listed
		}
		for _, check := range listed {
			title, _, _ := strings.Cut(check.Doc, "\n")
			fmt.Fprintf(out, c.Row, check.ID, check.Name, check.Severity, title)
		}
		if n := len(c.Checks) - len(listed); n > 0 {
			fmt.Fprintf(out, "%s %s\n", text.Count(n, "other check"), c.More)
		}
		return out.Flush()
	}
	check := checkByName(c.Checks, name)
	if check == nil {
		return exit.Usagef("--explain %q: unknown check; --explain list prints all checks", name)
	}
	title, rest, _ := strings.Cut(check.Doc, "\n")
	fmt.Fprintf(out, "%s %s: %s\n\n%s\n\n", check.ID, check.Name, title, strings.TrimSpace(rest))
	fmt.Fprintf(out, "A finding is %s", withArticle(check.Severity))
	for _, p := range c.Profiles {
		if weight := check.SeverityIn(p); weight != check.Severity {
			fmt.Fprintf(out, "; with --profile %s %s", p, withArticle(weight))
		}
	}
	fmt.Fprintln(out, ".")
	return out.Flush()
}

func withArticle(s severity.Level) string {
	switch s {
	case severity.Off:
		return "not reported"
	case severity.Error:
		return "an error"
	case severity.Info:
		return "information"
	}
	return "a " + s.String()
}
