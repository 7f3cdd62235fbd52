// Package waitoutput sets up the output of commands that wait: the views for -o, --quiet and
// --progress, and the reports of --report.
package waitoutput

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/reportfile"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/cmd/kstatus/internal/waitview"
)

// Formats are the values of -o.
var Formats = []string{"text", "json", "name"}

// Flags are the flags for the output of a wait.
type Flags struct {
	Format   string
	Quiet    bool
	Every    time.Duration // between two WAITING lines
	Progress waitview.Flags
	Reports  reportfile.Flags
	// CommandLine is the command line for reports.
	CommandLine []string
}

// AddTo defines the flags.
func (f *Flags) AddTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.Format, "output", "o", "text", "Output format. One of: "+strings.Join(Formats, ", ")+". json: one object per line. name: only the names of objects that meet their goals.")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "Print only the end.")
	flags.DurationVar(&f.Every, "every", 30*time.Second, "Interval of WAITING lines in the log. Zero means never.")
	f.Progress.AddTo(cmd)
	cli.CompleteWords(cmd, "output", Formats)
	f.Reports = reportfile.Flags{Formats: []string{"junit", "json", "md", "html"}, HasGitHub: true}
	f.Reports.AddTo(cmd, reportUsage)
}

// Check returns an error if a value is not valid.
func (f *Flags) Check() error {
	if err := cli.CheckOneOf("-o", f.Format, Formats); err != nil {
		return err
	}
	if f.Every < 0 {
		return exit.Usagef("--every %s: want 0 or more", f.Every)
	}
	return nil
}

// Display decides how the terminal shows the wait. A live view then also prints all messages for
// people, so that env is changed.
func (f *Flags) Display(env *cli.Env) (s waitview.Display, err error) {
	s.Page = env.Page(env.Err, f.Progress.Colour)
	if s.Mode, err = f.Progress.ResolveMode(*env, f.Format == "text"); err != nil || f.Quiet {
		s.Mode = cli.ProgressNone
		return s, err
	}
	if s.Mode == cli.ProgressFull { // the log, without omissions
		s.Mode = cli.ProgressLog
	}
	if s.Mode == cli.ProgressLive {
		s.Style, s.MaxWidth = env.LiveStyle(f.Progress.Colour), env.Columns()
		s.Screen = terminal.NewScreen(env.LiveTerminal())
		env.Err = s.Screen
	}
	return s, nil
}

// Views returns the views for -o and --progress. Text that is not in the requested format goes to
// standard error.
func (f *Flags) Views(env cli.Env, l waitview.Config, s waitview.Display) waitview.Multi {
	people := l
	people.Page = env.Page(l.Out, f.Progress.Colour)
	if f.Format != "text" {
		people.Out, people.Page = env.Err, s.Page
	}
	people.Columns = people.Page.Width
	var all waitview.Multi
	switch f.Format {
	case "json":
		all = append(all, waitview.NewJSON(l))
	case "name":
		all = append(all, waitview.NewNames(l))
	}
	switch {
	case s.Mode == cli.ProgressLive:
		l.Out, l.Page, l.Columns = people.Out, s.Page, people.Columns
		return append(all, waitview.NewLive(l, s))
	case s.Mode == cli.ProgressLog:
		return append(all, waitview.NewLog(people))
	case f.Format == "json":
		return all
	}
	people.Quiet = true
	return append(all, &waitview.Quiet{Log: waitview.NewLog(people), OmitSuccess: f.Format == "name"})
}
