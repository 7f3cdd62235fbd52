package conditions_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/wellknown"
)

var servers = schema.GroupResource{Group: "example.com", Resource: "servers"}

func TestCommitSendsOneRequestOrNone(t *testing.T) {
	b := newFixture(t, newServer())
	if !b.reconcile(setNone) || b.WriteCount() != 1 {
		t.Fatalf("the first reconcile made %d requests, want 1", b.WriteCount())
	}
	if !b.reconcile(func(p *conditions.Pass) {
		setHealthy(p)
		p.MarkInitialized("provisioned")
		b.server().Status.Addresses = []string{"10.0.0.1"}
	}) || b.WriteCount() != 2 {
		t.Fatalf("getting ready made %d requests, want 1", b.WriteCount()-1)
	}
	s := b.server().Status
	conditionstest.Assert(t, s.Conditions, metav1.Condition{Type: wellknown.TypeReady, Status: metav1.ConditionTrue, ObservedGeneration: 1})
	if s.ObservedGeneration != 1 || s.Initialization == nil || !*s.Initialization.Provisioned || len(s.Addresses) != 1 {
		t.Errorf("one request did not carry all of the status: %+v", s)
	}
	for range 10 {
		if b.reconcile(setHealthy) {
			t.Error("a pass that changed nothing says that it did")
		}
	}
	if b.WriteCount() != 2 || b.ReadCount() != 0 {
		t.Errorf("ten passes that changed nothing made %d writes and %d reads", b.WriteCount()-2, b.ReadCount())
	}
}

func TestConflictIsRebased(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(setNone)
	pass := b.begin()
	setHealthy(pass)
	b.server().Status.Addresses = []string{"10.0.0.1"}
	b.BeforeNextWrite = func() {
		b.Update(addForeign)
		b.Update(func(c map[string]any) { stored(c)["initialization"] = map[string]any{"provisioned": true} })
	}
	if !b.commit(pass) {
		t.Fatal("nothing was written")
	}
	s := b.server().Status
	conditionstest.Assert(t, s.Conditions,
		metav1.Condition{Type: wellknown.TypeReady, Status: metav1.ConditionTrue},
		metav1.Condition{Type: "Scanned", Status: metav1.ConditionTrue, Message: "by others"})
	if len(s.Addresses) != 1 || s.Initialization == nil {
		t.Errorf("what the author or the others have written is lost: %+v", s)
	}
	if b.WriteCount() != 3 || b.ReadCount() != 1 {
		t.Errorf("%d writes and %d reads, want 3 and 1", b.WriteCount(), b.ReadCount())
	}
}

func TestConflictsEnd(t *testing.T) {
	b := newFixture(t, newServer())
	pass := b.begin()
	var again func()
	again = func() { b.Update(addForeign); b.BeforeNextWrite = again }
	b.BeforeNextWrite = again
	_, err := pass.Commit(context.Background(), b)
	if !apierrors.IsConflict(err) || b.WriteCount() != 5 {
		t.Errorf("after %d writes: %v; want a conflict after 5", b.WriteCount(), err)
	}
}

