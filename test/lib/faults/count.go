package faults

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Count counts the traffic through the proxy. Bytes are those of bodies, as encoded and
// compressed on the wire; see also [Proxy.Wire].
type Count struct {
	Requests int
	Open     int   // open watches
	Events   int   // of watches, if they are in JSON
	Sent     int64 // bytes from the client
	Received int64 // bytes to the client
}

func (c *Count) add(d Count) {
	c.Requests += d.Requests
	c.Open += d.Open
	c.Events += d.Events
	c.Sent += d.Sent
	c.Received += d.Received
}

// A tally counts by call. The zero tally is ready for use.
type tally struct {
	mu sync.Mutex // guards by
	by map[call]*Count
}

func (t *tally) add(c call, d Count) {
	c.token = ""
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[call]*Count{}
	}
	if t.by[c] == nil {
		t.by[c] = new(Count)
	}
	t.by[c].add(d)
}

// Count returns the traffic so far of requests with the verbs, the resources and the namespace
// of the Match. Its other fields are ignored.
func (p *Proxy) Count(m Match) Count {
	m.Token = ""
	p.tally.mu.Lock()
	defer p.tally.mu.Unlock()
	var sum Count
	for c, n := range p.tally.by {
		if m.matches(c) {
			sum.add(*n)
		}
	}
	return sum
}

// Requests returns a table of the requests so far: a line for each verb and resource, sorted.
func (p *Proxy) Requests() string {
	p.tally.mu.Lock()
	defer p.tally.mu.Unlock()
	sums := map[call]*Count{}
	for c, n := range p.tally.by {
		c.namespace = ""
		if sums[c] == nil {
			sums[c] = new(Count)
		}
		sums[c].add(*n)
	}
	var b strings.Builder
	for _, c := range slices.SortedFunc(maps.Keys(sums), func(x, y call) int {
		return cmp.Or(cmp.Compare(x.resource, y.resource), cmp.Compare(x.verb, y.verb))
	}) {
		n := sums[c]
		fmt.Fprintf(&b, "%-8s %-40s %6d requests %4d open %8d events %12d bytes\n", c.verb, c.resource, n.Requests, n.Open, n.Events, n.Received)
	}
	return b.String()
}

// Wire returns the number of bytes on the clients' connections so far, including TLS and
// headers.
func (p *Proxy) Wire() (sent, received int64) { return p.sent.Load(), p.received.Load() }
