package conditions_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/wellknown"
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

// A pass that read a stale copy does not know what its own controller has begun since.
func TestPauseIsOnlyAboutTheVersionRead(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(map[string]any) // by others, after the pass began
		want  error
	}{
		{"it is reported if nobody has written", nil, nil},
		{"it is not reported if work has begun", blockMove, conditions.ErrOutdated},
		{"it is not reported if the spec has changed", newGeneration, conditions.ErrOutdated},
		{"it is not reported if others have written the status", addForeign, conditions.ErrOutdated},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newFixture(t, newServer())
			b.reconcile(setHealthy)
			pass := b.begin()
			if test.write != nil {
				b.Update(test.write)
			}
			pass.Pause("ClusterPaused", "")
			changed, err := pass.Commit(context.Background(), b)
			if !errors.Is(err, test.want) || changed != (test.want == nil) {
				t.Errorf("Commit = %t, %v; want %v", changed, err, test.want)
			}
			if err := b.ReadCached(b.obj); err != nil {
				t.Fatal(err)
			}
			if paused := b.condition(wellknown.TypePaused).Status == metav1.ConditionTrue; paused != (test.want == nil) {
				t.Errorf("Paused is %+v", b.condition(wellknown.TypePaused))
			}
		})
	}
}

// blockMove marks an object for which the cloud works.
func blockMove(content map[string]any) {
	content["metadata"].(map[string]any)["annotations"] = map[string]any{"clusterctl.cluster.x-k8s.io/block-move": ""}
}

// The end of a pause is written before, and without, the result of the work after it.
func TestResume(t *testing.T) {
	b := newFixture(t, newServer())
	if b.reconcile(setHealthy); b.begin().Resume() {
		t.Error("an object that was never paused has nothing to withdraw")
	}
	b.reconcile(func(p *conditions.Pass) { p.Pause("ClusterPaused", "") })
	b.Update(newGeneration)
	before := b.server().Status
	pass := b.begin()
	if !pass.Resume() {
		t.Fatal("the stored status acknowledges a pause, and Resume does not report it")
	}
	b.commit(pass)
	want := append(slices.Clone(before.Conditions[:3]), metav1.Condition{Type: "Paused", Status: "False", Reason: "NotPaused", ObservedGeneration: 2})
	if diff := conditionstest.Diff(b.server().Status.Conditions, want); diff != "" || b.server().Status.ObservedGeneration != 1 {
		t.Errorf("the end of the pause has written more than Paused: %+v %s", b.server().Status, diff)
	}
	if b.begin().Resume() {
		t.Error("the end of a pause is to be written once")
	}
}

func TestResumeOfAStaleCopy(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(func(p *conditions.Pass) { p.Pause("ClusterPaused", "") })
	pass := b.begin()
	b.Update(newGeneration)
	pass.Resume()
	if _, err := pass.Commit(context.Background(), b); !errors.Is(err, conditions.ErrOutdated) {
		t.Errorf("the end of a pause over a stale copy: %v", err)
	}
}

// A condition that exists only while it is True is removed at the end of a pause.
func TestResumeRemoves(t *testing.T) {
	b := newFixture(t, newServer())
	b.set = conditions.MustSet(conditions.Positive(wellknown.TypeReady), conditions.PresentOnlyWhenTrue(wellknown.TypePaused))
	b.reconcile(setNone)
	b.reconcile(func(p *conditions.Pass) { p.Pause("ClusterPaused", "") })
	b.reconcile(func(p *conditions.Pass) { p.Resume() })
	if c := b.condition(wellknown.TypePaused); c.Type != "" || len(b.server().Status.Conditions) != 1 {
		t.Errorf("the conditions are %+v", b.server().Status.Conditions)
	}
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