func TestCommitEndsWithoutAWrite(t *testing.T) {
	deleted := metav1.NewTime(start)
	for name, c := range map[string]struct {
		deleting bool
		before   func(*fixture)
		want     error  // in the chain
		has      string // in the text
		fine     bool
	}{
		"it succeeds if the object is gone while it is being deleted": {deleting: true, before: func(b *fixture) { b.Delete() }, fine: true},
		"it fails if another object is gone":                          {before: func(b *fixture) { b.Delete() }, has: "not found"},
		"it does not write to another object of the same name": {before: func(b *fixture) {
			b.Update(func(c map[string]any) { c["metadata"].(map[string]any)["uid"] = "u2" })
		}, want: conditions.ErrReplaced},
		"it does not overwrite a later pass": {before: func(b *fixture) {
			b.Update(newGeneration)
			b.Update(func(c map[string]any) { stored(c)["observedGeneration"] = int64(2) })
		}, want: conditions.ErrSuperseded},
		"it returns the error of the server": {before: func(b *fixture) {
			b.FailNextWrite = apierrors.NewForbidden(servers, "web", errors.New("no right"))
		}, has: "Server shop/web: write of the status: "},
		"it reports a missing status subresource": {before: func(b *fixture) {
			b.FailNextWrite = apierrors.NewNotFound(servers, "")
		}, has: "has no status subresource"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer()
			if c.deleting {
				s.DeletionTimestamp, s.Finalizers = &deleted, []string{"example.com/server"}
			}
			b := newFixture(t, s)
			pass := b.begin()
			setHealthy(pass)
			c.before(b)
			changed, err := pass.Commit(context.Background(), b)
			switch {
			case changed:
				t.Error("it says that it has written")
			case c.fine && err != nil, !c.fine && err == nil:
				t.Errorf("error is %v", err)
			case c.want != nil && !errors.Is(err, c.want), err != nil && !strings.Contains(err.Error(), c.has):
				t.Errorf("error is %v, want %v %s", err, c.want, c.has)
			}
		})
	}
}

// A controller may write a finalizer or a provider ID in the middle of a pass.
// The conditions must not overwrite other changes that its response contains.
func TestCommitAfterControllerWrite(t *testing.T) {
	b := newFixture(t, newServer())
	pass := b.begin()
	b.Update(addForeign)
	b.Update(newGeneration)
	if err := b.ReadCached(b.obj); err != nil { // as the response to the controller's own patch
		t.Fatal(err)
	}
	setHealthy(pass)
	b.commit(pass)
	conditionstest.Assert(t, b.server().Status.Conditions,
		metav1.Condition{Type: "Scanned", Status: metav1.ConditionTrue},
		metav1.Condition{Type: wellknown.TypeReady, Status: metav1.ConditionUnknown, Reason: wellknown.ReasonNewGeneration, ObservedGeneration: 1})
	if b.WriteCount() != 1 || b.server().Status.ObservedGeneration != 1 {
		t.Errorf("%d writes, observed generation %d; want 1 of generation 1", b.WriteCount(), b.server().Status.ObservedGeneration)
	}
}

func TestPatchCarriesConditionsAndGenerationAndAPrecondition(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(setNone)
	b.Update(newGeneration)
	b.reconcile(setHealthy)
	body := string(b.Patches()[1].Data)
	for _, part := range []string{`"resourceVersion":"`, `"observedGeneration":2`, `"type":"Ready"`} {
		if !strings.Contains(body, part) {
			t.Errorf("patch lacks %s: %s", part, body)
		}
	}
}

func TestLargeStatus(t *testing.T) {
	var all []conditions.Declaration
	for i := range 40 {
		all = append(all, conditions.Positive("Part"+string(rune('A'+i%26))+string(rune('A'+i/26))))
	}
	b := newFixture(t, newServer())
	b.set = conditions.MustSet(all...)
	shout := func(p *conditions.Pass) {
		for _, d := range all {
			p.False(d.Type, "Verbose", strings.Repeat("ä", 20000))
		}
	}
	if !b.reconcile(shout) {
		t.Fatal("nothing was written")
	}
	if size := len(b.Patches()[0].Data); size > 1<<20 {
		t.Errorf("the patch has %d bytes", size)
	}
	if b.reconcile(shout) {
		t.Error("cut messages are written each time")
	}
	pass := b.begin()
	b.server().Status.Addresses = []string{strings.Repeat("x", 2<<20)}
	if _, err := pass.Commit(context.Background(), b); !errors.Is(err, conditions.ErrTooLarge) || b.WriteCount() != 1 {
		t.Errorf("error is %v after %d writes, want ErrTooLarge and no other write", err, b.WriteCount())
	}
}
