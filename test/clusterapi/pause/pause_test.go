// Package pause tests package clusterapi/pause and kstatus capi pause on a real cluster with the core
// manager of Cluster API and the example provider.
package pause

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/status"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/cluster"
)

// shopTarget is the Cluster shop.
func (f *fixture) shopTarget() []status.ID {
	return []status.ID{pause.ClusterID(f.Namespace, "shop")}
}

// pause pauses the Cluster shop. It must not fail.
func (f *fixture) pause(o pause.Options) *pause.Result {
	f.T.Helper()
	r, err := pause.Pause(f.T.Context(), f.Cluster.Config(), f.shopTarget(), o)
	if err != nil {
		f.T.Fatal(err)
	}
	return r
}

// pauseUntil pauses the Cluster shop with controllers that never acknowledge, and ends the call once its
// objects have the states. It returns the result, which must have them too.
func (f *fixture) pauseUntil(o pause.Options, want ...string) *pause.Result {
	f.T.Helper()
	ctx, cancel := context.WithCancelCause(f.T.Context())
	defer cancel(nil)
	errReached := errors.New("the states are reached")
	objects, also := map[status.ID]pause.Object{}, o.OnChange
	o.OnChange = func(changed pause.Object) {
		objects[changed.ID] = changed
		if changed.State == "" {
			delete(objects, changed.ID)
		}
		if slices.Equal(states(&pause.Result{Objects: slices.Collect(maps.Values(objects))}), want) {
			cancel(errReached)
		}
		if also != nil {
			also(changed)
		}
	}
	r, err := pause.Pause(ctx, f.Cluster.Config(), f.shopTarget(), o)
	if !errors.Is(err, errReached) {
		f.T.Fatal(err)
	}
	wantStates(f.T, r, false, want...)
	return r
}

// unpause resumes the Cluster shop. It must not fail.
func (f *fixture) unpause(o pause.Options) *pause.Result {
	f.T.Helper()
	r, err := pause.Unpause(f.T.Context(), f.Cluster.Config(), f.shopTarget(), o)
	if err != nil {
		f.T.Fatal(err)
	}
	return r
}

