package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// NoSuchCommand returns an error for any argument of the root command, since such an argument
// names a command that does not exist. The error suggests similar commands, and the commands
// that take TYPE/NAME.
func NoSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q", args[0])
	if strings.Contains(args[0], "/") && !cmd.HasParent() {
		return fmt.Errorf("%w, did you mean get %s or explain %[2]s?", err, args[0])
	}
	if similar := cmd.SuggestionsFor(args[0]); len(similar) > 0 {
		err = fmt.Errorf("%w, did you mean %s?", err, strings.Join(similar, " or "))
	}
	return err
}

// Connects is the annotation of commands that can connect to a cluster. Only the help of these
// commands lists the connection flags.
const Connects = "connects"

// UsageArgs returns check with its errors marked as wrong usage.
func UsageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return exit.Usage(err)
		}
		return nil
	}
}
