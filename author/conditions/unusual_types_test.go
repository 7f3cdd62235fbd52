package conditions_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
)

// pointerStatusObject is a type whose status is a pointer.
type pointerStatusObject struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            *ServerStatus `json:"status,omitempty"`
}

func (p *pointerStatusObject) GetConditions() []metav1.Condition {
	if p.Status == nil {
		return nil
	}
	return p.Status.Conditions
}

func (p *pointerStatusObject) SetConditions(c []metav1.Condition) {
	if p.Status == nil {
		p.Status = &ServerStatus{}
	}
	p.Status.Conditions = c
}

func (p *pointerStatusObject) DeepCopyObject() runtime.Object {
	c := *p
	p.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	if p.Status != nil {
		s := (&Server{Status: *p.Status}).DeepCopyObject().(*Server).Status
		c.Status = &s
	}
	return &c
}

func TestATypeWithAPointerToItsStatus(t *testing.T) {
	b := newFixture(t, &pointerStatusObject{ObjectMeta: newServer().ObjectMeta})
	if !b.reconcile(setHealthy) || b.reconcile(setHealthy) || b.WriteCount() != 1 {
		t.Errorf("%d writes, want 1", b.WriteCount())
	}
	s := b.obj.(*pointerStatusObject).Status
	conditionstest.Assert(t, s.Conditions, metav1.Condition{Type: "Ready", Status: "True"})
	if s.ObservedGeneration != 1 {
		t.Errorf("observed generation is %d, want 1", s.ObservedGeneration)
	}
}

// Unstructured objects may contain Go integers, on which their own DeepCopy
// panics.
func TestNumbersOfGoInAnUnstructuredObject(t *testing.T) {
	b := newFixture(t, object(t, `{"replicas":3,"parts":{"a":1,"b":2}}`))
	pass := b.begin()
	u := b.obj.(*unstructured.Unstructured)
	u.Object["status"].(map[string]any)["replicas"] = 3
	u.Object["status"].(map[string]any)["parts"] = map[string]any{"a": int32(1), "c": nil, "d": 4.0}
	b.commit(pass)
	if body := string(b.Patches()[0].Data); !strings.Contains(body, `"parts":{"b":null,"d":4}`) || strings.Contains(body, "replicas") {
		t.Errorf("the patch is %s", body)
	}
}

// A pass that began on an older spec does not overwrite a report on a newer
// one.
func TestSupersededPass(t *testing.T) {
	set := conditions.MustSet(conditions.Positive("ServerUp")).WithOptions(conditions.Options{NoObservedGeneration: true})
	b := newFixture(t, newServer())
	b.set = set
	b.reconcile(func(p *conditions.Pass) { p.False("ServerUp", "Creating", "") })
	pass := b.begin()
	pass.True("ServerUp", "Running", "of the old spec")
	b.BeforeNextWrite = func() {
		b.Update(newGeneration)
		later := newFixture(t, newServer())
		later.Server, later.set = b.Server, set
		later.reconcile(func(p *conditions.Pass) { p.False("ServerUp", "Creating", "of the new spec") })
	}
	if b.commit(pass) {
		t.Error("it has written over the later pass")
	}
	if err := b.ReadCached(b.obj); err != nil {
		t.Fatal(err)
	}
	conditionstest.Assert(t, b.server().Status.Conditions,
		metav1.Condition{Type: "ServerUp", Status: "False", Message: "of the new spec", ObservedGeneration: 2})
}

func TestDeletedObjectIsRecorded(t *testing.T) {
	s := newServer()
	deleted := metav1.NewTime(start)
	s.DeletionTimestamp, s.Finalizers = &deleted, []string{"example.com/server"}
	b := newFixture(t, s)
	m := &metricsLog{}
	o := b.set.Options()
	o.Metrics, o.Kind = m, newServer().GroupVersionKind()
	b.set = b.set.WithOptions(o)
	pass := b.begin()
	b.Delete()
	b.commit(pass)
	if len(m.lines) != 1 || m.lines[0] != "Server shop/web Gone after 0 conflicts" {
		t.Errorf("metrics are %q", m.lines)
	}
}

func TestApplyIsNotForRemovals(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(func(*conditions.Pass) { b.server().Status.Addresses = []string{"10.0.0.1"} })
	o := b.set.Options()
	o.ServerSideApply = &conditions.ServerSideApply{FieldOwner: "me", Fields: []string{"addresses"}}
	b.set = b.set.WithOptions(o)
	if !b.reconcile(func(*conditions.Pass) { b.server().Status.Addresses = nil }) { // the test server supports merge patches only
		t.Error("nothing was written")
	}
	if b.server().Status.Addresses != nil {
		t.Error("the addresses are still there")
	}
	nameless := newServer()
	nameless.TypeMeta = metav1.TypeMeta{}
	b = newFixture(t, nameless)
	b.set = b.set.WithOptions(o)
	pass := b.begin()
	if _, err := pass.Commit(context.Background(), b); err == nil || !strings.Contains(err.Error(), "set Options.Kind") {
		t.Errorf("error is %v", err)
	}
}

func TestDeclarationsCanBeRead(t *testing.T) {
	set := conditions.MustSet(
		conditions.Summary("Ready", "Backed", "Up"),
		conditions.Positive("Backed").OwnedBy("backup").IgnoreIfMissing().WithDoc("A backup was made."),
		conditions.Positive("Up"))
	d, ok := set.Lookup("Backed")
	if !ok || d.Owner != "backup" || !d.Optional || d.Doc != "A backup was made." {
		t.Errorf("declared is %+v", d)
	}
	if _, ok := set.Lookup("Never"); ok {
		t.Error("a type that is not declared is found")
	}
	var list []metav1.Condition
	pass := set.BeginInMemory(&list, 4)
	pass.True("Up", "Running", "")
	if c := pass.Get("Ready"); c.Status != "True" || pass.Generation() != 4 {
		t.Errorf("Ready is %+v of generation %d; a backup that is not there is not waited for", c, pass.Generation())
	}
	pass.Unknown("Up", "Unreachable", "")
	if c := pass.Get("Ready"); c.Status != "Unknown" || c.Reason != "Unreachable" {
		t.Errorf("Ready is %+v", c)
	}
}

func TestCommitInMemorySetsConditionsOfTheObject(t *testing.T) {
	for name, obj := range map[string]conditions.Object{"typed": newServer(), "unstructured": unstructuredServer()} {
		t.Run(name, func(t *testing.T) {
			pass, err := declared.WithOptions(conditions.Options{Clock: func() time.Time { return start }}).Begin(obj)
			if err != nil {
				t.Fatal(err)
			}
			setHealthy(pass)
			pass.True("Never", "Because", "")
			changed, err := pass.CommitInMemory()
			if invalid := (*conditions.InvalidError)(nil); !changed || !errors.As(err, &invalid) || invalid.Type != "Never" {
				t.Errorf("CommitInMemory is %t, %v", changed, err)
			}
			again, err := declared.Begin(obj)
			if err != nil {
				t.Fatal(err)
			}
			if c := again.Get("Ready"); c.Status != "True" || !c.LastTransitionTime.Time.Equal(start.Truncate(time.Second)) {
				t.Errorf("Ready is %+v", c)
			}
		})
	}
}
