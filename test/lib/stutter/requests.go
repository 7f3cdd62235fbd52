package stutter

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"k8s.io/client-go/rest"
)

// Requests returns a copy of a configuration for a controller that runs in this process. While the
// Plan stops Controllers, its requests wait, and so do the answers and events that it reads.
func (p Plan) Requests(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	r, stutters := p.rhythms[Controllers]
	if !stutters {
		return config
	}
	g := &gate{rhythm: r, random: p.random(Controllers)}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return gated{next, g} })
	return config
}

// A gate is closed and open in turn.
type gate struct {
	rhythm rhythm

	mu     sync.Mutex // guards the fields below
	random *rand.Rand
	closes time.Time // the gate is open until then
	opens  time.Time // and closed from then until here
}

// pass waits until the gate is open, or until ctx ends.
func (g *gate) pass(ctx context.Context) {
	if d := g.delay(time.Now()); d > 0 {
		sleep(ctx, d)
	}
}

// delay returns how long the gate stays closed.
func (g *gate) delay(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opens.IsZero() {
		g.opens = now
	}
	for !now.Before(g.opens) {
		g.closes = g.opens.Add(around(g.rhythm.runs, g.random))
		g.opens = g.closes.Add(around(g.rhythm.stops, g.random))
	}
	if now.Before(g.closes) {
		return 0
	}
	return g.opens.Sub(now)
}

// gated sends requests through a gate.
type gated struct {
	next http.RoundTripper
	gate *gate
}

func (t gated) RoundTrip(req *http.Request) (*http.Response, error) {
	t.gate.pass(req.Context())
	resp, err := t.next.RoundTrip(req)
	if err == nil {
		resp.Body = body{resp.Body, t.gate, req.Context()}
	}
	return resp, err
}

// body is the body of an answer, which passes the gate too. The context is that of its request.
type body struct {
	io.ReadCloser
	gate *gate
	ctx  context.Context
}

func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.gate.pass(b.ctx)
	return n, err
}
