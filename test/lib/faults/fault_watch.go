package faults

import (
	"encoding/json"
	"slices"
	"time"
)

// Cut ends a watch normally, but without its final event. The zero Cut ends it at once.
type Cut struct {
	Events  int           // after this many events of objects
	After   time.Duration // after this time; with Events, whichever is first
	Initial bool          // Events includes the initial list
	Abort   bool          // abnormally: the stream breaks off
}

func (Cut) fault() {}

func (f Cut) effect(in *Injected, _ *exchange) *watchEffect {
	how := closed
	if f.Abort {
		how = aborted
	}
	h := &watchEffect{}
	if f.After > 0 || f.Events == 0 {
		h = endEffect(in, how)
		h.at = h.at.Add(f.After)
	}
	if f.Events > 0 {
		h.event = after(in, f.Events, f.Initial, how)
	}
	return h
}

func (f Cut) readsEvents() bool { return f.Events > 0 }

// after forwards a number of events of objects, and then ends the watch.
func after(in *Injected, many int, initial bool, how streamEnd) func(Event) ([]Event, streamEnd) {
	return func(e Event) ([]Event, streamEnd) {
		if e.Type == "BOOKMARK" || e.Initial && !initial {
			return []Event{e}, notEnded
		}
		many--
		if many > 0 {
			return []Event{e}, notEnded
		}
		in.hits.Add(1)
		return []Event{e}, how
	}
}

// Expire ends a watch with an ERROR event for an expired resource version: 410.
type Expire struct {
	Events int // after this many events of objects; 0: at once
}

func (Expire) fault() {}

func (f Expire) effect(in *Injected, x *exchange) *watchEffect {
	raw, _ := json.Marshal(map[string]any{"type": "ERROR", "object": Answer{Code: 410}.status(x.call)})
	last := Event{Type: "ERROR", raw: raw}
	if f.Events == 0 {
		h := endEffect(in, closed)
		h.last = []Event{last}
		return h
	}
	pass := after(in, f.Events, false, closed)
	return &watchEffect{event: func(e Event) ([]Event, streamEnd) {
		out, how := pass(e)
		if how == closed {
			out = append(out, last)
		}
		return out, how
	}}
}

func (f Expire) readsEvents() bool { return f.Events > 0 }

// Drop drops events of objects. Bookmarks still arrive, as if no event were missing.
type Drop struct {
	Types   []string         // ADDED, MODIFIED, DELETED, BOOKMARK; none: all but bookmarks
	If      func(Event) bool // a filter of these; nil: all
	Initial bool             // also events of the initial list
}

func (Drop) fault() {}

func (f Drop) effect(in *Injected, _ *exchange) *watchEffect {
	return &watchEffect{event: func(e Event) ([]Event, streamEnd) {
		struck := slices.Contains(f.Types, e.Type) || len(f.Types) == 0 && e.Type != "BOOKMARK"
		if !struck || e.Initial && !f.Initial || f.If != nil && !f.If(e) {
			return []Event{e}, notEnded
		}
		in.hits.Add(1)
		return nil, notEnded
	}}
}

func (Drop) readsEvents() bool { return true }

// Duplicate sends every event of an object twice.
type Duplicate struct{}

func (Duplicate) fault() {}

func (Duplicate) effect(in *Injected, _ *exchange) *watchEffect {
	return &watchEffect{event: func(e Event) ([]Event, streamEnd) {
		if e.Initial || e.Type == "BOOKMARK" {
			return []Event{e}, notEnded
		}
		in.hits.Add(1)
		return []Event{e, e}, notEnded
	}}
}

func (Duplicate) readsEvents() bool { return true }

// Reorder delays every other event of an object until after its successor, or for a while if
// there is none.
type Reorder struct {
	Wait time.Duration // 0: a second
}

func (Reorder) fault() {}

func (f Reorder) effect(in *Injected, _ *exchange) *watchEffect {
	if f.Wait == 0 {
		f.Wait = time.Second
	}
	h := &watchEffect{}
	h.event = func(e Event) ([]Event, streamEnd) {
		switch {
		case e.Initial:
			return []Event{e}, notEnded
		case h.last != nil:
			out := append([]Event{e}, h.last...)
			if e.Type == "BOOKMARK" { // a bookmark means that all earlier events were sent
				out = append(h.last, e)
			} else {
				in.hits.Add(1)
			}
			h.last, h.at = nil, time.Time{}
			return out, notEnded
		case e.Type == "BOOKMARK":
			return []Event{e}, notEnded
		}
		h.last, h.at = []Event{e}, time.Now().Add(f.Wait)
		return nil, notEnded
	}
	return h
}

func (Reorder) readsEvents() bool { return true }

// Bookmarks replaces every event of an object by a bookmark. The client learns only the latest
// resource version.
type Bookmarks struct{}

func (Bookmarks) fault() {}

func (Bookmarks) effect(in *Injected, _ *exchange) *watchEffect {
	return &watchEffect{event: func(e Event) ([]Event, streamEnd) {
		if e.Initial || e.Type == "BOOKMARK" || e.Type == "ERROR" {
			return []Event{e}, notEnded
		}
		in.hits.Add(1)
		return []Event{e.bookmark()}, notEnded
	}}
}

func (Bookmarks) readsEvents() bool { return true }
