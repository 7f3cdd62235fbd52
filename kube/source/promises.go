package source

import (
	"strings"
	"sync"

	"kstatus.dev/status"
)

// A Promises holds what the definitions of custom kinds promise about their
// status, and what StorageClasses say of claims. Its Learn is for
// [Cluster.Learn], its Of for [status.Evaluator.Expect] and its Related for
// [status.Evaluator.Related] of whoever judges what that Cluster sees. The zero
// Promises know nothing. It may be used by several goroutines.
type Promises struct {
	mu      sync.RWMutex // guards what follows
	known   map[status.Kind]status.Expectations
	classes map[string]status.Map // StorageClasses, by name
}

var storageClass = status.Kind{Group: "storage.k8s.io", Kind: "StorageClass"}

// Learn reads the definition of a kind, or a StorageClass. What it says replaces
// what was known of that kind or class. One that cannot be read promises nothing.
func (p *Promises) Learn(definition status.Object) {
	root := definition.UnstructuredContent()
	version, _ := root["apiVersion"].(string)
	if group, _, _ := strings.Cut(version, "/"); group == storageClass.Group && root["kind"] == storageClass.Kind {
		p.class(root)
		return
	}
	expect, err := status.ExpectationsFromCRDs(definition)
	if err != nil {
		return
	}
	spec, _ := root["spec"].(map[string]any)
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

// class keeps of a StorageClass what a verdict may rest on.
func (p *Promises) class(root map[string]any) {
	meta, _ := root["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	mode := root["volumeBindingMode"]
	if mode == nil {
		mode = "Immediate" // as the API server has it
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.classes == nil {
		p.classes = map[string]status.Map{}
	}
	p.classes[name] = status.Map{"volumeBindingMode": mode}
}

// Related returns what is known of a StorageClass; nil of anything else.
func (p *Promises) Related(kind status.Kind, _, name string) status.Object {
	if kind != storageClass {
		return nil
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	if class, ok := p.classes[name]; ok {
		return class
	}
	return nil
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