// states returns the objects of a result as "Kind State Reason".
func states(r *pause.Result) (all []string) {
	for _, o := range r.Objects {
		all = append(all, strings.TrimSpace(fmt.Sprint(o.Kind.Kind, " ", o.State, " ", o.Reason)))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// wantStates checks the objects of a result.
func wantStates(t *testing.T, r *pause.Result, done bool, want ...string) {
	t.Helper()
	if have := states(r); !slices.Equal(have, want) || r.Done() != done {
		t.Errorf("done is %t, want %t; the objects are\n%s\nwant\n%s\n%+v", r.Done(), done, strings.Join(have, "\n"), strings.Join(want, "\n"), r.Targets)
	}
}

// objectOf returns the object of a kind in a result.
func objectOf(t *testing.T, r *pause.Result, kind string) pause.Object {
	t.Helper()
	for _, o := range r.Objects {
		if o.Kind.Kind == kind {
			return o
		}
	}
	t.Fatalf("the result has no %s: %q", kind, states(r))
	return pause.Object{}
}

// onceFor returns an OnChange that calls do once, for an object of a kind with a reason.
func onceFor(kind string, reason pause.Reason, do func()) func(pause.Object) {
	once := sync.OnceFunc(do)
	return func(o pause.Object) {
		if o.Kind.Kind == kind && o.Reason == reason {
			once()
		}
	}
}

// annotation returns an annotation of the Cluster shop.
func (f *fixture) annotation(name string) string {
	f.T.Helper()
	return f.Get(clusters, "shop").GetAnnotations()[name]
}

// The core manager and the example provider acknowledge a pause and its end.
func TestPauseAndUnpause(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createShop()
	r := f.pause(pause.Options{})
	wantStates(t, r, true, "Cluster Acknowledged Paused", "Machine Acknowledged Paused", "MachineDeployment Acknowledged Paused",
		"MachineSet Acknowledged Paused", "ShelfCluster Acknowledged Paused", "ShelfMachine Acknowledged Paused", "ShelfMachineTemplate Acknowledged Template")
	t.Logf("paused within %s, %d requests", r.Duration, r.Requests)
	if !isPaused(f.Get(clusters, "shop")) || f.annotation(pause.StateAnnotation) != "Paused" || f.annotation(pause.BeforeAnnotation) != `{"paused":false,"by":"pause"}` {
		t.Errorf("the Cluster has %v", f.Get(clusters, "shop").GetAnnotations())
	}
	for _, r := range []string{"machines", "shelfmachines"} {
		gvr := machines
		if r == "shelfmachines" {
			gvr = shelfMachines
		}
		if have := condition(f.Get(gvr, "web"), "Paused"); have != "True" {
			t.Errorf("Paused of %s web is %s", r, have)
		}
	}
	r = f.unpause(pause.Options{})
	wantStates(t, r, true, "Cluster Acknowledged Unpaused", "Machine Acknowledged Unpaused", "MachineDeployment Acknowledged Unpaused",
		"MachineSet Acknowledged Unpaused", "ShelfCluster Acknowledged Unpaused", "ShelfMachine Acknowledged Unpaused", "ShelfMachineTemplate Acknowledged Template")
	t.Logf("unpaused within %s, %d requests", r.Duration, r.Requests)
	if isPaused(f.Get(clusters, "shop")) || f.annotation(pause.StateAnnotation) != "Unpaused" || f.annotation(pause.BeforeAnnotation) != "" {
		t.Errorf("the Cluster has %v", f.Get(clusters, "shop").GetAnnotations())
	}
}

// A Cluster that was paused before stays paused, and a record is never overwritten.
func TestStaysPaused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createShop()
	f.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	f.WaitUntil(shelfMachines, "web", "paused", func(u *unstructured.Unstructured) bool { return condition(u, "Paused") == "True" })
	for range 2 {
		if r := f.pause(pause.Options{}); !r.Done() || !r.Targets[0].Before.Paused {
			t.Fatalf("%+v", r.Targets)
		}
	}
	if r := f.unpause(pause.Options{RecordedOnly: true}); !r.Done() || r.Targets[0].Phase != pause.PhasePaused {
		t.Errorf("%+v", r.Targets)
	}
	if !isPaused(f.Get(clusters, "shop")) || f.annotation(pause.StateAnnotation) != "Paused" {
		t.Errorf("the Cluster is not paused any more: %v", f.Get(clusters, "shop").GetAnnotations())
	}
	if r := f.unpause(pause.Options{RecordedOnly: true}); !r.Done() || r.Targets[0].Reason != pause.ReasonNotRecorded || !isPaused(f.Get(clusters, "shop")) {
		t.Errorf("without a record: %+v", r.Targets)
	}
	if r := f.unpause(pause.Options{}); !r.Done() || isPaused(f.Get(clusters, "shop")) {
		t.Errorf("by name: %+v", r.Targets)
	}
}

// The pause of a move is left to the move.
func TestMoveIsLeftAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	o := pause.Options{By: "move 7", Window: time.Second}
	if r := f.pause(o); !r.Done() {
		t.Fatalf("%+v", r.Targets)
	}
	for name, call := range map[string]func(context.Context, *rest.Config, []status.ID, pause.Options) (*pause.Result, error){"pause": pause.Pause, "unpause": pause.Unpause} {
		r, err := call(t.Context(), f.Cluster.Config(), f.shopTarget(), pause.Options{Window: time.Second})
		target := &pause.TargetError{}
		if !errors.As(err, &target) || target.Reason != pause.ReasonBeingMoved || r.Done() || r.Targets[0].Reason != pause.ReasonBeingMoved || !strings.Contains(err.Error(), "move 7") {
			t.Errorf("%s: %v, %+v", name, err, r.Targets)
		}
	}
	if r := f.unpause(pause.Options{By: "move 7", RecordedOnly: true, Window: time.Second, WakeAfter: time.Second}); !r.Done() || isPaused(f.Get(clusters, "shop")) {
		t.Errorf("%+v", r.Targets)
	}
}

