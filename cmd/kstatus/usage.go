package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// printUsage prints the usage of a command below its description. Package template, which cobra uses
// for that, makes the linker keep every exported method.
func printUsage(cmd *cobra.Command) error {
	var b strings.Builder
	flags := cmd.LocalFlags().FlagUsages() // cobra merges the flags of parents first
	use := cmd.CommandPath() + " COMMAND"
	if cmd.Runnable() {
		use = cmd.UseLine()
	}
	fmt.Fprintf(&b, "Usage:\n  %s", use)
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\n\nExamples:\n%s", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n\nCommands:")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				fmt.Fprintf(&b, "\n  %-*s %s", c.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	if cmd.HasAvailableLocalFlags() && cmd.HasParent() {
		b.WriteString("\n\nFlags:\n" + trimRight(flags))
	}
	if cmd.Annotations["connects"] != "" {
		b.WriteString("\n\nConnection flags, as kubectl has them:\n" + trimRight(cmd.InheritedFlags().FlagUsages()))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse %q for more about a command.", cmd.CommandPath()+" COMMAND --help")
	}
	_, err := fmt.Fprintln(cmd.OutOrStderr(), b.String())
	return err
}

func trimRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }
