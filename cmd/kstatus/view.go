package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"kstatus.dev/observe"
)

// A view shows a wait. What it is told stands in the order in which it is told.
type view interface {
	start() error
	know(all []target) // what is waited for, when that is known
	update(e event, b *observe.Board) error
	end(b *observe.Board, e result) error    // where everything stands when it is over
	why(e *explained) error                  // and why, after all views have said that; not called if nothing is to be explained
	result(b *observe.Board, e result) error // the last line
}

// A base is a view that shows nothing, for views to embed that show some of it.
type base struct{}

func (base) start() error                        { return nil }
func (base) know([]target)                       {}
func (base) update(event, *observe.Board) error  { return nil }
func (base) end(*observe.Board, result) error    { return nil }
func (base) why(*explained) error                { return nil }
func (base) result(*observe.Board, result) error { return nil }

// A target is what a view shows, with the place in a file that names it, if one does.
type target struct {
	observe.Target
	source *source
}

// sourcesOf returns which files name targets, and where.
func sourcesOf(all []target) map[observe.Target]*source {
	sources := make(map[observe.Target]*source, len(all))
	for _, t := range all {
		sources[t.Target] = t.source
	}
	return sources
}

// Views are several views of the same wait: what one says at the end stands
// before what the next one does, and their last lines after all of that.
type views []view

func (all views) each(tell func(view) error) error {
	var errs []error
	for _, v := range all {
		errs = append(errs, tell(v))
	}
	return errors.Join(errs...)
}

func (all views) start() error { return all.each(view.start) }

func (all views) know(objects []target) {
	for _, v := range all {
		v.know(objects)
	}
}

func (all views) update(e event, b *observe.Board) error {
	return all.each(func(v view) error { return v.update(e, b) })
}

func (all views) end(b *observe.Board, e result) error {
	return all.each(func(v view) error { return v.end(b, e) })
}

func (all views) why(e *explained) error {
	return all.each(func(v view) error { return v.why(e) })
}

func (all views) result(b *observe.Board, e result) error {
	return all.each(func(v view) error { return v.result(b, e) })
}

// An eventClock holds the time of the event that is shown, so that all views and
// any replay agree on it. It advances monotonically.
type eventClock struct {
	began, first time.Time
	mu           sync.Mutex // guards last
	last         time.Time
}

func newEventClock(began time.Time) *eventClock {
	first := began.Round(0)
	return &eventClock{began: began, first: first, last: first}
}

func (m *eventClock) set(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = m.first.Add(t.Sub(m.began))
}

func (m *eventClock) at() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

// finish ends a view.
func finish(v view, b *observe.Board, e result) error {
	return errors.Join(v.end(b, e), v.result(b, e))
}

// A result is how a wait ended.
type result struct {
	code exitCode
	cut  bool  // it was over before all was decided, so what is open is to be told
	err  error // what went wrong besides what the objects say
}

// A config is what all views of a wait know.
type config struct {
	out      io.Writer
	now      func() time.Time
	at       func() time.Time // when what is being told has happened
	began    time.Time
	brief    brief
	quiet    bool
	progress *progress
	page     page // how explanations are shown
}

// A display is how people are shown a wait.
type display struct {
	mode   string
	screen *screen // of the live view
	style  style
	most   int // columns, by COLUMNS
	page   page
}

// untilSignal is as the function of that name. At a signal and when done, the
// terminal is given back; at a signal at once, since the next one ends the process.
func (s display) untilSignal(parent context.Context) (context.Context, func()) {
	ctx, done := untilSignal(parent)
	if s.screen == nil {
		return ctx, done
	}
	giveBack := func() { _ = s.screen.close("") } // what cannot be written to, needs nothing back
	stop := context.AfterFunc(ctx, func() {
		if _, ok := errors.AsType[*signalError](context.Cause(ctx)); ok {
			giveBack()
		}
	})
	return ctx, func() {
		stop()
		giveBack()
		done()
	}
}

// A pending list knows the targets, and which of them have not been heard of.
type pending struct {
	targets []observe.Target
	heard   map[observe.Target]bool
	known   bool // it is known what is waited for
}

func (r *pending) know(all []target) {
	r.heard, r.known = make(map[observe.Target]bool, len(all)), true
	for _, t := range all {
		r.targets = append(r.targets, t.Target)
	}
}

func (r *pending) hear(t observe.Target) { r.heard[t] = true }

// silent returns what has not been heard of.
func (r *pending) silent() (all []observe.Target) {
	for _, t := range r.targets {
		if !r.heard[t] {
			all = append(all, t)
		}
	}
	return all
}

// objects returns how many objects there are: those on the board, where a
// selection is none, and those that have not been heard of.
func (r *pending) objects(b *observe.Board) int {
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
