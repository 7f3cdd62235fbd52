package source

import (
	"strings"
	"sync"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// relatedObjects holds objects on which verdicts about targets depend. The zero value is
// empty. It is safe for concurrent use.
type relatedObjects struct {
	outer *relatedObjects // used for objects that this one does not have; may be nil

	mu      sync.RWMutex // guards related
	related map[objectKey]status.Map
}

// An objectKey identifies another object on which verdicts depend.
type objectKey struct {
	kind            status.Kind
	namespace, name string
}

var (
	storageClass      = status.Kind{Group: "storage.k8s.io", Kind: "StorageClass"}
	endpointSliceKind = status.Kind{Group: "discovery.k8s.io", Kind: "EndpointSlice"}
	eventKind         = status.Kind{Kind: "Event"}
)

// add keeps the fields of an object that other verdicts read, and replaces earlier ones. Other
// objects are ignored.
func (k *relatedObjects) add(obj status.Object) {
	root := obj.UnstructuredContent()
	group, _, grouped := strings.Cut(decoded.Text(root, "apiVersion"), "/")
	if !grouped {
		group = "" // the core group
	}
	kind := status.Kind{Group: group, Kind: decoded.Text(root, "kind")}
	kept := status.Map{}
	switch kind {
	case storageClass:
		kept["volumeBindingMode"] = root["volumeBindingMode"]
		if root["volumeBindingMode"] == nil {
			kept["volumeBindingMode"] = "Immediate" // the default of the API server
		}
	case endpointSliceKind:
		kept["endpoints"] = root["endpoints"]
	case eventKind:
		kept["message"] = root["message"]
	default:
		return
	}
	r := objectKey{kind, decoded.Text(root, "metadata", "namespace"), decoded.Text(root, "metadata", "name")}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.related == nil {
		k.related = map[objectKey]status.Map{}
	}
	k.related[r] = kept
}

// lookup is a [status.Lookup].
func (k *relatedObjects) lookup(kind status.Kind, namespace, name string) status.Object {
	k.mu.RLock()
	known, ok := k.related[objectKey{kind, namespace, name}]
	k.mu.RUnlock()
	switch {
	case ok:
		return known
	case k.outer != nil:
		return k.outer.lookup(kind, namespace, name)
	}
	return nil
}
