package source

import (
	"strings"
	"sync"

	"kstatus.dev/status"
)

// A knowledge holds objects on which verdicts about targets depend. The zero knowledge is empty.
// It is safe for concurrent use.
type knowledge struct {
	outer *knowledge // used for objects that this one does not have; may be nil

	mu      sync.RWMutex // guards related
	related map[relation]status.Map
}

// A relation identifies another object on which verdicts depend.
type relation struct {
	kind            status.Kind
	namespace, name string
}

var (
	storageClass      = status.Kind{Group: "storage.k8s.io", Kind: "StorageClass"}
	endpointSliceKind = status.Kind{Group: "discovery.k8s.io", Kind: "EndpointSlice"}
)

// learn keeps the fields of an object that other verdicts read, and replaces earlier ones. Other
// objects are ignored.
func (k *knowledge) learn(obj status.Object) {
	root := obj.UnstructuredContent()
	version, _ := root["apiVersion"].(string)
	group, _, _ := strings.Cut(version, "/")
	name, _ := root["kind"].(string)
	kind := status.Kind{Group: group, Kind: name}
	kept := status.Map{}
	switch kind {
	case storageClass:
		kept["volumeBindingMode"] = root["volumeBindingMode"]
		if root["volumeBindingMode"] == nil {
			kept["volumeBindingMode"] = "Immediate" // the default of the API server
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
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.related == nil {
		k.related = map[relation]status.Map{}
	}
	k.related[r] = kept
}

// lookup is a [status.Lookup].
func (k *knowledge) lookup(kind status.Kind, namespace, name string) status.Object {
	k.mu.RLock()
	known, ok := k.related[relation{kind, namespace, name}]
	k.mu.RUnlock()
	switch {
	case ok:
		return known
	case k.outer != nil:
		return k.outer.lookup(kind, namespace, name)
	}
	return nil
}
