package main

import (
	"io"
	"time"

	"kstatus.dev/observe"
)

// A view shows a wait.
type view interface {
	start() error
	know(all []selected) // what is waited for, when that is known
	update(u observe.Update, b *observe.Board) error
	end(b *observe.Board, e ending) error
}

// An ending is how a wait ended.
type ending struct {
	code exitCode
	cut  bool // it was over before all was decided, so what is open is to be told
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