// An object whose kind does not report Paused counts after a window, except if strict.
func TestKindsWithoutPaused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	r := f.pause(pause.Options{Window: 2 * time.Second})
	wantStates(t, r, true, "Cluster Acknowledged Paused", "ShelfCluster Unknown NoReport", "ShelfMachine Unknown NoReport")
	if have := f.annotation(pause.MessageAnnotation); !strings.HasPrefix(have, "cannot tell: ShelfCluster/shop (") {
		t.Errorf("the message is %q", have)
	}
	r = f.pause(pause.Options{Window: time.Second, Timeout: 15 * time.Second, Strict: true})
	wantStates(t, r, false, "Cluster Acknowledged PausedBefore", "ShelfCluster Unknown NoReport", "ShelfMachine Unknown NoReport")
	if have := f.annotation(pause.StateAnnotation); have != "Pausing" {
		t.Errorf("after the timeout the Cluster is %s", have)
	}
	if r := f.unpause(pause.Options{Window: time.Second, WakeAfter: time.Second}); !r.Done() || objectOf(t, r, "ShelfMachine").Reason != pause.ReasonNoSign {
		t.Errorf("%q %+v", states(r), r.Targets)
	}
	if have := f.Get(shelfMachines, "web").GetAnnotations()[pause.WakeAnnotation]; have != "" {
		t.Error("the annotation that wakes controllers is left")
	}
}

// Controllers that lie are named: one that never acknowledges, and one that keeps writing.
func TestLyingControllers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	f.Patch(shelfMachines, "web", pausedIs("False", time.Now()), "status")
	f.Patch(shelfClusters, "shop", pausedIs("False", time.Now()), "status")
	f.goUntilEnd(func(ctx context.Context) {
		_ = managers.Until(ctx, func() bool { // it ends with the test
			if u, err := f.Client(clusters).Get(ctx, "shop", metav1.GetOptions{}); err == nil && isPaused(u) {
				patch := []byte(pausedIs("True", time.Now()))
				_, err := f.Client(shelfClusters).Patch(ctx, "shop", types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "user"}, "status")
				if err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
			return false
		})
	})
	f.pauseUntil(pause.Options{}, "Cluster Acknowledged Paused", "ShelfCluster Busy Written", "ShelfMachine Busy NotReported")
	r := f.pause(pause.Options{Timeout: 8 * time.Second})
	wantStates(t, r, false, "Cluster Acknowledged PausedBefore", "ShelfCluster Busy Written", "ShelfMachine Busy NotReported")
	liar := objectOf(t, r, "ShelfCluster")
	if liar.Manager != "user" || liar.Writes < 2 || liar.LastWrite.IsZero() || !strings.Contains(liar.Message, "user still writes it, although it reports Paused=True") {
		t.Errorf("by %q, %d writes, the last at %s: %s", liar.Manager, liar.Writes, liar.LastWrite, liar.Message)
	}
	// The last message in the Cluster may be missing on a busy machine; the result has it.
	if have := r.Targets[0].Message; !strings.Contains(have, "ShelfMachine/web (Paused is False)") {
		t.Errorf("the message is %q", have)
	}
}

