package main

import (
	"cmp"
	"time"

	"kstatus.dev/observe"
)

// A historian keeps how long objects take, and tells the other views how long
// they take usually. Without a file it only keeps since when nothing has changed.
type historian struct {
	pace    *pace
	now     func() time.Time
	file    string
	context string // where targets name no cluster
	note    func(format string, args ...any)
	took    []measured
}

// newHistorian reads the file. One that cannot be read changes nothing but what
// is known.
func newHistorian(file, context string, now func() time.Time, note func(string, ...any)) *historian {
	h := &historian{pace: new(pace), now: now, file: file, context: context, note: note}
	if file == "" {
		return h
	}
	known, err := readHistory(file)
	if err != nil {
		note("--history: %v; it is left alone, and nothing is known", err)
		h.file = ""
		return h
	}
	h.pace.usual = func(t observe.Target) (time.Duration, bool) { return known.usual(keyOf(t, h.context)) }
	return h
}

func (h *historian) start() error  { return nil }
func (h *historian) know([]target) {}

func (h *historian) update(u observe.Update, _ *observe.Board) error {
	now := h.now()
	if took, arrived := h.pace.see(u, now); arrived && h.file != "" {
		h.took = append(h.took, measured{keyOf(u.Target, h.context), took, now})
	}
	return nil
}

func (h *historian) end(*observe.Board, ending) error {
	if h.file == "" {
		return nil
	}
	if err := addToHistory(h.file, h.took); err != nil {
		h.note("--history: %v", err)
	}
	return nil
}

func (h *historian) why(*explained) error                { return nil }
func (h *historian) result(*observe.Board, ending) error { return nil }

// contextOf returns the context of a wait in one cluster.
func contextOf(clusters []*connected) string {
	if len(clusters) != 1 {
		return ""
	}
	return cmp.Or(clusters[0].name, clusters[0].context)
}
