package main

import (
	"runtime"
	"strings"

	xterm "github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// A progressFlags says how people are shown how a wait gets on.
type progressFlags struct {
	progress string
	colour   string
	history  string
}

// The values of --progress.
const (
	progressAuto = "auto"
	progressLive = "live"
	progressLog  = "log"
	progressNone = "none"
)

var progressModes = []string{progressAuto, progressLive, progressLog, progressNone}

// The environment variables that stand for flags.
const (
	progressVariable = "KSTATUS_PROGRESS"
	historyVariable  = "KSTATUS_HISTORY"
)

func (f *progressFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.progress, "progress", progressAuto, "how to show what happens, one of "+strings.Join(progressModes, ", ")+
		"; auto is live where standard error is a terminal, and log elsewhere, in text output (default $"+progressVariable+")")
	flags.StringVar(&f.colour, "color", "auto", "in the live view and in explanations, one of "+strings.Join(colourModes, ", "))
	flags.StringVar(&f.history, "history", "", "`FILE` that keeps how long objects took, to tell how long each takes usually (default $"+historyVariable+"; without either, nothing is kept)")
	completeWords(cmd, "progress", progressModes)
	completeWords(cmd, "color", colourModes)
	// An error would mean that the flag does not exist: it is above.
	_ = cmd.MarkFlagFilename("history")
}

// mode decides between live, log and none. text tells whether standard output
// gets text for people.
func (f *progressFlags) mode(env environment, text bool) (string, error) {
	if err := oneOf("--progress", f.progress, progressModes); err != nil {
		return "", err
	}
	if err := oneOf("--color", f.colour, colourModes); err != nil {
		return "", err
	}
	mode, file := f.progress, env.liveTerminal()
	shared := !text && isTerminal(env.out)
	switch {
	case mode == progressLive && file == nil:
		return "", usagef("--progress=live: want a terminal that can move its cursor on standard error")
	case mode == progressLive && shared:
		return "", usagef("--progress=live: want -o json and -o name to go elsewhere than to the same terminal")
	case mode != progressAuto:
		return mode, nil
	}
	wish := env.getenv(progressVariable)
	if wish != "" && oneOf(progressVariable, wish, progressModes) != nil {
		return "", oneOf(progressVariable, wish, progressModes)
	}
	attended := wish == progressLive || (env.getenv("CI") == "" || env.getenv("CI") == "false")
	switch {
	case wish == progressLog, wish == progressNone:
		return wish, nil
	case file != nil && attended && !shared:
		return progressLive, nil
	case text:
		return progressLog, nil
	}
	return progressNone, nil
}

// historyFile returns the name of the file with the history, empty for none.
func (f *progressFlags) historyFile(env environment) string {
	if f.history != "" {
		return f.history
	}
	return env.getenv(historyVariable)
}

// liveTerminal returns the terminal that is standard error, if a view can be
// drawn on it: it can move its cursor, and this process is the one in front.
func (e environment) liveTerminal() xterm.File {
	file, ok := e.err.(xterm.File)
	if !ok || !isTerminal(e.err) || !inForeground(file) {
		return nil
	}
	if name := e.getenv("TERM"); name == "dumb" || name == "" && runtime.GOOS != "windows" {
		return nil
	}
	return file
}

func isTerminal(out any) bool {
	file, ok := out.(xterm.File)
	return ok && xterm.IsTerminal(file.Fd())
}
