package wiretest

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/uuid"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// A refusal is the error that the server answers instead of a change.
type refusal struct {
	code   int
	reason metav1.StatusReason
	text   string // empty: the usual message
}

// change carries out a change, and answers with the object.
func (s *Server) change(x exchange, code int, do func(exchange) (*unstructured.Unstructured, *refusal)) {
	data, err := io.ReadAll(x.r.Body)
	if err == nil && len(data) > 0 {
		err = kjson.Unmarshal(data, &x.body)
	}
	if err != nil {
		x.fail(http.StatusBadRequest, metav1.StatusReasonBadRequest)
		return
	}
	x.manager = x.r.URL.Query().Get("fieldManager")
	s.mu.Lock()
	u, refused := do(x)
	s.mu.Unlock()
	if refused != nil {
		status := x.status(refused.code, refused.reason)
		status.Message = cmp.Or(refused.text, status.Message)
		x.send(refused.code, status)
		return
	}
	x.send(code, x.visible(u))
}

// id returns the ID of the object that a request names.
func (x exchange) id() status.ID {
	kind := status.Kind{Group: x.resource.Group, Kind: x.resource.Kind}
	return status.ID{Kind: kind, Namespace: x.request.Namespace, Name: x.request.Name}
}

// create stores a new object. It has no status if that is a subresource. The caller holds mu.
func (s *Server) create(x exchange) (*unstructured.Unstructured, *refusal) {
	u := &unstructured.Unstructured{Object: x.body}
	x.request.Name = u.GetName()
	if x.request.Namespace != "" {
		u.SetNamespace(x.request.Namespace)
	}
	_, hasNamespaces := s.resource(Request{Resource: "namespaces", Path: "/api/v1/"})
	switch {
	case s.objects[x.id()] != nil:
		return nil, &refusal{code: http.StatusConflict, reason: metav1.StatusReasonAlreadyExists}
	case hasNamespaces && x.request.Namespace != "" && s.objects[status.ID{Kind: status.Kind{Kind: "Namespace"}, Name: x.request.Namespace}] == nil:
		return nil, &refusal{http.StatusNotFound, metav1.StatusReasonNotFound, "namespaces \"" + x.request.Namespace + "\" not found"}
	case u.GetResourceVersion() != "":
		return nil, &refusal{code: http.StatusBadRequest, reason: metav1.StatusReasonBadRequest}
	}
	u.SetUID(uuid.NewUUID())
	u.SetCreationTimestamp(metav1.Now())
	u.SetGeneration(1)
	if x.resource.Status {
		delete(u.Object, "status")
	}
	u.SetManagedFields(nil)
	if refused := s.admitted(x, u); refused != nil {
		return nil, refused
	}
	x.manage(u)
	if x.request.DryRun {
		return u, nil
	}
	return s.store(u), nil
}

// update replaces an object. The caller holds mu.
func (s *Server) update(x exchange) (*unstructured.Unstructured, *refusal) {
	before, after := s.objects[x.id()], &unstructured.Unstructured{Object: x.body}
	if before == nil {
		return nil, &refusal{code: http.StatusNotFound, reason: metav1.StatusReasonNotFound}
	}
	if refused := x.require(before, after.GetUID(), after.GetResourceVersion()); refused != nil {
		return nil, refused
	}
	after.SetUID(before.GetUID())
	after.SetGeneration(before.GetGeneration())
	after.SetCreationTimestamp(before.GetCreationTimestamp())
	after.SetDeletionTimestamp(before.GetDeletionTimestamp())
	if len(after.GetManagedFields()) == 0 {
		after.SetManagedFields(before.GetManagedFields())
	}
	return s.commit(x, before, after)
}

// commit stores what a request makes of an object. A request without an effect makes no new
// version. An object that is being deleted goes with its last finalizer. The caller holds mu.
func (s *Server) commit(x exchange, before, after *unstructured.Unstructured) (*unstructured.Unstructured, *refusal) {
	after.SetResourceVersion(before.GetResourceVersion())
	switch {
	case x.request.Part == "status":
		status := after.Object["status"]
		after = before.DeepCopy()
		after.Object["status"] = status
	case x.resource.Status:
		delete(after.Object, "status")
		if status, ok := before.DeepCopy().Object["status"]; ok {
			after.Object["status"] = status
		}
	}
	if refused := s.admitted(x, after); refused != nil {
		return nil, refused
	}
	if reflect.DeepEqual(before.Object, after.Object) {
		return before, nil
	}
	return s.replace(x, before, after), nil
}