// A holder of block-move that appears after the pause is seen, and its end is an acknowledgement.
func TestBlockMoveAfterThePause(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	const holds = `{"metadata": {"annotations": {"clusterctl.cluster.x-k8s.io/block-move": ""}}}`
	f.pauseUntil(pause.Options{Window: 3 * time.Second,
		OnChange: onceFor("ShelfMachine", pause.ReasonNoReport, func() { f.Patch(shelfMachines, "web", holds) })},
		"Cluster Acknowledged Paused", "ShelfCluster Unknown NoReport", "ShelfMachine Busy BlockMove")
	r := f.pause(pause.Options{Window: 3 * time.Second, OnChange: func(o pause.Object) {
		if o.Reason == pause.ReasonBlockMove {
			f.Patch(shelfMachines, "web", strings.Replace(holds, `""`, "null", 1))
		}
	}})
	wantStates(t, r, true, "Cluster Acknowledged PausedBefore", "ShelfCluster Unknown NoReport", "ShelfMachine Acknowledged Released")
	f.Patch(shelfMachines, "web", `{"metadata": {"annotations": {"clusterctl.cluster.x-k8s.io/block-move": "", "kstatus.dev/block-move-timeout": "1s"}}}`)
	began := time.Now()
	if r = f.pause(pause.Options{Window: time.Second, Timeout: time.Minute}); r.Done() || time.Since(began) > 30*time.Second {
		t.Errorf("after %s: %q", time.Since(began), states(r))
	}
}

// Somebody else changes the Cluster while a call waits.
func TestInterference(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	f.Patch(shelfMachines, "web", pausedIs("False", time.Now()), "status")
	interfere := func(paused string) func(pause.Object) {
		return onceFor("ShelfMachine", pause.ReasonNotReported, func() { f.Patch(clusters, "shop", `{"spec": {"paused": `+paused+`}}`) })
	}
	r := f.pause(pause.Options{Timeout: time.Minute, OnChange: interfere("false")})
	if p := r.Targets[0]; r.Done() || p.Reason != pause.ReasonUnpausedByOther || p.Message != "user has unpaused it meanwhile" {
		t.Errorf("%+v", p)
	}
	f.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	f.Patch(shelfMachines, "web", pausedIs("True", time.Now()), "status")
	r = f.unpause(pause.Options{Timeout: time.Minute, OnChange: interfere("true")})
	if p := r.Targets[0]; r.Done() || p.Reason != pause.ReasonPausedByOther || p.Message != "user has paused it meanwhile" {
		t.Errorf("%+v", p)
	}
}

// A controller that only sees changes of its object is woken.
func TestWake(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	f.Patch(shelfMachines, "web", pausedIs("True", time.Now()), "status")
	if r := f.pause(pause.Options{Window: time.Second}); !r.Done() {
		t.Fatalf("%q", states(r))
	}
	f.goUntilEnd(func(ctx context.Context) {
		err := managers.Until(ctx, func() bool {
			u, err := f.Client(shelfMachines).Get(ctx, "web", metav1.GetOptions{})
			return err == nil && u.GetAnnotations()[pause.WakeAnnotation] != ""
		})
		if err == nil {
			f.Patch(shelfMachines, "web", pausedIs("False", time.Now()), "status")
		}
	})
	r := f.unpause(pause.Options{Window: time.Second, WakeAfter: 2 * time.Second})
	wantStates(t, r, true, "Cluster Acknowledged Unpaused", "ShelfCluster Unknown NoSign", "ShelfMachine Acknowledged Unpaused")
	if have := f.Get(shelfMachines, "web").GetAnnotations()[pause.WakeAnnotation]; have != "" {
		t.Errorf("the annotation is left: %s", have)
	}
}

