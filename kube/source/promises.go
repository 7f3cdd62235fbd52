package source

import (
	"strings"
	"sync"

	"kstatus.dev/kube/expect"
	"kstatus.dev/status"
)

// A Promises holds what verdicts on the objects of a cluster rest on besides the
// objects: what is to be expected of custom kinds, what StorageClasses say of
// claims, and whether Services have endpoints. Its Learn is for [Cluster.Learn],
// its Kinds for [Cluster.Kinds], its Of for [status.Evaluator.Expect] and its
// Related for [status.Evaluator.Related] of whoever judges what that Cluster
// sees. The zero Promises know nothing. It may be used by several goroutines.
type Promises struct {
	expect.Kinds

	mu      sync.RWMutex // guards related
	related map[relation]status.Map
}

// A relation names another object on which verdicts rest.
type relation struct {
	kind            status.Kind
	namespace, name string
}

var (
	storageClass      = status.Kind{Group: "storage.k8s.io", Kind: "StorageClass"}
	endpointSliceKind = status.Kind{Group: "discovery.k8s.io", Kind: "EndpointSlice"}
)

// Learn reads the definition of a kind, or an object that verdicts on others rest
// on. What it says replaces what was known of that. A definition that cannot be
// read promises nothing.
func (p *Promises) Learn(definition status.Object) {
	if !p.Kinds.Learn(definition) {
		p.relate(definition.UnstructuredContent())
	}
}

// relate keeps of an object that verdicts on others rest on what they read of it.
func (p *Promises) relate(root map[string]any) {
	version, _ := root["apiVersion"].(string)
	group, _, _ := strings.Cut(version, "/")
	name, _ := root["kind"].(string)
	kind := status.Kind{Group: group, Kind: name}
	kept := status.Map{}
	switch kind {
	case storageClass:
		kept["volumeBindingMode"] = root["volumeBindingMode"]
		if root["volumeBindingMode"] == nil {
			kept["volumeBindingMode"] = "Immediate" // as the API server has it
		}
	case endpointSliceKind:
		kept["endpoints"] = root["endpoints"]
	default:
		return
	}
	r := relation{kind: kind}
	meta, _ := root["metadata"].(map[string]any)
	r.namespace, _ = meta["namespace"].(string)
	r.name, _ = meta["name"].(string)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.related == nil {
		p.related = map[relation]status.Map{}
	}
	p.related[r] = kept
}

// Related returns what is known of another object; nil if that is nothing.
func (p *Promises) Related(kind status.Kind, namespace, name string) status.Object {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if known, ok := p.related[relation{kind, namespace, name}]; ok {
		return known
	}
	return nil
}
