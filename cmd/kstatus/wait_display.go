package main

import "kstatus.dev/observe"

// display decides how people are shown the wait. With a live view, everything
// that is for people passes through its screen from then on.
func (w *waitCommand) display() (s display, err error) {
	s.page = w.env.page(w.env.err, w.progress.colour)
	if s.mode, err = w.progress.mode(w.env, w.output == "text"); err != nil || w.quiet {
		s.mode = progressNone
		return s, err
	}
	if s.mode == progressLive {
		s.style, s.most = w.env.liveStyle(w.progress.colour), w.env.columns()
		s.screen = newScreen(w.env.liveTerminal())
		w.env.err = s.screen
	}
	return s, nil
}

// view returns the views for -o and --progress. What is not what was asked for
// goes to people.
func (w *waitCommand) view(l config, s display) views {
	people := l
	people.page = w.env.page(l.out, w.progress.colour)
	if w.output != "text" {
		people.out, people.page = w.env.err, s.page
	}
	var all views
	switch w.output {
	case "json":
		all = append(all, newJSONView(l))
	case "name":
		all = append(all, &nameView{config: l, done: map[observe.Target]bool{}})
	}
	switch {
	case s.mode == progressLive:
		l.out, l.page = people.out, s.page
		return append(all, newLiveView(l, s))
	case s.mode == progressLog:
		return append(all, newLogView(people))
	case w.output == "json":
		return all
	}
	people.quiet = true
	return append(all, &quietLog{logView: newLogView(people), content: w.output == "name"})
}
