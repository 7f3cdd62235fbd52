package conditions_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/conditions"
	"kstatus.dev/kube/conditions/conditionstest"
)

func TestPause(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(setHealthy)
	before := slices.Clone(b.server().Status.Conditions)
	b.Update(newGeneration)
	pause := func(p *conditions.Pass) {
		setHealthy(p)
		p.MarkInitialized("provisioned")
		b.server().Status.Addresses = []string{"10.0.0.1"}
		p.Pause("ClusterPaused", "by its cluster")
	}
	b.clock.Advance(time.Minute)
	if !b.reconcile(pause) || b.reconcile(pause) {
		t.Error("a pause is to be written once")
	}
	if err := b.ReadCached(b.obj); err != nil {
		t.Fatal(err)
	}
	want := append(before[:3:3], metav1.Condition{Type: "Paused", Status: "True", Reason: "ClusterPaused", Message: "by its cluster", ObservedGeneration: 2})
	if diff := conditionstest.Diff(b.server().Status.Conditions, want); diff != "" {
		t.Error(diff)
	}
	if s := b.server().Status; s.ObservedGeneration != 1 || s.Initialization != nil || s.Addresses != nil {
		t.Errorf("a pause has written more than Paused: %+v", s)
	}
	b.reconcile(setHealthy)
	conditionstest.Assert(t, b.server().Status.Conditions,
		metav1.Condition{Type: "Paused", Status: "False", Reason: "NotPaused", ObservedGeneration: 2},
		metav1.Condition{Type: "Ready", Status: "True", ObservedGeneration: 2})
}

func TestInitializedIsSticky(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(func(p *conditions.Pass) { p.MarkInitialized("provisioned") })
	pass := b.begin()
	no := false
	b.server().Status.Initialization = &ServerInitialization{Provisioned: &no}
	b.commit(pass)
	b.reconcile(func(*conditions.Pass) { b.server().Status.Initialization = nil })
	if err := b.ReadCached(b.obj); err != nil {
		t.Fatal(err)
	}
	if i := b.server().Status.Initialization; i == nil || !*i.Provisioned {
		t.Error("provisioned was taken back")
	}
	if !strings.Contains(strings.Join(pass.Warnings(), "\n"), "status.initialization.provisioned was true") {
		t.Errorf("warnings are %q", pass.Warnings())
	}
	b.Update(func(c map[string]any) { c["status"] = map[string]any{} }) // the object was moved to another cluster, or restored
	b.reconcile(func(p *conditions.Pass) { setHealthy(p); p.MarkInitialized("provisioned") })
	if i := b.server().Status.Initialization; i == nil || !*i.Provisioned || b.condition("Ready").Status != "True" {
		t.Errorf("a status that was wiped is not as before: %+v", b.server().Status)
	}
}
