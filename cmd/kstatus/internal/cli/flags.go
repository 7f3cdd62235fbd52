package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/status"
)

// AddProfileFlag adds --profile, a flag of get, explain and wait.
func AddProfileFlag(cmd *cobra.Command, value *string) {
	var help strings.Builder
	var names []string
	for _, p := range status.Profiles() {
		fmt.Fprintf(&help, "\n%s: %s", p.Name(), p.Doc())
		names = append(names, p.Name())
	}
	cmd.Flags().StringVar(value, "profile", status.Profile{}.Name(), "How to read objects:"+help.String())
	CompleteWords(cmd, "profile", names)
}

// AddHintsFlag adds --no-hints, a flag of get, explain and wait.
func AddHintsFlag(cmd *cobra.Command, value *bool) {
	cmd.Flags().BoolVar(value, "no-hints", false, "Ignore hints about single kinds. Use only the words and the structure of the status.")
}

// CompleteWords completes a flag with the given words.
func CompleteWords(cmd *cobra.Command, flag string, words []string) {
	// The only possible error is a flag that does not exist: each caller has just defined it.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// The values of --progress.
const (
	ProgressAuto = "auto" // chosen by the type of standard error
	ProgressLive = "live" // a view that changes in place
	ProgressLog  = "log"  // lines about changes
	ProgressFull = "full" // as log, with one line per change
	ProgressNone = "none"
)

// ColourModes are the values of --color.
var ColourModes = []string{"auto", "always", "never"}

// CheckOneOf checks the value of a flag that takes one of a few words.
func CheckOneOf(flag, value string, words []string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return exit.Usagef("%s %q: want one of %s", flag, value, strings.Join(words, ", "))
}
