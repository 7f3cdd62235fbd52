package conditions_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/wellknown"
)

// firstReconcile lists the conditions of a first reconcile, in the order in which
// they are written.
var firstReconcile = []metav1.Condition{
	{Type: "Ready", Status: "Unknown", Reason: "NotYetReconciled", ObservedGeneration: 1, Message: "* ServerUp: NotYetReconciled\n* Degraded: NotYetReconciled"},
	{Type: "ServerUp", Status: "Unknown", Reason: "NotYetReconciled", ObservedGeneration: 1},
	{Type: "Degraded", Status: "Unknown", Reason: "NotYetReconciled", ObservedGeneration: 1},
	{Type: "Paused", Status: "False", Reason: "NotPaused", ObservedGeneration: 1},
}

func TestFirstReconcile(t *testing.T) {
	typed := func(change func(*Server)) conditions.Object {
		s := newServer()
		change(s)
		return s
	}
	object := func(status any) conditions.Object {
		u := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Server",
			"metadata": map[string]any{"name": "web", "namespace": "shop", "uid": "u1", "generation": int64(1)},
		}}
		if status != nil {
			u.Object["status"] = status
		}
		return u
	}
	for name, obj := range map[string]conditions.Object{
		"it writes all types to a typed object":            typed(func(*Server) {}),
		"it writes all types to an object without status":  object(nil),
		"it writes all types to an empty status":           object(map[string]any{}),
		"it writes all types over a default of -1":         object(map[string]any{"observedGeneration": int64(-1)}),
		"it writes all types over a default of -1 (typed)": typed(func(s *Server) { s.Status.ObservedGeneration = -1 }),
		"it writes all types over an empty list":           object(map[string]any{"conditions": []any{}}),
		"it writes all types over a status of text":        object("broken"),
		"it writes all types over conditions of a number":  object(map[string]any{"conditions": int64(3)}),
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, obj)
			if !b.reconcile(setNone) {
				t.Fatal("nothing was written")
			}
			content := &unstructured.Unstructured{}
			if err := b.ReadCached(content); err != nil {
				t.Fatal(err)
			}
			if diff := conditionstest.Diff(listed(content), firstReconcile); diff != "" {
				t.Error(diff)
			}
			if n, _, _ := unstructured.NestedInt64(content.Object, "status", "observedGeneration"); n != 1 {
				t.Errorf("observed generation is %d, want 1", n)
			}
			if b.reconcile(setNone) {
				t.Error("the second reconcile wrote again")
			}
		})
	}
}

// listed returns the conditions of an unstructured object.
func listed(u *unstructured.Unstructured) (list []metav1.Condition) {
	items, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, item := range items {
		m, _ := item.(map[string]any)
		var c metav1.Condition
		c.Type, _ = m["type"].(string)
		status, _ := m["status"].(string)
		c.Status = metav1.ConditionStatus(status)
		c.Reason, _ = m["reason"].(string)
		c.Message, _ = m["message"].(string)
		c.ObservedGeneration, _ = m["observedGeneration"].(int64)
		list = append(list, c)
	}
	return list
}

func TestFirstReconcileOfDeletingObject(t *testing.T) {
	s := newServer()
	deleted := metav1.NewTime(start)
	s.DeletionTimestamp, s.Finalizers = &deleted, []string{"example.com/server"}
	b := newFixture(t, s)
	b.reconcile(setHealthy)
	conditionstest.Assert(t, b.server().Status.Conditions,
		metav1.Condition{Type: wellknown.TypeReady, Status: metav1.ConditionFalse, Reason: wellknown.ReasonDeleting},
		metav1.Condition{Type: "ServerUp", Status: metav1.ConditionTrue, Reason: "Running"})
}