// The controller of Machines does not watch for a pause of their Cluster. Without a provider that
// reports, nothing else is an event for it.
func TestMachineOfSilentProvider(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	machine := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": machines.GroupVersion().String(), "kind": "Machine",
		"metadata": map[string]any{"name": "web", "labels": map[string]any{"cluster.x-k8s.io/cluster-name": "shop"}},
		"spec": map[string]any{
			"clusterName": "shop", "version": "v1.36.3", "bootstrap": map[string]any{"dataSecretName": "none"},
			"infrastructureRef": map[string]any{"apiGroup": shelfMachines.Group, "kind": "ShelfMachine", "name": "web"},
		},
	}}
	if _, err := f.Client(machines).Create(f.T.Context(), machine, metav1.CreateOptions{}); err != nil {
		f.T.Fatal(err)
	}
	f.WaitUntil(machines, "web", "seen by core", func(u *unstructured.Unstructured) bool { return condition(u, "Paused") == "False" })
	r := f.pause(pause.Options{Window: time.Second, WakeAfter: 2 * time.Second, Timeout: time.Minute})
	if o := objectOf(t, r, "Machine"); !r.Done() || o.Reason != pause.ReasonPaused {
		t.Errorf("%q %+v", states(r), r.Targets)
	}
	if have := f.Get(machines, "web").GetAnnotations()[pause.WakeAnnotation]; have != "" {
		t.Error("the annotation that wakes controllers is left")
	}
	if r := f.unpause(pause.Options{Window: time.Second, WakeAfter: time.Second}); !r.Done() {
		t.Errorf("%q %+v", states(r), r.Targets)
	}
}

// After the end of the context, the Cluster has the truth, and the next call completes the pause.
func TestCanceled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	f.Patch(shelfMachines, "web", pausedIs("False", time.Now()), "status")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	errCanceled := errors.New("canceled while it waits")
	r, err := pause.Pause(ctx, f.Cluster.Config(), f.shopTarget(), pause.Options{OnChange: func(o pause.Object) {
		if o.Kind.Kind == "Cluster" && o.State == pause.Acknowledged {
			cancel(errCanceled)
		}
	}})
	if !errors.Is(err, errCanceled) || r.Done() {
		t.Errorf("%v %+v", err, r.Targets)
	}
	// The call ends soon after its context, so the last message may be missing on a busy machine.
	if state, message := f.annotation(pause.StateAnnotation), f.annotation(pause.MessageAnnotation); state != "Pausing" || message != "" && !strings.HasPrefix(message, "interrupted: run kstatus capi pause again") {
		t.Errorf("the Cluster is %s: %s", state, message)
	}
	f.Patch(shelfMachines, "web", pausedIs("True", time.Now()), "status")
	if r := f.pause(pause.Options{Window: time.Second}); !r.Done() || f.annotation(pause.MessageAnnotation) == "" {
		t.Errorf("%+v", r.Targets)
	}
}

// Objects that appear while a call waits count, and deleted ones do not.
func TestObjectsComeAndGo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	f.Patch(shelfMachines, "web", pausedIs("False", time.Now()), "status")
	replace := onceFor("ShelfMachine", pause.ReasonNotReported, func() {
		f.Apply(strings.Replace(bare[strings.LastIndex(bare, "---")+4:], "name: web", "name: late", 1))
		f.Patch(shelfMachines, "late", pausedIs("False", time.Now()), "status")
		f.Remove(shelfMachines, "web")
	})
	var mu sync.Mutex
	var changes []string
	r := f.pause(pause.Options{Window: time.Second, OnChange: func(o pause.Object) {
		mu.Lock()
		defer mu.Unlock()
		if o.Kind.Kind == "ShelfMachine" {
			changes = append(changes, o.Name+" "+string(o.State))
		}
		replace(o)
		if o.Name == "late" && o.State == pause.Busy {
			f.Patch(shelfMachines, "late", pausedIs("True", time.Now()), "status")
		}
	}})
	wantStates(t, r, true, "Cluster Acknowledged Paused", "ShelfCluster Unknown NoReport", "ShelfMachine Acknowledged Paused")
	if objectOf(t, r, "ShelfMachine").Name != "late" || !slices.Contains(changes, "late Busy") || !slices.Contains(changes, "web ") {
		t.Errorf("the changes are %q", changes)
	}
}

