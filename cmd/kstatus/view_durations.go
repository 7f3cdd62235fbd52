package main

import (
	"cmp"
	"time"

	"kstatus.dev/observe"
)

// A durations view keeps how long objects take, and tells the other views how long
// they take usually. Without a file it only keeps since when nothing has changed.
type durations struct {
	base
	progress *progress
	now      func() time.Time
	file     string
	context  string // where targets name no cluster
	note     func(format string, args ...any)
	took     []sample
}

// newDurations reads the file. One that cannot be read changes nothing but what
// is known.
func newDurations(file, context string, now func() time.Time, note func(string, ...any)) *durations {
	h := &durations{progress: new(progress), now: now, file: file, context: context, note: note}
	if file == "" {
		return h
	}
	known, err := readHistory(file)
	if err != nil {
		note("--history: %v; it is left alone, and nothing is known", err)
		h.file = ""
		return h
	}
	h.progress.usual = func(t observe.Target) (time.Duration, bool) { return known.usual(keyOf(t, h.context)) }
	return h
}

func (h *durations) update(u event, _ *observe.Board) error {
	now := h.now()
	if took, arrived := h.progress.see(u, now); arrived && h.file != "" {
		h.took = append(h.took, sample{keyOf(u.Target, h.context), took, now})
	}
	return nil
}

func (h *durations) end(*observe.Board, result) error {
	if h.file == "" {
		return nil
	}
	if err := addToHistory(h.file, h.took); err != nil {
		h.note("--history: %v", err)
	}
	return nil
}

// contextOf returns the context of a wait in one cluster.
func contextOf(clusters []*connected) string {
	if len(clusters) != 1 {
		return ""
	}
	return cmp.Or(clusters[0].name, clusters[0].context)
}