func TestStatements(t *testing.T) {
	long := strings.Repeat("ä", 20000)
	for name, c := range map[string]struct {
		statements func(*conditions.Pass)
		problem    string
		want       metav1.Condition
		warning    string
	}{
		"it accepts a declared reason": {func(p *conditions.Pass) { p.True("ServerUp", "Running", "fine") }, "",
			metav1.Condition{Type: "ServerUp", Status: "True", Reason: "Running", Message: "fine", ObservedGeneration: 1}, ""},
		"it replaces an undeclared reason by Unknown": {func(p *conditions.Pass) { p.True("ServerUp", "Up", "") }, "not declared; the declared reasons are Running, Creating, CreateFailed",
			metav1.Condition{Type: "ServerUp", Status: "Unknown", Reason: "InvalidStatement"}, ""},
		"it replaces an empty reason by Unknown": {func(p *conditions.Pass) { p.True("ServerUp", "", "") }, "the reason is empty",
			metav1.Condition{Type: "ServerUp", Status: "Unknown", Reason: "InvalidStatement"}, ""},
		"it rejects an unknown status": {func(p *conditions.Pass) {
			p.Set(metav1.Condition{Type: "ServerUp", Status: "Maybe", Reason: "Running"})
		}, `the status "Maybe"`, metav1.Condition{Type: "ServerUp", Status: "Unknown", Reason: "InvalidStatement"}, ""},
		"it rejects an undeclared type": {func(p *conditions.Pass) { p.True("Sunny", "Running", "") }, "the type is not declared",
			metav1.Condition{Type: "ServerUp", Status: "Unknown", Reason: "NotYetReconciled"}, ""},
		"it rejects a computed type": {func(p *conditions.Pass) { p.True("Ready", "Running", "") }, "computed from its parts",
			metav1.Condition{Type: "Ready", Status: "Unknown"}, ""},
		"it rejects an obsolete type": {func(p *conditions.Pass) { p.True("ServerReady", "Running", "") }, "another controller writes the type",
			metav1.Condition{Type: "Ready", Status: "Unknown"}, ""},
		"it rejects a pause without a reason": {func(p *conditions.Pass) { p.Pause("", "") }, "the reason is empty",
			metav1.Condition{Type: "Paused", Status: "True", Reason: "InvalidStatement"}, ""},
		"it cuts a message between runes": {func(p *conditions.Pass) { p.False("ServerUp", "Creating", long) }, "",
			metav1.Condition{Type: "ServerUp", Status: "False", Message: long[:32768-10] + " … (cut)"}, "has 40000 bytes and is cut to 32768"},
		"it repairs invalid UTF-8": {func(p *conditions.Pass) { p.False("ServerUp", "Creating", "a\xffb") }, "",
			metav1.Condition{Type: "ServerUp", Status: "False", Message: "a\uFFFDb"}, ""},
		"it replaces volatile parts": {func(p *conditions.Pass) {
			p.False("ServerUp", "CreateFailed", "request ID 4f1b2c3d-aaaa failed at 2026-03-01T12:00:00Z")
		}, "", metav1.Condition{Type: "ServerUp", Status: "False", Message: "request ID <request-id> failed at <time>"}, "contains a timestamp"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, newServer())
			pass := b.begin()
			c.statements(pass)
			changed, err := pass.Commit(context.Background(), b)
			if !changed {
				t.Error("nothing was written")
			}
			invalid := (*conditions.InvalidError)(nil)
			switch {
			case c.problem == "" && err != nil:
				t.Errorf("error is %v, want none", err)
			case c.problem != "" && (!errors.As(err, &invalid) || !strings.Contains(err.Error(), c.problem)):
				t.Errorf("error is %v, want %s", err, c.problem)
			}
			conditionstest.Assert(t, b.server().Status.Conditions, c.want)
			if c.warning != "" && !strings.Contains(strings.Join(pass.Warnings(), "\n"), c.warning) {
				t.Errorf("warnings are %q, want %s", pass.Warnings(), c.warning)
			}
		})
	}
}

func TestStrictStatementsPanic(t *testing.T) {
	b := newFixture(t, newServer())
	b.set = conditionstest.StrictSet(b.set, b.clock)
	pass := b.begin()
	defer func() {
		if err, ok := recover().(*conditions.InvalidError); !ok || err.Type != "ServerUp" {
			t.Errorf("panic is %v, want an InvalidError about ServerUp", err)
		}
	}()
	pass.True("ServerUp", "Typo", "")
}