// Two calls at the same time do not disturb each other.
func TestTwoPausers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createShop()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			r, err := pause.Pause(t.Context(), f.Cluster.Config(), f.shopTarget(), pause.Options{Timeout: time.Minute})
			if err != nil || !r.Done() {
				t.Errorf("%v %q %+v", err, states(r), r.Targets)
			}
		})
	}
	both.Wait()
	if have := f.annotation(pause.BeforeAnnotation); have != `{"paused":false,"by":"pause"}` {
		t.Errorf("the record is %s", have)
	}
}

// Without rights for a kind, its objects are unknown. Without rights for Clusters, none is paused.
func TestMissingRights(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	definitions := cluster.Grant{Verbs: []string{"get", "list"}, Resources: []string{"customresourcedefinitions.apiextensions.k8s.io"}}
	as := func(name string, grants ...cluster.Grant) *rest.Config {
		f.Cluster.User(t, f.Namespace, name, append(grants, definitions)...)
		return f.Cluster.As("system:serviceaccount:"+f.Namespace+":"+name, "system:serviceaccounts", "system:authenticated")
	}
	some := as("some", cluster.Grant{Namespace: f.Namespace, Verbs: []string{"get", "list", "watch", "patch"}, Resources: []string{"clusters.cluster.x-k8s.io", "shelfclusters.infrastructure.cluster.x-k8s.io"}})
	r, err := pause.Pause(t.Context(), some, f.shopTarget(), pause.Options{Window: time.Second})
	if err != nil || !r.Done() {
		t.Errorf("%v %+v", err, r.Targets)
	}
	if o := objectOf(t, r, "ShelfMachine"); o.State != pause.Unknown || o.Reason != pause.ReasonForbidden || o.Name != "" {
		t.Errorf("%+v", o)
	}
	if r := f.unpause(pause.Options{Window: time.Second, WakeAfter: time.Second}); !r.Done() {
		t.Errorf("%+v", r.Targets)
	}
	for name, grant := range map[string][]string{"none": {"get"}, "reader": {"get", "list", "watch"}} {
		config := as(name, cluster.Grant{Namespace: f.Namespace, Verbs: grant, Resources: []string{"clusters.cluster.x-k8s.io"}})
		r, err := pause.Pause(t.Context(), config, f.shopTarget(), pause.Options{Window: time.Second})
		target := &pause.TargetError{}
		if !errors.As(err, &target) || target.Reason != pause.ReasonForbidden || r.Done() || isPaused(f.Get(clusters, "shop")) {
			t.Errorf("%s: %v %+v", name, err, r.Targets)
		}
	}
	_, err = pause.Pause(t.Context(), f.Cluster.Config(), []status.ID{f.shopTarget()[0], pause.ClusterID(f.Namespace, "absent")}, pause.Options{})
	if err == nil || isPaused(f.Get(clusters, "shop")) {
		t.Errorf("with a Cluster that does not exist: %v", err)
	}
}

// The API server restarts while a call waits. It is not parallel, so that no other test notices.
func TestRestart(t *testing.T) {
	f := newFixture(t)
	f.createBare()
	f.Patch(shelfMachines, "web", pausedIs("False", time.Now()), "status")
	waits, ended := make(chan struct{}), make(chan *pause.Result)
	o := pause.Options{Timeout: 2 * time.Minute, Window: time.Second, OnChange: onceFor("ShelfMachine", pause.ReasonNotReported, func() { close(waits) })}
	go func() {
		r, err := pause.Pause(t.Context(), f.Cluster.Config(), f.shopTarget(), o)
		if err != nil {
			t.Error(err)
		}
		ended <- r
	}()
	<-waits
	if err := f.Cluster.Restart(t.Context(), cluster.APIServer); err != nil {
		t.Fatal(err)
	}
	f.Patch(shelfMachines, "web", pausedIs("True", time.Now()), "status")
	wantStates(t, <-ended, true, "Cluster Acknowledged Paused", "ShelfCluster Unknown NoReport", "ShelfMachine Acknowledged Paused")
}
