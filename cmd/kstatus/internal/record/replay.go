package record

import (
	"errors"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/observe"
)

// Play shows a recorded wait.
func (r *Recording) Play(show waitview.View, clock *waitview.EventClock) error {
	if err := show.Start(); err != nil {
		return err
	}
	if r.known || len(r.steps) > 0 {
		show.SetTargets(r.all)
	}
	board := new(observe.Board)
	for _, s := range r.steps {
		clock.Set(output.ParseTime(s.line.Time))
		u := observe.Update{Synced: s.line.Synced}
		if !s.tick {
			u = s.line.update()
		}
		board.Add(u)
		if s.line.Final {
			continue
		}
		if err := show.Update(waitview.NewEvent(u), board); err != nil {
			return err
		}
	}
	e := r.outcome()
	if r.Result != nil {
		clock.Set(output.ParseTime(r.Result.Time))
	}
	errs := []error{show.End(board, e)}
	if r.facts != nil {
		errs = append(errs, show.Explain(explainer.Explain(r.facts, explainer.Explainable(board))))
	}
	if err := errors.Join(append(errs, show.Result(board, e))...); err != nil {
		return err
	}
	if e.Code == exit.OK {
		return nil
	}
	return &exit.Error{Code: e.Code, Err: e.Err}
}

// outcome returns how the wait ended. The outcome of a truncated record is an interruption.
func (r *Recording) outcome() waitview.Result {
	if r.Result == nil {
		return waitview.Result{Code: exit.Interrupted, Cut: true}
	}
	e := waitview.Result{Code: r.Result.ExitCode, Cut: r.Result.Cut, TimedOut: r.Result.TimedOut}
	if r.Result.Error != "" {
		e.Err = errors.New(r.Result.Error)
	}
	return e
}

// board returns the state of all objects at the end.
func (r *Recording) board() *observe.Board {
	board := new(observe.Board)
	for _, s := range r.steps {
		if !s.tick {
			board.Add(s.line.update())
		}
	}
	return board
}

// Brief returns the parts of the request that views show.
func (r *Recording) Brief() waitview.Brief {
	head := r.Start.Record
	b := waitview.Brief{Request: r.summary(), Profile: r.Start.Profile, Goals: goalsNamed(head.Goals), Any: r.Start.Any, Scoped: head.Scoped}
	if len(head.Goals)+len(head.Scoped) == 0 {
		b.Goals = goalsNamed(r.Start.Goal)
	}
	timeout, _ := time.ParseDuration(r.Start.Timeout)
	b.Timeout = &timeout
	for _, t := range head.Timeouts {
		d, _ := time.ParseDuration(t.Timeout)
		b.Timeouts = append(b.Timeouts, waitview.ScopedTimeout{Sel: t.Sel, Timeout: d})
	}
	b.OwnGoals = func(t observe.Target) []observe.Goal { return goalsNamed(r.goals[t]) }
	return b
}

// goalsNamed returns goals with names for display. They cannot be evaluated.
func goalsNamed(names []string) (all []observe.Goal) {
	for _, name := range names {
		all = append(all, observe.Goal{Name: name})
	}
	return all
}

func (r *Recording) summary() output.Summary {
	head := r.Start.Record
	s := output.Summary{Subject: head.Subject, Objects: -1, Names: head.Names, Namespaces: head.Namespaces, Contexts: head.Contexts, Clusters: r.Start.Contexts}
	if r.Start.Objects != nil {
		s.Objects = *r.Start.Objects
	}
	return s
}

// Usual returns a function with the usual durations in the record.
func (r *Recording) Usual() func(observe.Target) (time.Duration, bool) {
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
