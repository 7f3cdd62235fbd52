// Package waitview shows a wait while it goes on: as a log, as lines of JSON, or live
// on a terminal. All views follow the same events at the same times, so that a
// record can be shown again by them.
//
// view.go is the interface and the events; log.go, lines.go and live.go are one
// view each. For the live view, model.go is what there is to see, and frame.go
// draws it for a width and a height: both are pure.
package waitview

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/observe"
)

// A View shows a wait. What it is told stands in the order in which it is told.
type View interface {
	Start() error
	Know(all []Target) // what is waited for, when that is known
	Update(e Event, b *observe.Board) error
	End(b *observe.Board, e Result) error    // where everything stands when it is over
	Why(e *explainer.Explained) error        // and why, after all views have said that; not called if nothing is to be explained
	Result(b *observe.Board, e Result) error // the last line
}

// A Base is a view that shows nothing, for views to embed that show some of it.
type Base struct{}

func (Base) Start() error { return nil }

func (Base) Know([]Target) {}

func (Base) Update(Event, *observe.Board) error { return nil }

func (Base) End(*observe.Board, Result) error { return nil }

func (Base) Why(*explainer.Explained) error { return nil }

func (Base) Result(*observe.Board, Result) error { return nil }

// A Target is what a view shows, with the place in a file that names it, if one does.
type Target struct {
	observe.Target
	Source *manifest.Source
}

// SourcesOf returns which files name targets, and where.
func SourcesOf(all []Target) map[observe.Target]*manifest.Source {
	sources := make(map[observe.Target]*manifest.Source, len(all))
	for _, t := range all {
		sources[t.Target] = t.Source
	}
	return sources
}

// Views are several Views of the same wait: what one says at the end stands
// before what the next one does, and their last lines after all of that.
type Views []View

func (all Views) each(tell func(View) error) error {
	var errs []error
	for _, v := range all {
		errs = append(errs, tell(v))
	}
	return errors.Join(errs...)
}

func (all Views) Start() error { return all.each(View.Start) }

func (all Views) Know(objects []Target) {
	for _, v := range all {
		v.Know(objects)
	}
}

func (all Views) Update(e Event, b *observe.Board) error {
	return all.each(func(v View) error { return v.Update(e, b) })
}

func (all Views) End(b *observe.Board, e Result) error {
	return all.each(func(v View) error { return v.End(b, e) })
}

func (all Views) Why(e *explainer.Explained) error {
	return all.each(func(v View) error { return v.Why(e) })
}

func (all Views) Result(b *observe.Board, e Result) error {
	return all.each(func(v View) error { return v.Result(b, e) })
}

// An EventClock holds the time of the event that is shown, so that all views and
// any replay agree on it. It advances monotonically.
type EventClock struct {
	began, First time.Time
	mu           sync.Mutex // guards last
	last         time.Time
}

func NewEventClock(began time.Time) *EventClock {
	first := began.Round(0)
	return &EventClock{began: began, First: first, last: first}
}

func (m *EventClock) Set(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = m.First.Add(t.Sub(m.began))
}

func (m *EventClock) At() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

// Finish ends a view.
func Finish(v View, b *observe.Board, e Result) error {
	return errors.Join(v.End(b, e), v.Result(b, e))
}

// A Result is how a wait ended.
type Result struct {
	Code exit.Code
	Cut  bool  // it was over before all was decided, so what is open is to be told
	Err  error // what went wrong besides what the objects say
}

// A Config is what all views of a wait know.
type Config struct {
	Out      io.Writer
	Now      func() time.Time
	At       func() time.Time // when what is being told has happened
	Began    time.Time
	Brief    Brief
	Quiet    bool
	Progress *progress
	Page     terminal.Page // how explanations are shown
}

// A Display is how people are shown a wait.
type Display struct {
	Mode   string
	Screen *terminal.Screen // of the live view
	Style  terminal.Style
	Most   int // columns, by COLUMNS
	Page   terminal.Page
}

// UntilSignal is as the function of that name. At a signal and when done, the
// terminal is given back; at a signal at once, since the next one ends the process.
func (s Display) UntilSignal(parent context.Context) (context.Context, func()) {
	ctx, done := cli.UntilSignal(parent)
	if s.Screen == nil {
		return ctx, done
	}
	giveBack := func() { _ = s.Screen.Close("") } // what cannot be written to, needs nothing back
	stop := context.AfterFunc(ctx, func() {
		if _, ok := errors.AsType[*cli.SignalError](context.Cause(ctx)); ok {
			giveBack()
		}
	})
	return ctx, func() {
		stop()
		giveBack()
		done()
	}
}

// A Pending list knows the targets, and which of them have not been heard of.
type Pending struct {
	targets []observe.Target
	heard   map[observe.Target]bool
	known   bool // it is known what is waited for
}

func (r *Pending) Know(all []Target) {
	r.heard, r.known = make(map[observe.Target]bool, len(all)), true
	for _, t := range all {
		r.targets = append(r.targets, t.Target)
	}
}

func (r *Pending) Hear(t observe.Target) { r.heard[t] = true }

// silent returns what has not been heard of.
func (r *Pending) silent() (all []observe.Target) {
	for _, t := range r.targets {
		if !r.heard[t] {
			all = append(all, t)
		}
	}
	return all
}

// Objects returns how many objects there are: those on the board, where a
// selection is none, and those that have not been heard of.
func (r *Pending) Objects(b *observe.Board) int {
	n := b.Len()
	for _, t := range r.silent() {
		if !t.IsSelection() {
			n++
		}
	}
	for _, u := range b.Updates() {
		if u.Target.IsSelection() {
			n--
		}
	}
	return n
}