// Statements about the old spec do not count for the new one.
func TestNewGeneration(t *testing.T) {
	byHand := conditions.MustSet(conditions.Positive(wellknown.TypeReady, "Up", "Down"), conditions.Positive("ServerUp"))
	for name, c := range map[string]struct {
		set         *conditions.Set
		first, then func(*conditions.Pass)
		want        metav1.Condition
		observed    int64
	}{
		"it makes a summary Unknown if its parts were not set": {declared, setHealthy, setNone,
			metav1.Condition{Type: "Ready", Status: "Unknown", Reason: "NewGeneration", ObservedGeneration: 2}, 2},
		"it keeps a part that was not set, with its generation": {declared, setHealthy, setNone,
			metav1.Condition{Type: "ServerUp", Status: "True", ObservedGeneration: 1}, 2},
		"it keeps a summary True if its parts were set": {declared, setHealthy, setHealthy,
			metav1.Condition{Type: "Ready", Status: "True", ObservedGeneration: 2}, 2},
		"it makes a summary Unknown that was not set": {byHand, func(p *conditions.Pass) { p.True("Ready", "Up", "") }, setNone,
			metav1.Condition{Type: "Ready", Status: "Unknown", Reason: "NewGeneration", ObservedGeneration: 2}, 2},
		"it does not raise the generation without a summary and statements": {conditions.MustSet(conditions.Positive("ServerUp")),
			func(p *conditions.Pass) { p.True("ServerUp", "Up", "") }, setNone,
			metav1.Condition{Type: "ServerUp", Status: "True", ObservedGeneration: 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, newServer())
			b.set = c.set
			b.reconcile(c.first)
			b.Update(newGeneration)
			b.reconcile(c.then)
			if b.server().Status.ObservedGeneration != c.observed {
				t.Errorf("observed generation is %d, want %d", b.server().Status.ObservedGeneration, c.observed)
			}
			conditionstest.Assert(t, b.server().Status.Conditions, c.want)
		})
	}
}

// The spec changes while the controller reconciles the old one.
func TestGenerationIsTheOneReadAtBegin(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(setHealthy)
	pass := b.begin()
	setHealthy(pass)
	b.server().Status.Addresses = []string{"10.0.0.1"}
	b.BeforeNextWrite = func() { b.Update(newGeneration) }
	b.commit(pass)
	if s := b.server(); s.Status.ObservedGeneration != 1 || s.Generation != 2 || len(s.Status.Addresses) != 1 {
		t.Errorf("observed generation is %d of %d, want 1 of 2", s.Status.ObservedGeneration, s.Generation)
	}
	conditionstest.Assert(t, b.server().Status.Conditions,
		metav1.Condition{Type: "Ready", Status: "Unknown", Reason: "NewGeneration", ObservedGeneration: 1},
		metav1.Condition{Type: "ServerUp", Status: "True", ObservedGeneration: 1})
}

func TestFailure(t *testing.T) {
	boom := errors.New("dial tcp 10.0.0.1:53211->10.0.0.9:443: refused")
	for name, c := range map[string]struct {
		hold       bool
		statements func(*conditions.Pass)
		want       metav1.Condition
		observed   int64
	}{
		"it makes Ready Unknown and raises the generation": {statements: func(p *conditions.Pass) { setHealthy(p); p.Fail(boom) }, observed: 2,
			want: metav1.Condition{Type: "Ready", Status: "Unknown", Reason: "ReconcileFailed", Message: "dial tcp <local>->10.0.0.9:443: refused", ObservedGeneration: 2}},
		"it keeps the statement about a part": {statements: func(p *conditions.Pass) { p.False("ServerUp", "CreateFailed", "quota"); p.Fail(boom) }, observed: 2,
			want: metav1.Condition{Type: "Ready", Status: "False", Reason: "CreateFailed", Message: "* ServerUp: quota\n* Degraded: not yet reported for the latest spec", ObservedGeneration: 2}},
		"it keeps the generation with HoldGenerationOnFailure": {hold: true, statements: func(p *conditions.Pass) { p.Fail(boom) }, observed: 1,
			want: metav1.Condition{Type: "Ready", Status: "Unknown", Reason: "NewGeneration", ObservedGeneration: 2}},
		"it ignores a nil error": {statements: func(p *conditions.Pass) { setHealthy(p); p.Fail(nil) }, observed: 2,
			want: metav1.Condition{Type: "Ready", Status: "True"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, newServer())
			o := b.set.Options()
			o.HoldGenerationOnFailure = c.hold
			b.set = b.set.WithOptions(o)
			b.reconcile(setHealthy)
			b.Update(newGeneration)
			b.reconcile(c.statements)
			if b.server().Status.ObservedGeneration != c.observed {
				t.Errorf("observed generation is %d, want %d", b.server().Status.ObservedGeneration, c.observed)
			}
			conditionstest.Assert(t, b.server().Status.Conditions, c.want)
		})
	}
}
