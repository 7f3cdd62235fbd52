package main

import (
	"context"
	"errors"
	"time"

	"kstatus.dev/observe"
)

// replay shows a wait that was recorded, as it was shown then, and exits as it did.
func (w *waitCommand) replay(ctx context.Context, args []string) error {
	if len(args) > 0 || w.record != "" {
		return usagef("--local: want a record, without names and without another record")
	}
	rec, err := openRecording(newReader(ctx, w.env.in).all(w.selection.files, false, w.kustomize))
	if err != nil {
		return err
	}
	if rec == nil || rec.start.Record.Of != "wait" && rec.start.Record.Of != "" {
		return usagef("--local: want -f FILE with it, with a record of kstatus wait")
	}
	wishes, err := w.report.requests(w.env, w.output)
	if err != nil {
		return err
	}
	rec.notes(w.env.err)
	began := timeOf(rec.start.Time)
	told := newEventClock(began)
	past := newDurations("", "", told.at, w.note)
	past.progress.usual = rec.usual()
	look := config{
		out: wishes.logWriter(w.env), now: told.at, at: told.at, began: told.first, brief: rec.brief(), quiet: w.quiet, progress: past.progress,
	}
	shown := display{mode: progressLog, page: w.env.page(w.env.err, w.progress.colour)}
	if w.quiet || w.output != "text" {
		shown.mode = progressNone
	}
	return rec.play(w.reporting(look, wishes, append(w.view(look, shown), past)), told)
}

// play shows a recorded wait.
func (r *recording) play(show view, told *eventClock) error {
	if err := show.start(); err != nil {
		return err
	}
	if r.known || len(r.steps) > 0 {
		show.know(r.all)
	}
	board := new(observe.Board)
	for _, s := range r.steps {
		told.set(timeOf(s.line.Time))
		u := observe.Update{Synced: s.line.Synced}
		if !s.tick {
			u = s.line.update()
		}
		board.Add(u)
		if s.line.Final {
			continue
		}
		if err := show.update(newEvent(u), board); err != nil {
			return err
		}
	}
	e := r.outcome()
	if r.result != nil {
		told.set(timeOf(r.result.Time))
	}
	errs := []error{show.end(board, e)}
	if r.facts != nil {
		errs = append(errs, show.why(explainedBy(r.facts, unexplained(board))))
	}
	if err := errors.Join(append(errs, show.result(board, e))...); err != nil {
		return err
	}
	if e.code == exitOK {
		return nil
	}
	return &exitError{code: e.code, err: e.err}
}

// outcome returns how the wait ended; one that was cut off was interrupted.
func (r *recording) outcome() result {
	if r.result == nil {
		return result{code: exitInterrupted, cut: true}
	}
	e := result{code: r.result.ExitCode, cut: r.result.Cut}
	if r.result.Error != "" {
		e.err = errors.New(r.result.Error)
	}
	return e
}

// board returns where everything stood at the end.
func (r *recording) board() *observe.Board {
	board := new(observe.Board)
	for _, s := range r.steps {
		if !s.tick {
			board.Add(s.line.update())
		}
	}
	return board
}

// brief returns what was requested, as far as it is shown.
func (r *recording) brief() brief {
	head := r.start.Record
	b := brief{request: r.summary(), profile: r.start.Profile, goals: goalsNamed(head.Goals), any: r.start.Any, scoped: head.Scoped}
	if len(head.Goals)+len(head.Scoped) == 0 {
		b.goals = goalsNamed(r.start.Goal)
	}
	timeout, _ := time.ParseDuration(r.start.Timeout)
	b.timeout = &timeout
	for _, t := range head.Timeouts {
		d, _ := time.ParseDuration(t.Timeout)
		b.timeouts = append(b.timeouts, scopedTimeout{t.Sel, d})
	}
	b.ownGoals = func(t observe.Target) []observe.Goal { return goalsNamed(r.goals[t]) }
	return b
}

// goalsNamed returns goals to be shown: what they ask cannot be checked any more.
func goalsNamed(names []string) (all []observe.Goal) {
	for _, name := range names {
		g := observe.Goal{Name: name}
		if name == observe.Current().Name {
			g = observe.Current()
		}
		all = append(all, g)
	}
	return all
}

func (r *recording) summary() summary {
	head := r.start.Record
	s := summary{subject: head.Subject, objects: -1, names: head.Names, namespaces: head.Namespaces, contexts: head.Contexts, clusters: r.start.Contexts}
	if r.start.Objects != nil {
		s.objects = *r.start.Objects
	}
	return s
}

// usual returns what tells how long objects take usually, as was known then.
func (r *recording) usual() func(observe.Target) (time.Duration, bool) {
	known := map[observe.Target]time.Duration{}
	for _, s := range r.steps {
		if d, err := time.ParseDuration(s.line.Usual); err == nil {
			known[s.line.target()] = d
		}
	}
	return func(t observe.Target) (time.Duration, bool) {
		d, ok := known[t]
		return d, ok
	}
}
