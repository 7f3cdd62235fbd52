package wiretest

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// patch merges a patch into an object. If the patch has a resource version or a UID, the object
// must have the same. The caller holds mu.
func (s *Server) patch(x exchange) (*unstructured.Unstructured, *refusal) {
	before := s.objects[x.id()]
	if before == nil {
		return nil, &refusal{code: http.StatusNotFound, reason: metav1.StatusReasonNotFound}
	}
	patch := &unstructured.Unstructured{Object: x.body}
	if refused := x.require(before, patch.GetUID(), patch.GetResourceVersion()); refused != nil {
		return nil, refused
	}
	return s.commit(x, before, &unstructured.Unstructured{Object: merge(before.DeepCopy().Object, x.body)})
}

// require refuses a request for another UID or version of an object. Empty ones are not required.
func (x exchange) require(live *unstructured.Unstructured, uid types.UID, version string) *refusal {
	if uid != "" && uid != live.GetUID() || version != "" && version != live.GetResourceVersion() {
		return &refusal{code: http.StatusConflict, reason: metav1.StatusReasonConflict}
	}
	return nil
}

// merge merges a JSON merge patch into an object.
func merge(to, patch map[string]any) map[string]any {
	if to == nil {
		to = map[string]any{}
	}
	for key, value := range patch {
		switch value := value.(type) {
		case nil:
			delete(to, key)
		case map[string]any:
			inner, _ := to[key].(map[string]any)
			to[key] = merge(inner, value)
		default:
			to[key] = value
		}
	}
	return to
}
