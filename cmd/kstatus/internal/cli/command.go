package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// otherCommands are commands of kubectl that users try here, with advice.
var otherCommands = map[string]string{
	"rollout":  "kstatus wait TYPE/NAME waits for a rollout",
	"logs":     "kstatus explain TYPE/NAME has the last lines of the logs of failing containers; kubectl logs has the others",
	"log":      "kstatus explain TYPE/NAME has the last lines of the logs of failing containers; kubectl logs has the others",
	"events":   "kstatus explain TYPE/NAME has the events that explain a problem; kubectl events has the others",
	"describe": "kstatus explain TYPE/NAME says why an object is not ready",
	"status":   "kstatus get TYPE/NAME prints the status of an object",
	"watch":    "kstatus get TYPE --watch prints each change",
	"top":      "kstatus does not measure, kubectl top does; kstatus explain TYPE/NAME says why an object is not ready",
	"apply":    "kstatus only reads: kubectl apply -f FILE -o yaml | kstatus wait -f -",
	"delete":   "kstatus only reads: after kubectl delete TYPE/NAME --wait=false, kstatus wait TYPE/NAME --for=delete waits",
}

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
	if advice := otherCommands[args[0]]; advice != "" && !cmd.HasParent() {
		return fmt.Errorf("%w: %s", err, strings.ReplaceAll(advice, "kstatus", cmd.DisplayName()))
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
