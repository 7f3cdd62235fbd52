package faults

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A streamEnd is how a watch ends.
type streamEnd string

// The endings.
const (
	notEnded streamEnd = "" // it does not end
	closed   streamEnd = "closed"
	aborted  streamEnd = "aborted"
	reset    streamEnd = "reset"
	silent   streamEnd = "silent" // not for the client, which receives nothing more
)

// A watchEffect is a fault that applies to one watch. Zero fields do nothing.
type watchEffect struct {
	event func(Event) ([]Event, streamEnd) // replaces an event
	body  func(io.Reader) io.Reader        // changes how bytes are sent
	delay func() time.Duration             // the delay of an event

	at    time.Time        // when it applies by itself
	last  []Event          // events to send then
	apply func() streamEnd // called then; nil: nothing
}

// endEffect returns a watchEffect that ends a watch now.
func endEffect(in *Injected, how streamEnd) *watchEffect {
	return &watchEffect{at: time.Now(), apply: func() streamEnd {
		in.hits.Add(1)
		return how
	}}
}

// A stream is an open watch.
type stream struct {
	*exchange
	known   map[*Injected]bool
	order   []*Injected // the keys of holds, in the order of injection
	holds   map[*Injected]*watchEffect
	frames  <-chan frame
	parsed  bool // it is JSON
	initial bool // the initial list is not complete yet
	due     time.Time
}

// watch forwards a watch to the client until the server, a fault or the client ends it.
func (x *exchange) watch(resp *http.Response, known map[*Injected]bool, faults []*Injected) {
	maps.Copy(x.w.Header(), resp.Header)
	x.w.Header().Del("Content-Length")
	x.w.WriteHeader(resp.StatusCode)
	x.proxy.tally.add(x.call, Count{Open: 1})
	defer x.proxy.tally.add(x.call, Count{Open: -1})
	s := &stream{exchange: x, known: known, holds: map[*Injected]*watchEffect{}}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	s.parsed = kind == "application/json"
	s.initial = x.r.URL.Query().Get("sendInitialEvents") == "true"
	ctx, stop := context.WithCancel(x.r.Context())
	frames := make(chan frame, 64)
	s.frames = frames
	var reader sync.WaitGroup
	reader.Go(func() { read(ctx, resp.Body, s.parsed, frames) })
	defer reader.Wait()
	defer resp.Body.Close()
	defer stop()
	how := s.run(faults)
	stop()
	switch how {
	case silent:
		_ = resp.Body.Close() // the client has closed the connection
		<-x.r.Context().Done()
	case reset:
		x.reset()
	case aborted:
		panic(http.ErrAbortHandler)
	}
}

// run forwards events until the watch ends, and returns the ending. It keeps the order of the
// faults when they change.
func (s *stream) run(more []*Injected) streamEnd {
	var over []*Injected
	var changed <-chan struct{}
	if err := http.NewResponseController(s.w).Flush(); err != nil { // let the client see the open watch
		return closed
	}
	for {
		for _, in := range more {
			if how := s.take(in); how != notEnded {
				return how
			}
		}
		if how := s.release(over); how != notEnded {
			return how
		}
		more, over, changed = s.proxy.faultsFor(s.call, s.known)
		if len(more)+len(over) > 0 {
			continue
		}
		if how := s.follow(changed); how != notEnded {
			return how
		}
	}
}

// take starts a fault.
func (s *stream) take(in *Injected) streamEnd {
	f, ok := in.fault.(watchFault)
	if !ok {
		return notEnded
	}
	if f.readsEvents() && !s.parsed {
		return closed // the client reopens the watch, and gets JSON
	}
	s.holds[in] = f.effect(in, s.exchange)
	s.order = append(s.order, in)
	return notEnded
}

// release ends faults, and sends the events that they have held back.
func (s *stream) release(over []*Injected) streamEnd {
	for _, in := range over {
		h := s.holds[in]
		delete(s.holds, in)
		s.order = slices.DeleteFunc(s.order, func(other *Injected) bool { return other == in })
		if h != nil && h.apply == nil {
			if how := s.pass(h.last, 0); how != notEnded {
				return how
			}
		}
	}
	return notEnded
}

// follow forwards events until the faults change or the watch ends.
func (s *stream) follow(changed <-chan struct{}) streamEnd {
	for {
		alarm := s.nextTimer()
		select {
		case <-s.r.Context().Done():
			return closed
		case <-changed:
			return notEnded
		case <-alarm:
			if how := s.applyDue(time.Now()); how != notEnded {
				return how
			}
		case f := <-s.frames:
			switch {
			case errors.Is(f.err, io.EOF):
				return closed
			case f.err != nil:
				return aborted
			}
			if how := s.event(f); how != notEnded {
				return how
			}
		}
	}
}

// nextTimer returns a channel that fires when the next fault applies by itself.
func (s *stream) nextTimer() <-chan time.Time {
	var next time.Time
	for _, h := range s.holds {
		if !h.at.IsZero() && (next.IsZero() || h.at.Before(next)) {
			next = h.at
		}
	}
	if next.IsZero() {
		return nil
	}
	return time.After(time.Until(next))
}

// applyDue applies those faults whose time has come.
func (s *stream) applyDue(now time.Time) streamEnd {
	for i, in := range s.order {
		h := s.holds[in]
		if h.at.IsZero() || h.at.After(now) {
			continue
		}
		last := h.last
		h.at, h.last = time.Time{}, nil
		if how := s.pass(last, i+1); how != notEnded {
			return how
		}
		if h.apply != nil {
			if how := h.apply(); how != notEnded {
				return how
			}
		}
	}
	return notEnded
}

// event forwards an event of the API server.
func (s *stream) event(f frame) streamEnd {
	e := Event{raw: f.raw}
	if s.parsed {
		s.proxy.tally.add(s.call, Count{Events: 1})
		if len(s.holds) > 0 || s.initial && bytes.HasPrefix(f.raw, []byte(`{"type":"BOOKMARK"`)) {
			e = parse(f.raw)
		}
		e.Initial = s.initial
		s.initial = s.initial && !e.endsInitial
	}
	s.due = later(s.due, f.at.Add(s.delay()))
	if pause := time.Until(s.due); pause > 0 && !s.exchange.wait(pause) {
		return closed
	}
	return s.pass([]Event{e}, 0)
}

func (s *stream) delay() (d time.Duration) {
	for _, h := range s.holds {
		if h.delay != nil {
			d += h.delay()
		}
	}
	return d
}

// pass sends events to the client through all faults from an index on.
func (s *stream) pass(events []Event, from int) streamEnd {
	if len(events) == 0 {
		return notEnded
	}
	how := notEnded
	for _, in := range s.order[from:] {
		if change := s.holds[in].event; change != nil {
			var out []Event
			for _, e := range events {
				instead, end := change(e)
				out = append(out, instead...)
				if end != notEnded {
					how = end
					break
				}
			}
			events = out
		}
	}
	for _, e := range events {
		var body io.Reader = bytes.NewReader(e.raw)
		for _, in := range s.order {
			if wrap := s.holds[in].body; wrap != nil {
				body = wrap(body)
			}
		}
		if s.send(body) != nil {
			return closed
		}
	}
	return how
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