// replace stores another version of an object, or removes it with its last finalizer. The caller
// holds mu.
func (s *Server) replace(x exchange, before, after *unstructured.Unstructured) *unstructured.Unstructured {
	if !reflect.DeepEqual(before.Object["spec"], after.Object["spec"]) {
		after.SetGeneration(before.GetGeneration() + 1)
	}
	if reflect.DeepEqual(before.GetManagedFields(), after.GetManagedFields()) {
		x.manage(after)
	}
	switch {
	case x.request.DryRun:
	case after.GetDeletionTimestamp() != nil && len(after.GetFinalizers()) == 0:
		s.drop(before)
	default:
		s.store(after)
	}
	return after
}

// manage adds the field manager of a request to the managed fields of an object. They do not name
// the fields.
func (x exchange) manage(u *unstructured.Unstructured) {
	entries := slices.DeleteFunc(u.GetManagedFields(), func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager == x.manager && e.Subresource == x.request.Part
	})
	u.SetManagedFields(append(entries, metav1.ManagedFieldsEntry{
		Manager: x.manager, Operation: metav1.ManagedFieldsOperationUpdate, Subresource: x.request.Part, Time: &metav1.Time{Time: time.Now()},
	}))
}

// remove deletes an object. If it has finalizers, it is only marked as being deleted. The one that
// orphans what it owns is added on request. The caller holds mu.
func (s *Server) remove(x exchange) (*unstructured.Unstructured, *refusal) {
	before := s.objects[x.id()]
	if before == nil {
		return nil, &refusal{code: http.StatusNotFound, reason: metav1.StatusReasonNotFound}
	}
	field := func(path ...string) string {
		s := decoded.Text(x.body, path...)
		return s
	}
	uid, version := field("preconditions", "uid"), field("preconditions", "resourceVersion")
	if refused := x.require(before, types.UID(uid), version); refused != nil {
		return nil, refused
	}
	after := before.DeepCopy()
	_, inBody := x.body["dryRun"]
	x.request.DryRun = x.request.DryRun || inBody
	if refused := s.admitted(x, after); refused != nil {
		return nil, refused
	}
	if x.request.DryRun || before.GetDeletionTimestamp() != nil {
		return before, nil
	}
	if field("propagationPolicy") == string(metav1.DeletePropagationOrphan) {
		after.SetFinalizers(append(after.GetFinalizers(), metav1.FinalizerOrphanDependents))
	}
	if len(after.GetFinalizers()) == 0 {
		s.drop(before)
		return before, nil
	}
	after.SetDeletionTimestamp(&metav1.Time{Time: time.Now()})
	return s.store(after), nil
}

// An admission is a webhook.
type admission struct {
	admit func(Request, *unstructured.Unstructured) error
}

// Admit has a webhook see each object that is to be created, updated or deleted. It may change the
// object, or refuse the request. It must not call the server. Admit returns a function that removes
// the webhook.
func (s *Server) Admit(admit func(Request, *unstructured.Unstructured) error) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := &admission{admit}
	s.admit = append(s.admit, added)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.admit = slices.DeleteFunc(s.admit, func(a *admission) bool { return a == added })
	}
}

// admitted calls the webhooks. The caller holds mu.
func (s *Server) admitted(x exchange, u *unstructured.Unstructured) *refusal {
	for _, a := range s.admit {
		err := a.admit(x.request, u)
		if status := apierrors.APIStatus(nil); errors.As(err, &status) {
			return &refusal{int(status.Status().Code), status.Status().Reason, status.Status().Message}
		}
		if err != nil {
			return &refusal{http.StatusForbidden, metav1.StatusReasonForbidden, "admission webhook \"wiretest\" denied the request: " + err.Error()}
		}
	}
	return nil
}

// review answers whether a client may make a request: unless a rule forbids it.
func (s *Server) review(x exchange) {
	data, err := io.ReadAll(x.r.Body)
	body := map[string]any{}
	if err == nil {
		err = kjson.Unmarshal(data, &body)
	}
	if err != nil {
		x.fail(http.StatusBadRequest, metav1.StatusReasonBadRequest)
		return
	}
	field := func(name string) string {
		s := decoded.Text(body, "spec", "resourceAttributes", name)
		return s
	}
	about := Request{Verb: field("verb"), Group: field("group"), Resource: field("resource"), Namespace: field("namespace"), Name: field("name")}
	s.mu.Lock()
	allowed := s.replyTo(about, false).Code != http.StatusForbidden
	s.mu.Unlock()
	body["status"] = map[string]any{"allowed": allowed}
	x.send(http.StatusCreated, body)
}
