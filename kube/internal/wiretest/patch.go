package wiretest

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "k8s.io/apimachinery/pkg/util/json"
)

// patch merges a patch into an object. If the patch has a resource version, the object must have
// the same. The field manager becomes the only one of the object.
func (s *Server) patch(x exchange) {
	body, err := io.ReadAll(x.r.Body)
	var patch map[string]any
	if err == nil {
		err = kjson.Unmarshal(body, &patch)
	}
	if err != nil {
		x.fail(http.StatusBadRequest, metav1.StatusReasonBadRequest)
		return
	}
	s.mu.Lock()
	found := s.selected(x.resource, x.request)
	s.mu.Unlock()
	if len(found) == 0 {
		x.fail(http.StatusNotFound, metav1.StatusReasonNotFound)
		return
	}
	before := found[0]
	want, _, _ := unstructured.NestedString(patch, "metadata", "resourceVersion")
	if want != "" && want != before.GetResourceVersion() {
		x.fail(http.StatusConflict, metav1.StatusReasonConflict)
		return
	}
	after := &unstructured.Unstructured{Object: merge(before.DeepCopy().Object, patch)}
	if !reflect.DeepEqual(before.Object["spec"], after.Object["spec"]) {
		after.SetGeneration(before.GetGeneration() + 1)
	}
	after.SetManagedFields([]metav1.ManagedFieldsEntry{{
		Manager: x.r.URL.Query().Get("fieldManager"), Operation: metav1.ManagedFieldsOperationUpdate, Time: &metav1.Time{Time: time.Now()},
	}})
	after.SetResourceVersion(s.Put(after))
	data, err := json.Marshal(after.Object)
	if err != nil {
		panic(err)
	}
	x.send(http.StatusOK, json.RawMessage(data))
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
