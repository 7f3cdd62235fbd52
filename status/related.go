package status

import "kstatus.dev/status/internal/value"

// A Lookup returns another object than the one that is judged, nil if it is not known. Compute
// calls it, so it must not send requests. Compute looks up two kinds. The volumeBindingMode of the
// StorageClass of a PersistentVolumeClaim decides whether the claim waits for a Pod. Under the name
// of a Service, it looks up an EndpointSlice with the endpoints of all slices of the Service. With
// that, a Service is not Current before an endpoint is ready.
type Lookup func(kind Kind, namespace, name string) Object

// relatedText reads a field of a related object, such as the StorageClass of a claim. It is
// empty if the object is not known.
func (f *Fields) relatedText(kind Kind, namespace, name, field string) string {
	if f.eval.related == nil {
		return ""
	}
	var v any
	if obj := f.eval.related(kind, namespace, name); obj != nil {
		v = obj.UnstructuredContent()[field]
	}
	s, ok := value.Text(v)
	if !ok && v != nil {
		f.malformed(kind.Kind+"/"+name+"."+field, "a string", v)
	}
	if f.isTraced() {
		f.recordRead(kind.Kind+"/"+name+"."+field, v)
	}
	return s
}

// An endpointState is what is known about the endpoints of a Service.
type endpointState int

const (
	endpointsNotRead   endpointState = iota // the caller does not look them up
	endpointsNotNeeded                      // a Service without a selector needs none
	endpointsNotReady                       // none is ready
	endpointsReady                          // at least one is ready
)

// endpoints returns the state of the endpoints of a Service. An endpoint without the condition
// ready counts as ready.
func (f *Fields) endpoints() endpointState {
	if f.eval.related == nil {
		return endpointsNotRead
	}
	if f.Len("spec.selector") == 0 || f.Text("spec.type", "") == "ExternalName" {
		return endpointsNotNeeded
	}
	name := f.Text("metadata.name", "")
	slice := f.eval.related(Kind{"discovery.k8s.io", "EndpointSlice"}, f.Text("metadata.namespace", ""), name)
	if slice == nil {
		return endpointsNotRead
	}
	endpoints, _ := slice.UnstructuredContent()["endpoints"].([]any)
	ready := 0
	for _, e := range endpoints {
		endpoint, _ := e.(map[string]any)
		conditions, _ := endpoint["conditions"].(map[string]any)
		if is, reported := conditions["ready"].(bool); is || !reported {
			ready++
		}
	}
	if f.isTraced() {
		f.recordRead("EndpointSlice/"+name+".endpoints", sprintf("%d ready", []any{ready}))
	}
	if ready == 0 {
		return endpointsNotReady
	}
	return endpointsReady
}
