package waitview

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// Flags are the flags for the display of a wait's progress.
type Flags struct {
	progress string
	Colour   string
	history  string
}

// modes are the values of --progress.
var modes = []string{cli.ProgressAuto, cli.ProgressLive, cli.ProgressLog, cli.ProgressFull, cli.ProgressNone}

// The environment variables with the defaults of flags.
const (
	progressVariable = "KSTATUS_PROGRESS"
	historyVariable  = "KSTATUS_HISTORY"
)

// AddTo defines the flags.
func (f *Flags) AddTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.progress, "progress", cli.ProgressAuto, "How to show progress. One of: "+strings.Join(modes, ", ")+
		". full is a log that lists every change. auto is live if standard error is a terminal, otherwise log (default $"+progressVariable+")")
	flags.StringVar(&f.Colour, "color", "auto", "When to use colours. One of: "+strings.Join(cli.ColourModes, ", "))
	flags.StringVar(&f.history, "history", "", "`FILE` for the durations of earlier waits, from which the usual duration of an object is printed (default $"+historyVariable+")")
	cli.CompleteWords(cmd, "progress", modes)
	cli.CompleteWords(cmd, "color", cli.ColourModes)
	// An error would mean that the flag does not exist: it is above.
	_ = cmd.MarkFlagFilename("history")
}

// ResolveMode decides between live, log and none. text says whether standard output receives
// text for users.
func (f *Flags) ResolveMode(env cli.Env, text bool) (string, error) {
	if err := cli.CheckOneOf("--progress", f.progress, modes); err != nil {
		return "", err
	}
	if err := cli.CheckOneOf("--color", f.Colour, cli.ColourModes); err != nil {
		return "", err
	}
	mode, file := f.progress, env.LiveTerminal()
	shared := !text && cli.IsTerminal(env.Out)
	switch {
	case mode == cli.ProgressLive && file == nil:
		return "", exit.Usagef("--progress=live: want a terminal that can move its cursor on standard error")
	case mode == cli.ProgressLive && shared:
		return "", exit.Usagef("--progress=live: want -o json and -o name to go elsewhere than to the same terminal")
	case mode != cli.ProgressAuto:
		return mode, nil
	}
	requested := env.Getenv(progressVariable)
	if requested != "" && !slices.Contains(modes, requested) {
		env.Print("note: %s %q is ignored: want one of %s", progressVariable, requested, strings.Join(modes, ", "))
		requested = ""
	}
	isInteractive := requested == cli.ProgressLive || (env.Getenv("CI") == "" || env.Getenv("CI") == "false")
	switch {
	case requested == cli.ProgressLog, requested == cli.ProgressFull, requested == cli.ProgressNone:
		return requested, nil
	case file != nil && isInteractive && !shared:
		return cli.ProgressLive, nil
	case text:
		return cli.ProgressLog, nil
	}
	return cli.ProgressNone, nil
}

// Full reports whether lines are neither condensed nor omitted.
func (f *Flags) Full(env cli.Env) bool {
	return f.progress == cli.ProgressFull || f.progress == cli.ProgressAuto && env.Getenv(progressVariable) == cli.ProgressFull
}

// HistoryFile returns the name of the file with the history, empty for none.
func (f *Flags) HistoryFile(env cli.Env) string {
	if f.history != "" {
		return f.history
	}
	return env.Getenv(historyVariable)
}
