package conditions_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
)

// object returns an unstructured Server with a status.
func object(t *testing.T, statusJSON string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON([]byte(`{"apiVersion":"example.com/v1","kind":"Server",
		"metadata":{"name":"web","namespace":"shop","uid":"u1","generation":1},"status":` + statusJSON + `}`)); err != nil {
		t.Fatal(err)
	}
	return u
}

// storedTypes returns the types of the stored conditions, with "?" for items
// without a type.
func storedTypes(t *testing.T, b *fixture) (types []string) {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := b.ReadCached(u); err != nil {
		t.Fatal(err)
	}
	s, _ := u.Object["status"].(map[string]any)
	items, _ := s["conditions"].([]any)
	for _, item := range items {
		m, _ := item.(map[string]any)
		typ, ok := m["type"].(string)
		if !ok {
			typ = "?"
		}
		types = append(types, typ)
	}
	return types
}

func TestStoredConditions(t *testing.T) {
	const ltt = `"lastTransitionTime":"2026-01-01T00:00:00Z"`
	for name, c := range map[string]struct {
		status string
		types  string
	}{
		"it puts declared conditions first and keeps foreign ones": {
			`{"conditions":[{"type":"B","status":"True"},{"type":"Degraded","status":"False"},{"type":"A"}]}`, "Ready ServerUp Degraded Paused B A"},
		"it removes obsolete conditions": {
			`{"conditions":[{"type":"ServerReady","status":"True"},{"type":"A"}]}`, "Ready ServerUp Degraded Paused A"},
		"it keeps malformed conditions": {
			`{"conditions":["text",null,3,{"status":"True"},{"type":4},{"type":"A"}]}`, "Ready ServerUp Degraded Paused ? ? ? ? ? A"},
		"it keeps one condition of each type": {
			`{"conditions":[{"type":"ServerUp","status":"True",` + ltt + `},{"type":"A"},{"type":"ServerUp","status":"False"},{"type":"A"}]}`, "Ready ServerUp Degraded Paused A"},
		"it keeps Stalled while it is True": {
			`{"conditions":[{"type":"Stalled","status":"True","reason":"Broken","message":"",` + ltt + `}]}`, "Ready ServerUp Degraded Stalled Paused"},
		"it removes Stalled when it is False": {
			`{"conditions":[{"type":"Stalled","status":"False","reason":"Fine","message":"",` + ltt + `}]}`, "Ready ServerUp Degraded Paused"},
		"it replaces conditions that are not a list": {`{"conditions":{"Ready":"True"}}`, "Ready ServerUp Degraded Paused"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, object(t, c.status))
			b.reconcile(setNone)
			if have := strings.Join(storedTypes(t, b), " "); have != c.types {
				t.Errorf("types are %s, want %s", have, c.types)
			}
			if b.reconcile(setNone) {
				t.Error("the next pass writes again")
			}
		})
	}
}

func TestDuplicatesKeepTheNewestTransition(t *testing.T) {
	s := newServer()
	old, newer := metav1.NewTime(start.AddDate(0, -2, 0)), metav1.NewTime(start.AddDate(0, -1, 0))
	s.Status.Conditions = []metav1.Condition{
		{Type: "ServerUp", Status: "False", Reason: "Creating", LastTransitionTime: old, ObservedGeneration: 1},
		{Type: "ServerUp", Status: "True", Reason: "Running", LastTransitionTime: newer, ObservedGeneration: 1},
	}
	b := newFixture(t, s)
	pass := b.begin()
	b.commit(pass)
	if c := b.condition("ServerUp"); c.Status != "True" || !c.LastTransitionTime.Time.Equal(newer.Truncate(1e9)) {
		t.Errorf("kept %+v", c)
	}
	if !slices.ContainsFunc(pass.Warnings(), func(w string) bool { return strings.Contains(w, "ServerUp was stored more than once") }) {
		t.Errorf("warnings are %q", pass.Warnings())
	}
}

// Conditions of other writers stay unchanged byte for byte, whatever their
// order. The conditions of this controller have one order.
func TestOrderAndForeignTypes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var list []any
		var foreign []any
		for _, d := range declared.Declarations() {
			if random.IntN(2) == 0 {
				list = append(list, map[string]any{"type": d.Type, "status": []string{"True", "False", "Unknown"}[random.IntN(3)], "reason": "Stored"})
			}
		}
		for _, typ := range []string{"A", "B", "C", "example.com/D"} {
			list = append(list, map[string]any{"type": typ, "status": "True", "extra": []any{int64(random.IntN(9)), nil}})
		}
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, item := range list {
			if _, known := declared.Lookup(item.(map[string]any)["type"].(string)); !known {
				foreign = append(foreign, item)
			}
		}
		u := object(t, `{}`)
		u.Object["status"] = map[string]any{"conditions": list}
		b := newFixture(t, u)
		b.reconcile(setNone)
		after := object(t, `{}`)
		if err := b.ReadCached(after); err != nil {
			t.Fatal(err)
		}
		have := after.Object["status"].(map[string]any)["conditions"].([]any)
		if !reflect.DeepEqual(have[len(have)-len(foreign):], foreign) {
			t.Fatalf("those of others were %v\nand are %v", foreign, have)
		}
		last := -1
		for _, typ := range storedTypes(t, b)[:len(have)-len(foreign)] {
			at := slices.IndexFunc(declared.Declarations(), func(d conditions.Declaration) bool { return d.Type == typ })
			if at <= last {
				t.Fatalf("the order is %v", storedTypes(t, b))
			}
			last = at
		}
	}
}

