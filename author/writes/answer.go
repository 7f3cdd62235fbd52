package writes

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"kstatus.dev/author/audit"
	"kstatus.dev/internal/decoded"
)

// An answer is a request with its response.
type answer struct {
	address
	request audit.Request
	body    map[string]any // nil: unknown
}

// write returns the write of the object in the response. If the request was
// rejected, the object has only its identity. ok is false if a successful
// response does not contain the object.
func (a *answer) write(known *kindNames) (w audit.Write, ok bool) {
	w = audit.Write{Type: audit.WriteModified, Request: &a.request}
	meta := decoded.Map(a.body, "metadata")
	switch refused := a.request.Refused(); {
	case !refused && a.isObject(meta):
		known.add(a.resource.GroupResource(), decoded.Text(a.body, "kind"))
		w.Object = a.body
		switch {
		case a.request.Verb == "create":
			w.Type = audit.WriteAdded
		case isDeleted(meta):
			w.Type = audit.WriteDeleted
		}
		return w, true
	case !refused && (a.request.Verb != "delete" || decoded.Text(a.body, "kind") != "Status"):
		return w, false
	case !refused:
		w.Type = audit.WriteDeleted
	}
	w.Object = identityOf(map[string]any{"apiVersion": a.resource.GroupVersion().String(), "kind": known.of(a.resource.GroupResource()),
		"metadata": map[string]any{"namespace": a.namespace, "name": a.name, "uid": decoded.Text(a.body, "details", "uid")}})
	return w, a.name != "" && a.resource.Resource != ""
}

// isObject reports whether the response is the requested object, and not a part
// of it or something else.
func (a *answer) isObject(meta map[string]any) bool {
	name := decoded.Text(meta, "name")
	return name != "" && decoded.Text(a.body, "kind") != "" && (a.name == "" || a.name == name) && decoded.Text(meta, "resourceVersion") != "" &&
		a.subresource != "scale" && decoded.Text(a.body, "kind") != "PartialObjectMetadata"
}

// isDeleted reports whether an object has no finalizers left.
func isDeleted(meta map[string]any) bool {
	seconds, _ := decoded.Int(meta, "deletionGracePeriodSeconds")
	return decoded.Text(meta, "deletionTimestamp") != "" && len(decoded.List(meta, "finalizers")) == 0 && seconds == 0
}

// kindNames maps resources to the kinds that were seen. Until then the resource
// is used as the kind.
type kindNames struct {
	mu    sync.Mutex // guards kinds
	kinds map[schema.GroupResource]string
}

func newKindNames() *kindNames { return &kindNames{kinds: map[schema.GroupResource]string{}} }

func (n *kindNames) add(r schema.GroupResource, kind string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if kind != "" {
		n.kinds[r] = kind
	}
}

func (n *kindNames) of(r schema.GroupResource) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if kind := n.kinds[r]; kind != "" {
		return kind
	}
	return r.Resource
}

// decodeObject decodes an object as client-go does, with integers. It returns
// nil if the data is not an object.
func decodeObject(data []byte) map[string]any {
	var o map[string]any
	if json.Unmarshal(data, &o) != nil {
		return nil
	}
	return o
}
