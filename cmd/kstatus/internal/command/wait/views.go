package wait

import (
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/cmd/kstatus/internal/waitview"
)

// display decides how the terminal shows the wait. A live view then also prints all messages for
// people.
func (w *command) display() (s waitview.Display, err error) {
	s.Page = w.env.Page(w.env.Err, w.output.progress.Colour)
	if s.Mode, err = w.output.progress.ResolveMode(w.env, w.output.format == "text"); err != nil || w.output.quiet {
		s.Mode = cli.ProgressNone
		return s, err
	}
	if s.Mode == cli.ProgressFull { // the log, without omissions
		s.Mode = cli.ProgressLog
	}
	if s.Mode == cli.ProgressLive {
		s.Style, s.MaxWidth = w.env.LiveStyle(w.output.progress.Colour), w.env.Columns()
		s.Screen = terminal.NewScreen(w.env.LiveTerminal())
		w.env.Err = s.Screen
	}
	return s, nil
}

// view returns the views for -o and --progress. Text that is not in the requested format goes to
// standard error.
func (w *command) view(l waitview.Config, s waitview.Display) waitview.Multi {
	people := l
	people.Page = w.env.Page(l.Out, w.output.progress.Colour)
	if w.output.format != "text" {
		people.Out, people.Page = w.env.Err, s.Page
	}
	people.Columns = people.Page.Width
	var all waitview.Multi
	switch w.output.format {
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
	case w.output.format == "json":
		return all
	}
	people.Quiet = true
	return append(all, &waitview.Quiet{Log: waitview.NewLog(people), OmitSuccess: w.output.format == "name"})
}
