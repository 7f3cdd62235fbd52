package faults

import (
	"io"
	"strings"
	"time"
)

// Truncate ends a body too early, as if it were complete. In a watch, it truncates the next
// event and ends the watch.
type Truncate struct {
	Bytes int // number of sent bytes; 0: 16
}

func (Truncate) fault() {}

func (f Truncate) size() int {
	if f.Bytes == 0 {
		return 16
	}
	return f.Bytes
}

func (f Truncate) body(_ *exchange, from io.Reader) io.Reader {
	return io.LimitReader(from, int64(f.size()))
}

func (f Truncate) effect(in *Injected, _ *exchange) *watchEffect {
	return &watchEffect{event: func(e Event) ([]Event, streamEnd) {
		in.hits.Add(1)
		e.raw = e.raw[:min(len(e.raw), f.size())]
		return []Event{e}, closed
	}}
}

func (Truncate) readsEvents() bool { return true }

// Garbage replaces a body by text that is not JSON. In a watch, it replaces the next event and
// all that follow.
type Garbage struct {
	Text string // empty: a page of HTML
}

func (Garbage) fault() {}

func (f Garbage) text() string {
	if f.Text == "" {
		return "<html><body><h1>It works!</h1></body></html>\n"
	}
	return f.Text
}

func (f Garbage) body(x *exchange, _ io.Reader) io.Reader {
	x.w.Header().Del("Content-Encoding")
	return strings.NewReader(f.text())
}

func (f Garbage) effect(in *Injected, _ *exchange) *watchEffect {
	return &watchEffect{event: func(e Event) ([]Event, streamEnd) {
		in.hits.Add(1)
		e.raw = []byte(f.text())
		return []Event{e}, notEnded
	}}
}

func (Garbage) readsEvents() bool { return true }

// Trickle sends a body a few bytes at a time.
type Trickle struct {
	Bytes int           // bytes at a time; 0: 64
	Every time.Duration // 0: 10 ms
}

func (Trickle) fault() {}

func (f Trickle) body(x *exchange, from io.Reader) io.Reader {
	if f.Bytes == 0 {
		f.Bytes = 64
	}
	if f.Every == 0 {
		f.Every = 10 * time.Millisecond
	}
	return &trickle{f, x, from}
}

func (f Trickle) effect(in *Injected, x *exchange) *watchEffect {
	return &watchEffect{body: func(from io.Reader) io.Reader {
		in.hits.Add(1)
		return f.body(x, from)
	}}
}

func (Trickle) readsEvents() bool { return false }

type trickle struct {
	Trickle
	x    *exchange
	from io.Reader
}

func (t *trickle) Read(b []byte) (int, error) {
	if !t.x.wait(t.Every) {
		return 0, io.ErrUnexpectedEOF
	}
	return t.from.Read(b[:min(len(b), t.Bytes)])
}
