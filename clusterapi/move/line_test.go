package move_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"syscall"

	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// A line is the network between the mover and both servers. At a request it calls do, and may go
// down.
type line struct {
	w *world

	mu     sync.Mutex // guards the fields below
	sent   int
	at     int // the request at which do is called; 0: none
	do     func()
	each   func(n int) // called before each request with its number, if set
	lost   bool        // the request is carried out, and its answer is lost
	isDown bool
	silent []int // the sides that never answer
}

// through returns options whose requests go through the line.
func (l *line) through(o move.Options) move.Options {
	for side, c := range []*rest.Config{o.Source, o.Target} {
		if c != nil {
			c.Wrap(func(next http.RoundTripper) http.RoundTripper { return &wire{next, l, side} })
		}
	}
	return o
}

// down cuts the network, which also ends all watches.
func (l *line) down() {
	l.mu.Lock()
	l.isDown = true
	l.mu.Unlock()
	for _, s := range []*wiretest.Server{l.w.from, l.w.to} {
		s.EndWatches(wiretest.Cut)
	}
}

// hush has servers never answer again. Requests end only with their contexts.
func (l *line) hush(sides ...int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent = sides
}

// up repairs the network.
func (l *line) up() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isDown, l.at, l.silent = false, 0, nil
}

// A wire is a transport that goes through a line.
type wire struct {
	next http.RoundTripper
	line *line
	side int
}

// RoundTrip sends a request.
func (c *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	l := c.line
	l.mu.Lock()
	l.sent++
	isIt, n := l.sent == l.at, l.sent
	l.mu.Unlock()
	if l.each != nil {
		l.each(n)
	}
	if isIt && !l.lost {
		l.do()
	}
	if l.isSilent(c.side) {
		<-r.Context().Done()
		return nil, context.Cause(r.Context())
	}
	if l.refuses() {
		return nil, fmt.Errorf("dial %s: %w", r.URL.Host, syscall.ECONNREFUSED)
	}
	response, err := c.next.RoundTrip(r)
	if isIt && l.lost {
		l.do()
		if err == nil {
			response.Body.Close()
		}
		return nil, fmt.Errorf("read from %s: %w", r.URL.Host, syscall.ECONNRESET)
	}
	return response, err
}

func (l *line) isSilent(side int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.silent, side)
}

func (l *line) refuses() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isDown
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (c *wire) WrappedRoundTripper() http.RoundTripper { return c.next }
