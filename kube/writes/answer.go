package writes

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"kstatus.dev/audit"
)

// An answer is a request with what the server said.
type answer struct {
	address
	request audit.Request
	body    map[string]any // nil: it is not known
}

// write returns what the answer says of an object; ok is false if that is
// nothing. Of a request that was refused there is no more than what names the
// object, and of one that was not, nothing where the answer is not the object.
func (a *answer) write(known *kindNames) (w audit.Write, ok bool) {
	w = audit.Write{Type: audit.WriteModified, Request: &a.request}
	meta := object(a.body, "metadata")
	switch refused := a.request.Refused(); {
	case !refused && a.isObject(meta):
		known.learn(a.resource.GroupResource(), text(a.body, "kind"))
		w.Object = a.body
		switch {
		case a.request.Verb == "create":
			w.Type = audit.WriteAdded
		case isDeleted(meta):
			w.Type = audit.WriteDeleted
		}
		return w, true
	case !refused && (a.request.Verb != "delete" || text(a.body, "kind") != "Status"):
		return w, false
	case !refused:
		w.Type = audit.WriteDeleted
	}
	w.Object = identityOf(map[string]any{"apiVersion": a.resource.GroupVersion().String(), "kind": known.of(a.resource.GroupResource()),
		"metadata": map[string]any{"namespace": a.namespace, "name": a.name, "uid": text(object(a.body, "details"), "uid")}})
	return w, a.name != "" && a.resource.Resource != ""
}

// isObject reports whether the answer is the object that was asked for, and not a
// part of it, or something else.
func (a *answer) isObject(meta map[string]any) bool {
	name := text(meta, "name")
	return name != "" && text(a.body, "kind") != "" && (a.name == "" || a.name == name) && text(meta, "resourceVersion") != "" &&
		a.subresource != "scale" && text(a.body, "kind") != "PartialObjectMetadata"
}

// isDeleted reports whether nothing keeps an object any more.
func isDeleted(meta map[string]any) bool {
	finalizers, _ := meta["finalizers"].([]any)
	seconds, _ := meta["deletionGracePeriodSeconds"].(int64)
	return text(meta, "deletionTimestamp") != "" && len(finalizers) == 0 && seconds == 0
}

// kindNames knows the kinds of resources, from what has been seen of them. Until then
// the resource stands for the kind.
type kindNames struct {
	mu    sync.Mutex // guards kinds
	kinds map[schema.GroupResource]string
}

func newKindNames() *kindNames { return &kindNames{kinds: map[schema.GroupResource]string{}} }

func (n *kindNames) learn(r schema.GroupResource, kind string) {
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

// decodeObject reads an object as client-go does, whole numbers as such; nil if it is none.
func decodeObject(data []byte) map[string]any {
	var o map[string]any
	if json.Unmarshal(data, &o) != nil {
		return nil
	}
	return o
}

func object(at map[string]any, key string) map[string]any {
	at, _ = at[key].(map[string]any)
	return at
}

func text(at map[string]any, key string) string {
	s, _ := at[key].(string)
	return s
}
