package main

import (
	"errors"
	"io"
	"time"

	"kstatus.dev/observe"
)

// A view shows a wait. What it is told stands in the order in which it is told.
type view interface {
	start() error
	know(all []selected) // what is waited for, when that is known
	update(u observe.Update, b *observe.Board) error
	end(b *observe.Board, e ending) error    // where everything stands when it is over
	result(b *observe.Board, e ending) error // the last line
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

func (all views) know(objects []selected) {
	for _, v := range all {
		v.know(objects)
	}
}

func (all views) update(u observe.Update, b *observe.Board) error {
	return all.each(func(v view) error { return v.update(u, b) })
}

func (all views) end(b *observe.Board, e ending) error {
	return all.each(func(v view) error { return v.end(b, e) })
}

func (all views) result(b *observe.Board, e ending) error {
	return all.each(func(v view) error { return v.result(b, e) })
}

// finish ends a view.
func finish(v view, b *observe.Board, e ending) error {
	return errors.Join(v.end(b, e), v.result(b, e))
}

// An ending is how a wait ended.
type ending struct {
	code exitCode
	cut  bool  // it was over before all was decided, so what is open is to be told
	err  error // what went wrong besides what the objects say
}

// A waitLook is what all views of a wait know.
type waitLook struct {
	out     io.Writer
	now     func() time.Time
	began   time.Time
	plan    *waitPlan
	profile string
	asked   overview
	quiet   bool
}

// view returns the view for -o.
func (w *waitCommand) view(l waitLook) view {
	switch w.output {
	case "json":
		return newWaitLines(l)
	case "name":
		said := l
		said.out, said.quiet = w.env.err, true
		return &waitNames{waitLook: l, log: newWaitLog(said), done: map[observe.Target]bool{}}
	}
	return newWaitLog(l)
}

// A roll tells what is waited for and has not been heard of.
type roll struct {
	targets []observe.Target
	heard   map[observe.Target]bool
	known   bool // it is known what is waited for
}

func (r *roll) know(all []selected) {
	r.targets, r.heard, r.known = targetsOf(all), make(map[observe.Target]bool, len(all)), true
}

func (r *roll) hear(t observe.Target) { r.heard[t] = true }

// silent returns what has not been heard of.
func (r *roll) silent() (all []observe.Target) {
	for _, t := range r.targets {
		if !r.heard[t] {
			all = append(all, t)
		}
	}
	return all
}

// objects returns how many objects there are: those on the board, where a
// selection is none, and those that have not been heard of.
func (r *roll) objects(b *observe.Board) int {
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
