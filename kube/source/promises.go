package source

import (
	"strings"
	"sync"

	"kstatus.dev/status"
)

// A Promises holds what the definitions of custom kinds promise about their
// status. Its Learn is for [Cluster.Learn], its Of for [status.Evaluator.Expect]
// of whoever judges what that Cluster sees. The zero Promises know nothing. It
// may be used by several goroutines.
type Promises struct {
	mu    sync.RWMutex // guards known
	known map[status.Kind]status.Expectations
}

// Learn reads the definition of a kind. What it says replaces what was known of
// that kind. One that cannot be read promises nothing.
func (p *Promises) Learn(definition status.Object) {
	expect, err := status.ExpectationsFromCRDs(definition)
	if err != nil {
		return
	}
	spec, _ := definition.UnstructuredContent()["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	group, _ := spec["group"].(string)
	kind, _ := names["kind"].(string)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[status.Kind]status.Expectations{}
	}
	p.known[status.Kind{Group: group, Kind: kind}] = expect
}

// Of returns what a kind promises, the zero Expectation if nothing is known of it.
func (p *Promises) Of(apiVersion, kind string) status.Expectation {
	group, _, _ := strings.Cut(apiVersion, "/")
	p.mu.RLock()
	expect := p.known[status.Kind{Group: group, Kind: kind}]
	p.mu.RUnlock()
	if expect == nil {
		return status.Expectation{}
	}
	return expect(apiVersion, kind)
}
