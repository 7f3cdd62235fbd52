package move

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/reportfile"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// The values of -o.
const (
	formatText = "text"
	formatWide = "wide"
	formatJSON = "json"
)

var formats = []string{formatText, formatWide, formatJSON}

// modes are the values of --progress.
var modes = []string{cli.ProgressAuto, cli.ProgressLive, cli.ProgressLog, cli.ProgressNone}

const reportUsage = "Report of the move as `FORMAT=FILE`, with junit, json, md or html, and - for standard output. Can be repeated, or separated by commas."

// outputFlags are the flags about the output.
type outputFlags struct {
	format, progress, colour string
	reports                  reportfile.Flags
}

func (f *outputFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.format, "output", "o", formatText, "Output format. One of: "+strings.Join(formats, ", ")+". wide: one line for each object. json: one document.")
	flags.StringVar(&f.progress, "progress", cli.ProgressAuto, "How to show progress on standard error. One of: "+strings.Join(modes, ", ")+". auto is live on a terminal, otherwise log.")
	flags.StringVar(&f.colour, "color", "auto", "When to use colours. One of: "+strings.Join(cli.ColourModes, ", "))
	f.reports = reportfile.Flags{Formats: []string{"junit", "json", "md", "html"}}
	f.reports.AddTo(cmd, reportUsage)
	cli.CompleteWords(cmd, "output", formats)
	cli.CompleteWords(cmd, "progress", modes)
	cli.CompleteWords(cmd, "color", cli.ColourModes)
}

func (f *outputFlags) check() error {
	for _, flag := range []struct {
		name, value string
		words       []string
	}{{"-o", f.format, formats}, {"--progress", f.progress, modes}, {"--color", f.colour, cli.ColourModes}} {
		if err := cli.CheckOneOf(flag.name, flag.value, flag.words); err != nil {
			return err
		}
	}
	return nil
}

// isText reports whether the output is for people.
func (f *outputFlags) isText() bool { return f.format != formatJSON }

// mode decides between live, log and none.
func (c *command) mode() (string, error) {
	mode, file := c.output.progress, c.env.LiveTerminal()
	isInteractive := slices.Contains([]string{"", "false"}, c.env.Getenv("CI"))
	switch {
	case mode == cli.ProgressLive && file == nil:
		return "", exit.Usagef("--progress=live: want a terminal that can move its cursor on standard error")
	case mode == cli.ProgressAuto && file != nil && isInteractive:
		return cli.ProgressLive, nil
	case mode == cli.ProgressAuto:
		return cli.ProgressLog, nil
	}
	return mode, nil
}

// view returns the view of the progress. A live view also prints what the command prints to the
// terminal meanwhile.
func (c *command) view(mode string) view {
	switch file := c.env.LiveTerminal(); {
	case mode == cli.ProgressLive && file != nil:
		screen := terminal.NewScreen(file)
		c.env.Err = screen
		if cli.IsTerminal(c.env.Out) {
			c.env.Out = screen
		}
		return newLiveView(screen, c.env.LiveStyle(c.output.colour), c.env.Now)
	case mode == cli.ProgressLog:
		return newLogView(c.env.Err, c.env.Now)
	}
	return none{}
}
