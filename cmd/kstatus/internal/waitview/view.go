// Package waitview shows the progress of a wait: as a log, as lines of JSON, or live on a
// terminal. All views receive the same events at the same times, so a replay of a record shows
// the same.
//
// view.go has the interface; each of log.go, quiet.go, json.go, names.go and live.go has one
// view. For the live view, model.go computes the content, and frame.go draws it for a width and
// a height; neither does I/O.
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
	"kstatus.dev/cmd/kstatus/internal/history"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/crash"
	"kstatus.dev/observe"
)

// A View shows a wait. Its methods are called in the order of this list.
type View interface {
	Start() error
	SetTargets(all []Target) // the objects, once they are known
	Update(e Event, b *observe.Board) error
	End(b *observe.Board, e Result) error    // the last verdicts, after the wait
	Explain(e *explainer.Explanation) error  // after End of all views, if there is an explanation
	Result(b *observe.Board, e Result) error // the last line
}

// A Base is a view that shows nothing. Views embed it for the methods that they do not need.
type Base struct{}

// Start does nothing.
func (Base) Start() error { return nil }

// SetTargets does nothing.
func (Base) SetTargets([]Target) {}

// Update does nothing.
func (Base) Update(Event, *observe.Board) error { return nil }

// End does nothing.
func (Base) End(*observe.Board, Result) error { return nil }

// Explain does nothing.
func (Base) Explain(*explainer.Explanation) error { return nil }

// Result does nothing.
func (Base) Result(*observe.Board, Result) error { return nil }

// A Target is an object or selection that a view shows. Source is its place in a file, nil if it
// has none.
type Target struct {
	observe.Target
	Source *manifest.Source
}

// SourcesOf returns the places of targets in files.
func SourcesOf(all []Target) map[observe.Target]*manifest.Source {
	sources := make(map[observe.Target]*manifest.Source, len(all))
	for _, t := range all {
		sources[t.Target] = t.Source
	}
	return sources
}

// Multi passes a wait to several views. At the end each view prints its verdicts before the next
// one, and then each its last line.
type Multi []View

func (all Multi) each(tell func(View) error) error {
	var errs []error
	for _, v := range all {
		errs = append(errs, tell(v))
	}
	return errors.Join(errs...)
}

// Start calls Start of each view.
func (all Multi) Start() error { return all.each(View.Start) }

// SetTargets calls SetTargets of each view.
func (all Multi) SetTargets(objects []Target) {
	for _, v := range all {
		v.SetTargets(objects)
	}
}

// Update calls Update of each view.
func (all Multi) Update(e Event, b *observe.Board) error {
	return all.each(func(v View) error { return v.Update(e, b) })
}

// End calls End of each view.
func (all Multi) End(b *observe.Board, e Result) error {
	return all.each(func(v View) error { return v.End(b, e) })
}

// Explain calls Explain of each view.
func (all Multi) Explain(e *explainer.Explanation) error {
	return all.each(func(v View) error { return v.Explain(e) })
}

// Result calls Result of each view.
func (all Multi) Result(b *observe.Board, e Result) error {
	return all.each(func(v View) error { return v.Result(b, e) })
}

// Flush calls Flush of each view that is a [Flusher].
func (all Multi) Flush() error {
	return all.each(func(v View) error {
		if f, ok := v.(Flusher); ok {
			return f.Flush()
		}
		return nil
	})
}

// A Flusher is a view that holds lines back. Flush prints the lines that are due.
type Flusher interface{ Flush() error }

// An EventClock holds the time of the event that is shown, so that all views and a replay
// show the same time. It advances monotonically.
type EventClock struct {
	began, First time.Time
	mu           sync.Mutex // guards last
	last         time.Time
}

// NewEventClock returns a clock that is set to the beginning of the wait.
func NewEventClock(began time.Time) *EventClock {
	first := began.Round(0)
	return &EventClock{began: began, First: first, last: first}
}

// Set sets the clock to the time of an event.
func (m *EventClock) Set(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = m.First.Add(t.Sub(m.began))
}

// Now returns the time of the last event.
func (m *EventClock) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

// Finish calls End and Result of a view.
func Finish(v View, b *observe.Board, e Result) error {
	return errors.Join(v.End(b, e), v.Result(b, e))
}

// A Result is how a wait ended.
type Result struct {
	Code exit.Code
	Cut  bool  // it ended before all objects were decided, so End prints the open ones
	Err  error // the error of the wait itself

	TimedOut bool // the timeout of the whole wait has passed
}

// A Config is what all views of a wait need.
type Config struct {
	Out       io.Writer
	Now       func() time.Time
	EventTime func() time.Time // returns the time of the shown event
	Began     time.Time
	Brief     Brief
	Quiet     bool
	Full      bool // lines are neither condensed nor omitted
	Columns   int  // the maximum columns of a line; zero: any number
	Progress  *history.Progress
	Page      terminal.Page // how explanations are shown
}

// A Display says how a wait is shown to users.
type Display struct {
	Mode     string
	Screen   *terminal.Screen // of the live view
	Style    terminal.Style
	MaxWidth int // columns, by COLUMNS
	Page     terminal.Page
}

// UntilSignal is [cli.UntilSignal] that also closes the screen: when done is called, or at once
// at a signal, since the next signal ends the process.
func (s Display) UntilSignal(parent context.Context) (context.Context, func()) {
	ctx, done := cli.UntilSignal(parent)
	if s.Screen == nil {
		return ctx, done
	}
	restore := func() { _ = s.Screen.Close("") } // an error means that the terminal cannot be restored
	quiet := cli.ReportClosedPipes()
	stop := context.AfterFunc(ctx, crash.Guarded(func() {
		if _, ok := errors.AsType[*cli.SignalError](context.Cause(ctx)); ok {
			restore()
		}
	}))
	return ctx, func() {
		stop()
		restore()
		quiet()
		done()
	}
}

// A Pending holds the targets, and which of them have been reported.
type Pending struct {
	targets  []observe.Target
	reported map[observe.Target]bool
	known    bool // the targets are known
}

// SetTargets adds the targets, none of which has been reported.
func (r *Pending) SetTargets(all []Target) {
	r.reported, r.known = make(map[observe.Target]bool, len(all)), true
	for _, t := range all {
		r.targets = append(r.targets, t.Target)
	}
}

// MarkReported marks a target as reported.
func (r *Pending) MarkReported(t observe.Target) { r.reported[t] = true }

// unreported returns the targets that have not been reported.
func (r *Pending) unreported() (all []observe.Target) {
	for _, t := range r.targets {
		if !r.reported[t] {
			all = append(all, t)
		}
	}
	return all
}

// Objects returns the number of objects: those on the board except selections, and those that
// have not been reported.
func (r *Pending) Objects(b *observe.Board) int {
	n := b.Len()
	for _, t := range r.unreported() {
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
