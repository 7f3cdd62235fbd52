package conditions_test

import (
	"context"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/wellknown"
)

// Server is a typed object with the usual fields.
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
	c.Status.Addresses = slices.Clone(s.Status.Addresses)
	c.Status.Conditions = slices.Clone(s.Status.Conditions)
	return &c
}

var declared = conditions.MustSet(
	conditions.Summary(wellknown.TypeReady, "ServerUp", "Degraded"),
	conditions.Positive("ServerUp", "Running", "Creating", "CreateFailed"),
	conditions.Negative("Degraded", "DiskFull", "Healthy"),
	conditions.PresentOnlyWhenTrue(wellknown.TypeStalled),
	conditions.Neutral(wellknown.TypePaused),
	conditions.Obsolete("ServerReady"),
)

// start is the initial time of the clocks.
var start = time.Date(2026, 3, 1, 12, 0, 0, 700e6, time.UTC)

// fixture holds one object, the controller's set and a clock.
type fixture struct {
	*conditionstest.Server
	t     *testing.T
	set   *conditions.Set
	clock *conditionstest.Clock
	obj   conditions.Object
}

// newFixture stores an object on a test server. Statements against the
// declaration return errors instead of panics.
func newFixture(t *testing.T, obj conditions.Object) *fixture {
	t.Helper()
	server, err := conditionstest.NewServer(obj)
	if err != nil {
		t.Fatal(err)
	}
	clock := conditionstest.NewClock(start)
	return &fixture{Server: server, t: t, clock: clock, obj: obj,
		set: declared.WithOptions(conditions.Options{Clock: clock.Now})}
}

func newServer() *Server {
	return &Server{
		TypeMeta:   metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Server"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u1", Generation: 1},
	}
}

// begin reads the object and begins a pass over it.
func (b *fixture) begin() *conditions.Pass {
	b.t.Helper()
	if err := b.ReadCached(b.obj); err != nil {
		b.t.Fatal(err)
	}
	pass, err := b.set.Begin(b.obj)
	if err != nil {
		b.t.Fatal(err)
	}
	return pass
}

// commit ends a pass that must not fail, and reports whether it wrote.
func (b *fixture) commit(pass *conditions.Pass) bool {
	b.t.Helper()
	changed, err := pass.Commit(context.Background(), b)
	if err != nil {
		b.t.Fatal(err)
	}
	return changed
}

// reconcile runs a whole pass, and reports whether it wrote.
func (b *fixture) reconcile(set func(*conditions.Pass)) bool {
	b.t.Helper()
	pass := b.begin()
	set(pass)
	return b.commit(pass)
}

func (b *fixture) server() *Server { return b.obj.(*Server) }

func (b *fixture) condition(typ string) metav1.Condition {
	b.t.Helper()
	for _, c := range b.server().Status.Conditions {
		if c.Type == typ {
			return c
		}
	}
	return metav1.Condition{}
}

func setHealthy(p *conditions.Pass) {
	p.True("ServerUp", "Running", "")
	p.False("Degraded", "Healthy", "")
}

func setNone(*conditions.Pass) {}

// stored returns the stored status, for other writers.
func stored(content map[string]any) map[string]any {
	s, ok := content["status"].(map[string]any)
	if !ok {
		s = map[string]any{}
		content["status"] = s
	}
	return s
}

// addForeign adds a condition of another controller to the stored status.
func addForeign(content map[string]any) {
	s := stored(content)
	list, _ := s["conditions"].([]any)
	s["conditions"] = append(slices.Clone(list), map[string]any{
		"type": "Scanned", "status": "True", "reason": "Clean", "message": "by others",
		"lastTransitionTime": "2026-02-01T00:00:00Z", "score": int64(7),
	})
}

// newGeneration changes the spec.
func newGeneration(content map[string]any) {
	m := content["metadata"].(map[string]any)
	n, _ := m["generation"].(int64)
	m["generation"] = n + 1
}

// unstructuredServer is like newServer, without a Go type.
func unstructuredServer() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Server",
		"metadata": map[string]any{"name": "web", "namespace": "shop", "uid": "u1", "generation": int64(1)},
	}}
}
