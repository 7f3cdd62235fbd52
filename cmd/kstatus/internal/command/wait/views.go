package wait

import (
	"kstatus.dev/cmd/kstatus/internal/term"
	"kstatus.dev/cmd/kstatus/internal/view"
	"kstatus.dev/observe"
)

// display decides how people are shown the wait. With a live view, everything
// that is for people passes through its screen from then on.
func (w *command) display() (s view.Display, err error) {
	s.Page = w.env.Page(w.env.Err, w.output.progress.Colour)
	if s.Mode, err = w.output.progress.ResolveMode(w.env, w.output.format == "text"); err != nil || w.output.quiet {
		s.Mode = view.ModeNone
		return s, err
	}
	if s.Mode == view.ModeLive {
		s.Style, s.Most = w.env.LiveStyle(w.output.progress.Colour), w.env.Columns()
		s.Screen = term.NewScreen(w.env.LiveTerminal())
		w.env.Err = s.Screen
	}
	return s, nil
}

// view returns the views for -o and --progress. What is not what was asked for
// goes to people.
func (w *command) view(l view.Config, s view.Display) view.Views {
	people := l
	people.Page = w.env.Page(l.Out, w.output.progress.Colour)
	if w.output.format != "text" {
		people.Out, people.Page = w.env.Err, s.Page
	}
	var all view.Views
	switch w.output.format {
	case "json":
		all = append(all, view.NewJSON(l))
	case "name":
		all = append(all, &view.Names{Config: l, Done: map[observe.Target]bool{}})
	}
	switch {
	case s.Mode == view.ModeLive:
		l.Out, l.Page = people.Out, s.Page
		return append(all, view.NewLive(l, s))
	case s.Mode == view.ModeLog:
		return append(all, view.NewLog(people))
	case w.output.format == "json":
		return all
	}
	people.Quiet = true
	return append(all, &view.Quiet{Log: view.NewLog(people), Content: w.output.format == "name"})
}