func TestGenerationZero(t *testing.T) {
	s := newServer()
	s.Generation = 0
	b := newFixture(t, s)
	b.reconcile(setHealthy)
	if n := b.server().Status.ObservedGeneration; n != 0 {
		t.Errorf("observed generation is %d of an object without a generation", n)
	}
	conditionstest.Assert(t, b.server().Status.Conditions, metav1.Condition{Type: "Ready", Status: "True"})
	if b.reconcile(setHealthy) {
		t.Error("the second pass wrote again")
	}
}

// The status of an object from another cluster may be ahead of its generation.
func TestObservedGenerationAheadIsCorrected(t *testing.T) {
	s := newServer()
	s.Status.ObservedGeneration = 7
	s.Status.Conditions = []metav1.Condition{{Type: "ServerUp", Status: "True", Reason: "Running", ObservedGeneration: 7}}
	b := newFixture(t, s)
	pass := b.begin()
	setHealthy(pass)
	b.commit(pass)
	if n := b.server().Status.ObservedGeneration; n != 1 || b.condition("ServerUp").ObservedGeneration != 1 {
		t.Errorf("observed generation is %d, want 1", n)
	}
	if len(pass.Warnings()) == 0 {
		t.Error("there is no warning")
	}
}

func TestCommitInMemoryOfAList(t *testing.T) {
	set := declared.WithOptions(conditions.Options{Clock: conditionstest.NewClock(start).Now})
	var list []metav1.Condition
	pass := set.BeginInMemory(&list, 3)
	setHealthy(pass)
	if changed, err := pass.CommitInMemory(); err != nil || !changed {
		t.Errorf("CommitInMemory is %t, %v", changed, err)
	}
	conditionstest.Assert(t, list, metav1.Condition{Type: "Ready", Status: "True", ObservedGeneration: 3})
	again := set.BeginInMemory(&list, 3)
	setHealthy(again)
	if changed, err := again.CommitInMemory(); err != nil || changed {
		t.Errorf("CommitInMemory again is %t, %v", changed, err)
	}
	if _, err := again.Commit(context.Background(), nil); err == nil {
		t.Error("a list can be committed")
	}
}

// objectWithoutConditions is an object without access to its conditions.
type objectWithoutConditions struct{ *Server }

func (m objectWithoutConditions) GetConditions() {}

func (m objectWithoutConditions) DeepCopyObject() runtime.Object {
	return objectWithoutConditions{m.Server.DeepCopyObject().(*Server)}
}

// objectWithoutGeneration is a type whose status has no observedGeneration.
type objectWithoutGeneration struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            struct {
		Conditions []metav1.Condition `json:"conditions,omitempty"`
	} `json:"status,omitempty"`
}

func (n *objectWithoutGeneration) GetConditions() []metav1.Condition  { return n.Status.Conditions }
func (n *objectWithoutGeneration) SetConditions(c []metav1.Condition) { n.Status.Conditions = c }
func (n *objectWithoutGeneration) DeepCopyObject() runtime.Object {
	c := *n
	n.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	c.Status.Conditions = slices.Clone(n.Status.Conditions)
	return &c
}

func TestKindsThatLackFields(t *testing.T) {
	if _, err := declared.Begin(nil); err == nil {
		t.Error("a pass over nothing begins")
	}
	missing := (*conditions.MissingError)(nil)
	if _, err := declared.Begin(objectWithoutConditions{newServer()}); !errors.As(err, &missing) || missing.Field != "conditions" {
		t.Errorf("error is %v, want a MissingError about conditions", err)
	}
	b := newFixture(t, &objectWithoutGeneration{ObjectMeta: newServer().ObjectMeta})
	pass := b.begin()
	pass.MarkInitialized("provisioned")
	if _, err := pass.Commit(context.Background(), b); !errors.As(err, &missing) || missing.Field != "status.observedGeneration" {
		t.Errorf("error is %v, want a MissingError about status.observedGeneration", err)
	}
	b = newFixture(t, &objectWithoutGeneration{ObjectMeta: newServer().ObjectMeta})
	b.set = declared.WithOptions(conditions.Options{NoObservedGeneration: true})
	if !b.reconcile(setNone) || b.reconcile(setNone) {
		t.Error("a kind without observedGeneration is to be written once")
	}
	pass = b.begin()
	pass.MarkInitialized("provisioned")
	if _, err := pass.Commit(context.Background(), b); !errors.As(err, &missing) || missing.Field != "status.initialization.provisioned" {
		t.Errorf("error is %v, want a MissingError about status.initialization.provisioned", err)
	}
}

// The server drops a field that the definition does not declare.
func TestFieldsDroppedByServer(t *testing.T) {
	for field, lose := range map[string]func(map[string]any){
		"status.observedGeneration": func(s map[string]any) { delete(s, "observedGeneration") },
		"status.conditions":         func(s map[string]any) { delete(s, "conditions") },
	} {
		t.Run(field, func(t *testing.T) {
			b := newFixture(t, object(t, `{}`))
			pass := b.begin()
			_, err := pass.Commit(context.Background(), lossyServer{b.Server, lose})
			if missing := (*conditions.MissingError)(nil); !errors.As(err, &missing) || missing.Field != field {
				t.Errorf("error is %v, want a MissingError about %s", err, field)
			}
		})
	}
}

type lossyServer struct {
	*conditionstest.Server
	drop func(status map[string]any)
}

func (l lossyServer) PatchStatus(ctx context.Context, obj conditions.Object, patch conditions.Patch) error {
	var body map[string]any
	if err := json.Unmarshal(patch.Data, &body); err != nil {
		return err
	}
	l.drop(body["status"].(map[string]any))
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	patch.Data = data
	return l.Server.PatchStatus(ctx, obj, patch)
}
