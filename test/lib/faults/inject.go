package faults

import (
	"io"
	"slices"
	"sync/atomic"
)

// A Fault is a fault of the connection: one of the types of this package.
type Fault interface{ fault() }

// A requestFault applies before the request reaches the API server.
type requestFault interface {
	Fault
	request(in *Injected, x *exchange) (answered bool)
}

// A bodyFault changes the body of a response, except for watches.
type bodyFault interface {
	Fault
	body(x *exchange, from io.Reader) io.Reader
}

// A watchFault applies to an open watch. effect is called at its start.
type watchFault interface {
	Fault
	effect(in *Injected, x *exchange) *watchEffect
	readsEvents() bool // whether it reads events
}

// An Injected is an active fault.
type Injected struct {
	match   Match
	fault   Fault
	proxy   *Proxy
	hits    atomic.Int64
	matched int // number of matching requests; the proxy's lock guards this and taken
	applied int // number of those to which the fault applied
}

// Inject applies a fault to the matching requests from now on. Request faults apply to new
// requests, the others also to open watches.
func (p *Proxy) Inject(m Match, f Fault) *Injected {
	in := &Injected{match: m, fault: f, proxy: p}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, in)
	p.wakeWatches()
	return in
}

// Off ends the fault. Its effects stay: lost responses are not sent, and a silent watch stays
// silent.
func (in *Injected) Off() {
	p := in.proxy
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = slices.DeleteFunc(p.faults, func(other *Injected) bool { return other == in })
	p.wakeWatches()
}

// Hits returns how often the fault has applied. It counts requests that the fault refused, delayed
// or broke, watches that it ended, and events that it changed.
func (in *Injected) Hits() int { return int(in.hits.Load()) }

// wakeWatches wakes all open watches. The caller holds the lock.
func (p *Proxy) wakeWatches() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// faultsFor returns the new faults for a call, the ended ones among its known faults, and a
// channel that is closed when the faults change.
func (p *Proxy) faultsFor(c call, known map[*Injected]bool) (more, over []*Injected, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, in := range p.faults {
		if _, ok := known[in]; ok || !in.match.matches(c) {
			continue
		}
		in.matched++
		known[in] = (in.match.First == 0 || in.applied < in.match.First) && in.match.isInShare(in.matched)
		if known[in] {
			in.applied++
			more = append(more, in)
		}
	}
	for in := range known {
		if !slices.Contains(p.faults, in) {
			delete(known, in)
			over = append(over, in)
		}
	}
	return more, over, p.changed
}
