package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// NoSuchCommand refuses the arguments of the root command, which are misspelt
// commands.
func NoSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q", args[0])
	if similar := cmd.SuggestionsFor(args[0]); len(similar) > 0 {
		err = fmt.Errorf("%w, did you mean %s?", err, strings.Join(similar, " or "))
	}
	return err
}

// Connects is the annotation of commands that may ask a cluster: only their
// help lists the connection flags.
const Connects = "connects"

// UsageArgs makes the errors of a check of arguments errors of usage.
func UsageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return exit.Usage(err)
		}
		return nil
	}
}
