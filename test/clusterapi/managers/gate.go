package managers

import (
	"io"
	"net/http"
	"sync"
)

// A Gate is between a program and a server. It holds requests, or the events of watches, until the
// test releases them. So a test decides the order in which a program sees changes. The zero value
// holds nothing.
type Gate struct {
	mu    sync.Mutex // guards holds
	holds []*Hold
}

// A Hold is what a [Gate] holds.
type Hold struct {
	matches  func(*http.Request) bool
	events   bool // of watches, and not requests
	arrive   sync.Once
	arrived  chan struct{}
	released chan struct{}
}

// Requests holds the requests that match, before they are sent.
func (g *Gate) Requests(matches func(*http.Request) bool) *Hold { return g.add(matches, false) }

// Events holds the events of the watches that match, open ones included. The program
// receives them after the release.
func (g *Gate) Events(matches func(*http.Request) bool) *Hold { return g.add(matches, true) }

func (g *Gate) add(matches func(*http.Request) bool, events bool) *Hold {
	g.mu.Lock()
	defer g.mu.Unlock()
	h := &Hold{matches: matches, events: events, arrived: make(chan struct{}), released: make(chan struct{})}
	g.holds = append(g.holds, h)
	return h
}

// Arrived returns a channel that closes when the first request or event is held.
func (h *Hold) Arrived() <-chan struct{} { return h.arrived }

// Released returns a channel that closes at the release.
func (h *Hold) Released() <-chan struct{} { return h.released }

// Release lets everything pass, from now on. Call it once.
func (h *Hold) Release() { close(h.released) }

// Wrap puts the gate before a connection.
func (g *Gate) Wrap(next http.RoundTripper) http.RoundTripper { return &gateTransport{g, next} }

type gateTransport struct {
	gate *Gate
	next http.RoundTripper
}

func (x *gateTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := x.gate.wait(req, false); err != nil {
		return nil, err
	}
	resp, err := x.next.RoundTrip(req)
	if err == nil && req.URL.Query().Get("watch") == "true" {
		resp.Body = &gateBody{resp.Body, x.gate, req}
	}
	return resp, err
}

// wait waits until no hold matches a request or its events, or until the program gives up.
func (g *Gate) wait(req *http.Request, events bool) error {
	g.mu.Lock()
	holds := g.holds
	g.mu.Unlock()
	for _, h := range holds {
		if h.events != events || !h.matches(req) {
			continue
		}
		select {
		case <-h.released:
			continue
		default:
		}
		h.arrive.Do(func() { close(h.arrived) })
		select {
		case <-h.released:
		case <-req.Context().Done():
			return req.Context().Err()
		}
	}
	return nil
}

// gateBody is the body of a watch.
type gateBody struct {
	io.ReadCloser
	gate *Gate
	req  *http.Request
}

func (b *gateBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		if held := b.gate.wait(b.req, true); held != nil {
			return 0, held
		}
	}
	return n, err
}
