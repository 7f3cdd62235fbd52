package waitview

import (
	"os"
	"time"

	"kstatus.dev/cmd/kstatus/internal/history"
	"kstatus.dev/observe"
)

// A Durations view measures how long objects take, adds that to the history, and gives the other
// views the usual durations. Without a file it only records when objects last changed.
type Durations struct {
	Base
	Progress *history.Progress
	now      func() time.Time
	file     string
	context  string // for targets without a cluster
	note     func(format string, args ...any)
	took     []history.Sample
}

// NewDurations reads the history from a file. If it cannot be read, NewDurations prints a note,
// and the file is not written.
func NewDurations(file, context string, now func() time.Time, note func(string, ...any)) *Durations {
	h := &Durations{Progress: new(history.Progress), now: now, file: file, context: context, note: note}
	if file == "" {
		return h
	}
	known, err := history.Read(file)
	if err != nil {
		note("--history: %v; the file is not changed, and no usual durations are printed", err)
		h.file = ""
		return h
	}
	h.Progress.Usual = func(t observe.Target) (time.Duration, bool) { return known.Usual(history.IDOf(t, h.context)) }
	return h
}

// Update measures the duration of an object.
func (h *Durations) Update(u Event, _ *observe.Board) error {
	now := h.now()
	if took, arrived := h.Progress.Update(u.Update, u.word, u.text, now); arrived && h.file != "" {
		h.took = append(h.took, history.Sample{ID: history.IDOf(u.Target, h.context), Took: took, At: now})
	}
	return nil
}

// End writes the durations to the file.
func (h *Durations) End(*observe.Board, Result) error {
	if h.file == "" {
		return nil
	}
	_, unwritten := os.Stat(h.file)
	switch err := history.Add(h.file, h.took); {
	case err != nil:
		h.note("--history: %v", err)
	case len(h.took) == 0 && unwritten != nil:
		h.note("--history: %s is not written, because no object became ready during the wait", h.file)
	}
	return nil
}
