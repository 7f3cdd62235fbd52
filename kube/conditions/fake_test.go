package conditions_test

import (
	"context"
	"encoding/json"
	"maps"
	"strconv"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"kstatus.dev/kube/conditions"
)

// Server is a typed object as the authors of controllers write them.
type Server struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ServerSpec   `json:"spec,omitempty"`
	Status            ServerStatus `json:"status,omitempty"`
}

type ServerSpec struct {
	Size int `json:"size,omitempty"`
}

type ServerStatus struct {
	ObservedGeneration int64                 `json:"observedGeneration,omitempty"`
	Initialization     *ServerInitialization `json:"initialization,omitempty"`
	Addresses          []string              `json:"addresses,omitempty"`
	Conditions         []metav1.Condition    `json:"conditions,omitempty"`
}

type ServerInitialization struct {
	Provisioned *bool `json:"provisioned,omitempty"`
}

func (s *Server) GetConditions() []metav1.Condition  { return s.Status.Conditions }
func (s *Server) SetConditions(c []metav1.Condition) { s.Status.Conditions = c }

func (s *Server) DeepCopyObject() runtime.Object {
	c := *s
	s.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	if s.Status.Initialization != nil {
		i := *s.Status.Initialization
		c.Status.Initialization = &i
	}
	c.Status.Addresses = append([]string(nil), s.Status.Addresses...)
	c.Status.Conditions = append([]metav1.Condition(nil), s.Status.Conditions...)
	return &c
}

// fakeServer holds one object and answers as an API server does, as far as
// resource versions and the status subresource go. It counts requests; the real
// one has the last word, in test/kit.
type fakeServer struct {
	t       *testing.T
	stored  map[string]any // nil: not there
	version int
	writes  int
	reads   int
	bodies  []map[string]any
	before  func() // called once before the next write
	fail    error  // the answer to the next write
}

func serve(t *testing.T, obj any) *fakeServer {
	t.Helper()
	f := &fakeServer{t: t, stored: asMap(t, obj)}
	f.touch()
	return f
}

func asMap(t *testing.T, obj any) map[string]any {
	t.Helper()
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return u.DeepCopy().Object
	}
	data, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := utiljson.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// touch counts the resource version up.
func (f *fakeServer) touch() {
	f.version++
	f.metadata()["resourceVersion"] = strconv.Itoa(f.version)
}

func (f *fakeServer) metadata() map[string]any {
	return f.stored["metadata"].(map[string]any)
}

// status is the stored status, to look at and for others to write to.
func (f *fakeServer) status() map[string]any {
	s, ok := f.stored["status"].(map[string]any)
	if !ok {
		s = map[string]any{}
		f.stored["status"] = s
	}
	return s
}

func (f *fakeServer) decode(into conditions.Object) {
	if u, ok := into.(*unstructured.Unstructured); ok {
		u.Object = runtime.DeepCopyJSON(f.stored)
		return
	}
	data, err := json.Marshal(f.stored)
	if err != nil {
		f.t.Fatal(err)
	}
	if s, ok := into.(*Server); ok {
		*s = Server{}
	}
	if err := json.Unmarshal(data, into); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fakeServer) Get(_ context.Context, into conditions.Object) error {
	f.reads++
	if f.stored == nil {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "servers"}, into.GetName())
	}
	f.decode(into)
	return nil
}

func (f *fakeServer) PatchStatus(_ context.Context, into conditions.Object, patch conditions.Patch) error {
	if before := f.before; before != nil {
		f.before = nil
		before()
	}
	f.writes++
	if err := f.fail; err != nil {
		f.fail = nil
		return err
	}
	if f.stored == nil {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "servers"}, into.GetName())
	}
	var body map[string]any
	if err := utiljson.Unmarshal(patch.Data, &body); err != nil {
		f.t.Fatal(err)
	}
	f.bodies = append(f.bodies, body)
	if version, _, _ := unstructured.NestedString(body, "metadata", "resourceVersion"); version != strconv.Itoa(f.version) {
		return apierrors.NewConflict(schema.GroupResource{Resource: "servers"}, into.GetName(), nil)
	}
	status := maps.Clone(f.status())
	mergeInto(status, body["status"].(map[string]any))
	f.stored["status"] = status
	f.touch()
	f.decode(into)
	return nil
}

// mergeInto is RFC 7396.
func mergeInto(into, patch map[string]any) {
	for k, v := range patch {
		inner, isMap := v.(map[string]any)
		have, hasMap := into[k].(map[string]any)
		switch {
		case v == nil:
			delete(into, k)
		case isMap && hasMap:
			have = maps.Clone(have)
			mergeInto(have, inner)
			into[k] = have
		default:
			into[k] = v
		}
	}
}
