package faults

import (
	"io"
	"slices"
	"sync/atomic"
)

// A Fault is what can go wrong: one of the types of this package.
type Fault interface{ fault() }

// A requestFault strikes before the API server is asked.
type requestFault interface {
	Fault
	request(in *Injected, x *exchange) (answered bool)
}

// A bodyFault strikes what the API server answers, watches aside.
type bodyFault interface {
	Fault
	body(x *exchange, from io.Reader) io.Reader
}

// A watchFault strikes an open watch. hold is called when it begins to.
type watchFault interface {
	Fault
	hold(in *Injected, x *exchange) *hold
	reads() bool // whether it looks at events
}

// An Injected is a fault at work.
type Injected struct {
	match Match
	fault Fault
	proxy *Proxy
	hits  atomic.Int64
	met   int // how many requests match; this and taken are guarded by the proxy's lock
	taken int // how many of them it has been chosen for
}

// Inject makes a fault strike the requests that match, from now on. Request
// faults strike those that are made, the others open watches too.
func (p *Proxy) Inject(m Match, f Fault) *Injected {
	in := &Injected{match: m, fault: f, proxy: p}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, in)
	p.announce()
	return in
}

// Off ends the fault. What it has broken stays broken: what was swallowed is
// not answered, and a watch that fell silent stays silent.
func (in *Injected) Off() {
	p := in.proxy
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = slices.DeleteFunc(p.faults, func(other *Injected) bool { return other == in })
	p.announce()
}

// Hits returns how often the fault has struck: requests that were refused,
// delayed or broken, watches that were ended, events that were tampered with.
func (in *Injected) Hits() int { return int(in.hits.Load()) }

// announce wakes all open watches. The caller holds the lock.
func (p *Proxy) announce() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// strike returns the faults that strike a call beside those that are known to
// it, which of those are over, and a channel that is closed when that changes.
func (p *Proxy) strike(c call, known map[*Injected]bool) (more, over []*Injected, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, in := range p.faults {
		if _, ok := known[in]; ok || !in.match.meets(c) {
			continue
		}
		in.met++
		known[in] = (in.match.First == 0 || in.taken < in.match.First) && in.match.shares(in.met)
		if known[in] {
			in.taken++
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
