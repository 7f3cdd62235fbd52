package status

import (
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/value"
)

// A Lookup returns another object than the one that is judged, nil if it is not known. Compute
// calls it, so it must not send requests. Compute looks up these kinds:
//
//   - StorageClass, for a PersistentVolumeClaim. Its volumeBindingMode decides whether the claim
//     waits for a Pod.
//   - EndpointSlice under the name of a Service, with the endpoints of all slices of the Service.
//     With that, a Service is not Current before an endpoint is ready.
//   - Event under the UID of a Pod or a Job: the kubelet evicted the Pod, or a Pod that the Job
//     counts as succeeded. The status of a Pod does not say that if its containers exited with 0.
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

// eviction returns the message of the event that says that a Pod that has succeeded, or one of a Job,
// was evicted.
func (f *Fields) eviction() string {
	return f.relatedText(Kind{Kind: "Event"}, f.Text("metadata.namespace", ""), f.Text("metadata.uid", ""), "message")
}

// readyEndpoints returns the number of ready endpoints of a Service, or -1 if it needs none. An
// endpoint without the condition ready is ready. read is false if they are not looked up.
func (f *Fields) readyEndpoints() (ready int, read bool) {
	if f.eval.related == nil {
		return 0, false
	}
	if f.Len("spec.selector") == 0 || f.Text("spec.type", "") == "ExternalName" {
		return -1, true
	}
	name := f.Text("metadata.name", "")
	slice := f.eval.related(Kind{"discovery.k8s.io", "EndpointSlice"}, f.Text("metadata.namespace", ""), name)
	if slice == nil {
		return 0, false
	}
	for _, endpoint := range decoded.Maps(slice.UnstructuredContent(), "endpoints") {
		if is, reported := decoded.At(endpoint, "conditions", "ready").(bool); is || !reported {
			ready++
		}
	}
	if f.isTraced() {
		f.recordRead("EndpointSlice/"+name+".endpoints", sprintf("%d ready", []any{ready}))
	}
	return ready, true
}
