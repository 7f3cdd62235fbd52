package move

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/test/lib/cluster"
)

// The defects M-D1 to M-D20 of moves, and the requirements M-1 to M-31 that each test covers.

// clusterctl replaces all annotations right before it deletes an object with its finalizers. Here no
// event shows a deletion without them, or with finalizers. Also M-16 and M-23.
func TestMD01AnnotationsStayUntilTheEnd(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + `
		Crate c < Cluster a : {meta: {annotations: {policy: skip}, finalizers: [depot.example.com/cloud]}}
		Crate d < Crate c : {meta: {annotations: {policy: skip}, finalizers: [depot.example.com/cloud, depot.example.com/disk]}}`)
	deletions := make(chan string, 100)
	var seen atomic.Int64
	for _, r := range []schema.GroupVersionResource{crates, clusters} {
		w, err := y.in(y.from, r).Watch(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Stop()
		go func() {
			for e := range w.ResultChan() {
				o, is := e.Object.(*unstructured.Unstructured)
				if !is || o.GetDeletionTimestamp() == nil && e.Type != "DELETED" {
					continue
				}
				seen.Add(1)
				left := slices.DeleteFunc(o.GetFinalizers(), func(f string) bool { return f == "orphan" })
				_, marked := o.GetAnnotations()["clusterctl.cluster.x-k8s.io/delete-for-move"]
				if len(left) > 0 || !marked || o.GetKind() == "Crate" && o.GetAnnotations()["policy"] != "skip" {
					deletions <- fmt.Sprintf("%s %s with finalizers %v and annotations %v", o.GetKind(), o.GetName(), o.GetFinalizers(), o.GetAnnotations())
				}
			}
		}()
	}
	y.mustRun(y.options())
	until(t, "the deletions are seen", func() error {
		if n := seen.Load(); n < 3 {
			return fmt.Errorf("%d", n)
		}
		return nil
	})
	select {
	case unsafe := <-deletions:
		t.Errorf("a controller can see the deletion of %s", unsafe)
	default:
	}
	d := y.get(y.to, crates, "d")
	if d.GetAnnotations()["policy"] != "skip" || len(d.GetFinalizers()) != 2 {
		t.Errorf("the copy has the finalizers %v and the annotations %v", d.GetFinalizers(), d.GetAnnotations())
	}
	y.wantOwners(y.to, crates, "d", "c")
}

// stopped returns a context that ends when a phase begins, and the options that end it.
func stopped(t *testing.T, o move.Options, phase move.Phase) (context.Context, move.Options) {
	ctx, cancel := context.WithCancelCause(t.Context())
	return ctx, begin(o, phase, func() { cancel(errors.New("stopped by the test")) })
}

// clusterctl refuses to run again after an interruption, because its Clusters are paused. Here the
// same plan is resumed. Also M-6.
func TestMD02InterruptedMoveIsResumed(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCrate c < Cluster a\nSecret a-ca")
	ctx, o := stopped(t, y.options(), move.Creating)
	if _, err := y.run(ctx, o); err == nil {
		t.Fatal("the move was not interrupted")
	}
	if paused, _ := field(y.get(y.from, clusters, "a"), "spec", "paused").(bool); !paused {
		t.Error("the source is not paused after the interruption")
	}
	if _, err := y.mover(y.resumed(o)).Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	y.wantNames(y.from, clusters)
	y.wantNames(y.from, crates)
	y.wantActive(y.to, clusters, "a")
	y.wantActive(y.to, crates, "c")
	y.wantOwners(y.to, crates, "c", "a")
	y.get(y.to, secrets, "a-ca")
}

// resumed returns options like others, without what stops the move.
func (y *yard) resumed(o move.Options) move.Options {
	o.OnEvent = y.options().OnEvent
	return o
}

// clusterctl finds no Clusters after an interruption of the deletion, and leaves the target paused.
// Here the target is unpaused. Also M-6.
func TestMD03TargetIsUnpausedAfterAnInterruption(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCrate c < Cluster a")
	ctx, o := stopped(t, y.options(), move.Unpausing)
	if _, err := y.run(ctx, o); err == nil {
		t.Fatal("the move was not interrupted")
	}
	y.wantNames(y.from, clusters)
	if paused, _ := field(y.get(y.to, clusters, "a"), "spec", "paused").(bool); !paused {
		t.Error("the target is not paused after the interruption")
	}
	if _, err := y.mover(y.resumed(o)).Rollback(t.Context()); err == nil {
		t.Error("a move that has deleted its originals was rolled back")
	}
	if _, err := y.mover(y.resumed(o)).Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	y.wantActive(y.to, clusters, "a")
	y.wantActive(y.to, crates, "c")
	if _, err := y.mover(y.resumed(o)).Resume(t.Context()); err != nil {
		t.Errorf("resuming a move that is done: %v", err)
	}
}

const blockMove = "clusterctl.cluster.x-k8s.io/block-move"

// tend is a controller of the Tanks of a Cluster. It reports Paused like the Cluster. When the pause
// begins, it has work left: it sets block-move, and removes it after a time.
func (y *yard) tend(s *site, work time.Duration, names ...string) (stop func()) {
	ctx, cancel := context.WithCancel(y.t.Context())
	var group sync.WaitGroup
	for _, name := range names {
		group.Go(func() {
			reported, idle := "", time.Time{}
			for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) { // simulates the pace of a controller
				cluster, err := y.in(s, clusters).Get(ctx, "a", metav1.GetOptions{})
				tank, missing := y.in(s, tanks).Get(ctx, name, metav1.GetOptions{})
				if err != nil || missing != nil || tank.GetDeletionTimestamp() != nil {
					continue
				}
				state := "False"
				if paused, _ := field(cluster, "spec", "paused").(bool); paused {
					state = "True"
				}
				if state == "True" && reported == "False" && idle.IsZero() {
					idle = time.Now().Add(work)
					y.merge(s, tanks, name, `{"metadata": {"annotations": {"`+blockMove+`": ""}}}`)
				}
				if state == reported || time.Now().Before(idle) {
					continue
				}
				if !idle.IsZero() {
					y.merge(s, tanks, name, `{"metadata": {"annotations": {"`+blockMove+`": null}}}`)
				}
				idle, reported = time.Time{}, state
				y.merge(s, tanks, name, fmt.Sprintf(`{"status": {"conditions": [{"type": "Paused", "status": %q, "reason": "Tended", "lastTransitionTime": %q}]}}`,
					state, time.Now().UTC().Format(time.RFC3339)), "status")
			}
		})
	}
	stop = sync.OnceFunc(func() {
		cancel()
		group.Wait()
	})
	y.t.Cleanup(stop)
	return stop
}

// waitTended waits until the Tanks have a report.
func (y *yard) waitTended(s *site, names ...string) {
	y.t.Helper()
	for _, name := range names {
		until(y.t, "Tank "+name+" is tended", func() error {
			if !strings.HasPrefix(condition(y.get(s, tanks, name), "Paused"), "False/") {
				return errors.New("it has no report")
			}
			return nil
		})
	}
}

// clusterctl looks for block-move before it pauses, and waits for one object after the other. Here
// all objects are watched after the pause, at the same time. Also M-D5, M-1, M-2 and M-10.
func TestMD04BlockMoveIsSeenAfterThePause(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	names := []string{"t0", "t1", "t2", "t3"}
	y.create("Cluster a : " + bare + "\nTank t0 < Cluster a\nTank t1 < Cluster a\nTank t2 < Cluster a\nTank t3 < Cluster a")
	y.tend(y.from, 4*time.Second, names...)
	y.tend(y.to, 0, names...)
	y.waitTended(y.from, names...)
	var paused time.Time
	o := begin(begin(y.options(), move.Pausing, func() { paused = time.Now() }), move.Creating, func() {
		for _, name := range names {
			o := y.get(y.from, tanks, name)
			if _, blocked := o.GetAnnotations()[blockMove]; blocked || !strings.HasPrefix(condition(o, "Paused"), "True/") {
				t.Errorf("the copy begins while Tank %s is busy: %s, %v", name, condition(o, "Paused"), o.GetAnnotations())
			}
		}
		if took := time.Since(paused); took > 3*4*time.Second {
			t.Errorf("four waits of 4s took %s, so they were not concurrent", took)
		}
	})
	y.mustRun(o)
	y.wantNames(y.to, tanks, names...)
	y.wantActive(y.to, tanks, "t0")
}

// clusterctl waits minutes for each object, and its waits cannot be configured. Here one deadline
// ends them all, objects may have their own, and the error names who blocks. Also M-D13: clusterctl
// leaves the source paused after a failure; here it is as before. Also M-1, M-2 and M-4.
func TestMD05OneDeadlineForAllWaits(t *testing.T) {
	cluster.Long(t)
	for _, row := range []struct {
		it, annotations string
		timeout         time.Duration
	}{
		{"ends with the deadline of the move", `{"` + blockMove + `": ""}`, 4 * time.Second},
		{"ends with the deadline of the object", `{"` + blockMove + `": "", "kstatus.dev/block-move-timeout": "3s"}`, patience},
	} {
		t.Run(row.it, func(t *testing.T) {
			y := newYard(t)
			y.create("Cluster a : " + bare + "\nCluster before : {spec: {paused: true, infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: none}, controlPlaneEndpoint: {host: b, port: 1}}}\nTank t < Cluster a : {meta: {annotations: " + row.annotations + "}}")
			start := time.Now()
			o := y.options()
			o.Timeout = row.timeout
			y.mustFail(o, "Tank/"+y.ns+"/t")
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it took %s", took)
			}
			y.wantActive(y.from, clusters, "a")
			if paused, _ := field(y.get(y.from, clusters, "before"), "spec", "paused").(bool); !paused {
				t.Error("a Cluster that was paused before is no longer paused")
			}
			y.wantNames(y.to, clusters)
		})
	}
}

// clusterctl writes a folder without waiting for block-move. Here it waits, as for a cluster.
func TestMD06FolderWaitsForBlockMove(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nTank t < Cluster a")
	y.tend(y.from, 3*time.Second, "t")
	y.waitTended(y.from, "t")
	o := y.options()
	o.Target, o.TargetFolder = nil, filepath.Join(t.TempDir(), "saved")
	o = begin(o, move.Creating, func() {
		tank := y.get(y.from, tanks, "t")
		if _, blocked := tank.GetAnnotations()[blockMove]; blocked || !strings.HasPrefix(condition(tank, "Paused"), "True/") {
			t.Errorf("the folder is written while the Tank is busy: %s", condition(tank, "Paused"))
		}
	})
	y.mustRun(o)
	y.wantActive(y.from, clusters, "a")
	if entries, err := os.ReadDir(o.TargetFolder); err != nil || len(entries) == 0 {
		t.Errorf("the folder has %d entries: %v", len(entries), err)
	}
}

// clusterctl drops objects of which one owner does not move, and deletes their other owners. Here
// they move, without that owner, and the plan says so. Also M-3 and M-9.
func TestMD07ObjectsWithAForeignOwnerAreMoved(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nConfigMap foreign\nStray stray\nSecret s < Cluster a < ConfigMap foreign < Stray stray : {data: {token: eA==}}")
	wantProblem(t, y.problems(y.options()), "warning: Secret "+y.ns+"/s: its owner Stray stray does not move")
	r := y.mustRun(y.options())
	y.wantOwners(y.to, secrets, "s", "a", "foreign")
	y.wantNames(y.from, secrets)
	y.get(y.from, configMaps, "foreign") // it is copied, since others may use it
	for _, i := range r.Plan.Items {
		if i.Decision == "" || i.Reason == "" {
			t.Errorf("the report has no reason for %s", i.Key())
		}
	}
}

// clusterctl pauses a ClusterClass of another namespace in the source forever. Here what stays is not
// paused.
func TestMD08SharedClassIsNotPaused(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.classNS = y.from.Namespace(t)
	y.createClass()
	shared := func(s *site) *unstructured.Unstructured {
		o, err := s.dynamic.Resource(classes).Namespace(y.classNS).Get(t.Context(), "shop", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	w, err := y.from.dynamic.Resource(classes).Namespace(y.classNS).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	y.create("Cluster a : {spec: {topology: {classRef: {name: shop, namespace: " + y.classNS + "}, version: v1.36.3}}}\n" +
		"Cluster b : {spec: {topology: {classRef: {name: shop, namespace: " + y.classNS + "}, version: v1.36.3}}}")
	for _, name := range []string{"a", "b"} { // the second move meets the copies of the first
		y.mustRun(y.only(name))
		for _, s := range []*site{y.from, y.to} {
			if _, paused := shared(s).GetAnnotations()["cluster.x-k8s.io/paused"]; paused {
				t.Errorf("after the move of %s, the class in the %s is paused", name, s.name)
			}
		}
	}
	y.wantNames(y.to, clusters, "a", "b")
	w.Stop()
	for e := range w.ResultChan() {
		if o, is := e.Object.(*unstructured.Unstructured); is && o.GetAnnotations()["cluster.x-k8s.io/paused"] != "" {
			t.Error("the class in the source was paused meanwhile")
		}
	}
}

// createInTarget creates an object in the target, as somebody else.
func (y *yard) createInTarget(r schema.GroupVersionResource, o *unstructured.Unstructured) {
	y.t.Helper()
	ns := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": y.ns}}}
	_, _ = y.to.dynamic.Resource(namespaces).Create(context.Background(), ns, metav1.CreateOptions{}) // it may exist
	if _, err := y.in(y.to, r).Create(context.Background(), o, metav1.CreateOptions{FieldManager: "stranger"}); err != nil {
		y.t.Errorf("creating a foreign object: %v", err)
	}
}

func secret(name, token string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": name}, "data": map[string]any{"token": base64.StdEncoding.EncodeToString([]byte(token))},
	}}
}

// clusterctl overwrites foreign objects of the same name. Here they prevent the move, before it or
// when they appear, and equal ones are used as they are.
func TestMD09ForeignObjectsStay(t *testing.T) {
	cluster.Long(t)
	const ours = "\nSecret s < Cluster a : {data: {token: b3Vycw==}}" // "ours"
	foreign := func(y *yard) {
		if token := field(y.get(y.to, secrets, "s"), "data", "token"); token != base64.StdEncoding.EncodeToString([]byte("foreign")) {
			t.Errorf("the foreign Secret was overwritten")
		}
	}
	t.Run("before the move", func(t *testing.T) {
		y := newYard(t)
		y.create("Cluster a : " + bare + ours)
		y.createInTarget(secrets, secret("s", "foreign"))
		y.mustFail(y.options(), "the target has another object of this name: data.token is changed")
		foreign(y)
		y.wantActive(y.from, clusters, "a")
	})
	t.Run("during the move", func(t *testing.T) {
		y := newYard(t)
		y.create("Cluster a : " + bare + ours)
		o := begin(y.options(), move.Creating, func() { y.createInTarget(secrets, secret("s", "foreign")) })
		y.mustFail(o, "the target has another object of this name: data.token is changed")
		y.rollback(o)
		foreign(y)
		y.wantActive(y.from, clusters, "a")
		y.wantNames(y.to, clusters)
	})
	t.Run("with the same content", func(t *testing.T) {
		y := newYard(t)
		y.create("Cluster a : " + bare + ours)
		y.createInTarget(secrets, secret("s", "ours"))
		y.mustRun(y.options())
		y.wantNames(y.from, secrets)
		y.wantOwners(y.to, secrets, "s", "a")
	})
}

// clusterctl loses what somebody changes in the source between its reads. Here it is copied again,
// until the object is deleted.
func TestMD10LateChangesAreMoved(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCrate changed < Cluster a : {spec: {size: small}}\nSecret s < Cluster a : {data: {token: eA==}}")
	o := begin(y.options(), move.Verifying, func() {
		y.merge(y.from, crates, "changed", `{"spec": {"size": "large"}}`)
		y.merge(y.from, secrets, "s", `{"data": {"token": "eQ=="}}`)
		y.create("Crate new < Cluster a : {spec: {size: new}}")
	})
	o = begin(o, move.Deleting, func() {
		// Owners are deleted last, so the Cluster still exists.
		y.merge(y.from, clusters, "a", `{"metadata": {"labels": {"late": "change"}}}`)
		y.create("Crate last < Cluster a")
	})
	y.mustRun(o)
	y.wantNames(y.from, crates)
	y.wantNames(y.to, crates, "changed", "last", "new")
	y.wantOwners(y.to, crates, "last", "a")
	if size := field(y.get(y.to, crates, "changed"), "spec", "size"); size != "large" {
		t.Errorf("the copy has the size %v", size)
	}
	if token := field(y.get(y.to, secrets, "s"), "data", "token"); token != "eQ==" {
		t.Errorf("the copy of the Secret has the token %v", token)
	}
	if y.get(y.to, clusters, "a").GetLabels()["late"] != "change" {
		t.Error("a change of the Cluster during the deletion is lost")
	}
}

// clusterctl does not look at its copies. Here a copy that differs prevents the deletion: because its
// definition prunes a field, or because somebody changes it.
func TestMD11CopiesAreVerified(t *testing.T) {
	cluster.Long(t)
	t.Run("the definition prunes", func(t *testing.T) {
		y := newYard(t)
		y.create("Cluster a : " + bare + "\nBarrel b < Cluster a : {spec: {size: small, colour: red}}")
		y.mustFail(y.options(), "spec.colour is missing")
		y.wantActive(y.from, clusters, "a")
		o := y.options()
		o.Accept = append(o.Accept, "differences")
		y.mustRun(o)
		if size := field(y.get(y.to, barrels, "b"), "spec", "size"); size != "small" {
			t.Errorf("the copy has the size %v", size)
		}
	})
	t.Run("somebody changes the copy", func(t *testing.T) {
		y := newYard(t)
		y.create("Cluster a : " + bare + "\nCrate c < Cluster a : {spec: {size: small}}")
		o := begin(y.options(), move.Verifying, func() { y.merge(y.to, crates, "c", `{"spec": {"size": "large"}}`) })
		y.mustFail(o, "its copy in the target differs from the original: spec.size is changed")
		y.wantNames(y.from, crates, "c")
		y.rollback(o)
		y.wantActive(y.from, clusters, "a")
		y.wantNames(y.to, crates)
	})
}

// clusterctl leaves the source paused when it fails. Here a failure before the first copy restores
// it, and a rollback does so later. Also M-4: the pause begins after the preflights have passed.
func TestMD13FailureRestoresTheSource(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCluster b : {spec: {paused: true, infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: none}, controlPlaneEndpoint: {host: b, port: 1}}}\nBarrel b < Cluster a : {spec: {colour: red}}")
	before := y.get(y.from, barrels, "b").GetResourceVersion()
	y.mustFail(y.options(), "spec.colour is missing")
	for _, name := range []string{"a", "b"} {
		if _, written := y.get(y.from, clusters, name).GetAnnotations()["kstatus.dev/pause-state"]; written {
			t.Errorf("Cluster %s was paused although the preflights have failed", name)
		}
	}
	if after := y.get(y.from, barrels, "b").GetResourceVersion(); before != after {
		t.Error("the Barrel was written")
	}
	o := y.options()
	o.Accept = append(o.Accept, "differences")
	ctx, o := stopped(t, o, move.Verifying)
	if _, err := y.run(ctx, o); err == nil {
		t.Fatal("the move was not interrupted")
	}
	y.rollback(y.resumed(o))
	y.wantActive(y.from, clusters, "a")
	if paused, _ := field(y.get(y.from, clusters, "b"), "spec", "paused").(bool); !paused {
		t.Error("after the rollback, a Cluster that was paused before is no longer paused")
	}
	y.wantNames(y.to, clusters)
	y.wantNames(y.to, barrels)
}

// clusterctl skips the checks in a dry run and never asks the target. Here a dry run finds all
// problems at once and changes nothing. Also M-7, M-13, M-20, M-22 and M-24.
func TestMD14DryRunFindsAllProblems(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nBarrel b < Cluster a : {spec: {colour: red}}\nSecret s < Cluster a : {data: {token: eA==}}\nStray stray < Cluster a\n" +
		"Crate going < Cluster a : {meta: {finalizers: [depot.example.com/hold]}}\nCrate busy < Cluster a : {meta: {annotations: {" + blockMove + `: ""}}}` + "\n" +
		"Crate named < Cluster a : {spec: {identityRef: {name: missing}}}\nCrate rejected < Cluster a : {meta: {labels: {reject: 'yes'}}}\nCrate held < Cluster a : {meta: {labels: {reject: 'yes'}}}")
	if err := y.in(y.from, crates).Delete(t.Context(), "going", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	y.createInTarget(secrets, secret("s", "foreign"))
	noDeletion := strings.NewReplacer("CREATE", "DELETE", "object.", "oldObject.").Replace(rejection)
	for s, policy := range map[*site]string{y.to: rejection, y.from: noDeletion} {
		s.Apply(t, "default", policy)
		t.Cleanup(func() { s.Delete(t, "default", policy) })
	}
	until(t, "both reject", func() error {
		if y.in(y.from, crates).Delete(t.Context(), "held", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}) == nil {
			return errors.New("the source does not reject")
		}
		o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "depot.example.com/v1", "kind": "Crate", "metadata": map[string]any{"name": "x", "labels": map[string]any{"reject": "yes"}}}}
		_, err := y.in(y.to, crates).Create(t.Context(), o, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil {
			return errors.New("the target does not reject")
		}
		return nil
	})
	until(t, "core has added its finalizer to the Cluster, its only write that versions would show", func() error {
		cluster, err := y.in(y.from, clusters).Get(t.Context(), "a", metav1.GetOptions{})
		if err == nil && len(cluster.GetFinalizers()) == 0 {
			err = errors.New("no finalizer yet")
		}
		return err
	})
	source, target := y.versions(y.from), y.versions(y.to)
	o := y.options()
	o.Accept = nil
	problems := y.problems(o)
	for _, want := range []string{
		"Cluster.cluster.x-k8s.io " + y.ns + "/a: its infrastructure is not provisioned yet; wait until it is ready [not-ready]",
		"Barrel.depot.example.com " + y.ns + "/b: the target would not keep it as it is: spec.colour is missing",
		"Secret " + y.ns + "/s: the target has another object of this name",
		"Stray.depot.example.com " + y.ns + "/stray: it does not move, but its owner Cluster a does; to move it, run kubectl label crd strays.depot.example.com",
		"Crate.depot.example.com " + y.ns + "/going: it is being deleted",
		"Crate.depot.example.com " + y.ns + "/busy: it has the annotation block-move",
		"spec.identityRef names Secret missing, which does not exist",
		"Crate.depot.example.com " + y.ns + "/rejected: the target rejects it",
		"Crate.depot.example.com " + y.ns + "/held: the source rejects its deletion",
	} {
		wantProblem(t, problems, want)
	}
	if now := y.versions(y.from); now != source {
		t.Errorf("the dry run has changed the source:\n%s\n%s", source, now)
	}
	if now := y.versions(y.to); now != target {
		t.Errorf("the dry run has changed the target:\n%s\n%s", target, now)
	}
	y.merge(y.from, crates, "going", `{"metadata": {"finalizers": null}}`)
}

// rejection makes the target reject labeled objects.
const rejection = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: reject.depot.example.com}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{apiGroups: [depot.example.com], apiVersions: [v1], operations: [CREATE], resources: [crates]}]
  validations:
  - expression: "!has(object.metadata.labels) || !('reject' in object.metadata.labels)"
    message: crates of this kind are not wanted here
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: reject.depot.example.com}
spec: {policyName: reject.depot.example.com, validationActions: [Deny]}
`

// clusterctl writes files of equal kinds of two groups over each other, and restores without looking
// at what exists. Also M-D16: it forgets the managed fields when it restores.
func TestMD15FolderKeepsEverything(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCrate c < Cluster a : {spec: {size: depot}}\nYardCrate c < Cluster a : {spec: {size: yard}}\nSecret s < Cluster a : {data: {token: b3Vycw==}}")
	saved := filepath.Join(t.TempDir(), "saved")
	save := y.options()
	save.Target, save.TargetFolder = nil, saved
	y.mustRun(save)
	restore := y.options()
	restore.Source, restore.SourceFolder, restore.Scope = nil, saved, plan.Scope{}
	y.createInTarget(secrets, secret("s", "foreign"))
	y.mustFail(restore, "the target has another object of this name")
	if err := y.in(y.to, secrets).Delete(t.Context(), "s", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	y.mustRun(restore)
	for _, c := range []struct {
		kind schema.GroupVersionResource
		size string
	}{{crates, "depot"}, {yardCrates, "yard"}} {
		o := y.get(y.to, c.kind, "c")
		if size := field(o, "spec", "size"); size != c.size {
			t.Errorf("the restored %s has the size %v", c.kind.GroupResource(), size)
		}
		wantManager(t, o, "tester")
	}
	y.wantOwners(y.to, crates, "c", "a")
	y.wantActive(y.to, clusters, "a")
	wantManager(t, y.get(y.to, secrets, "s"), "tester")
}

// wantManager checks that a field manager owns fields of an object, and the mover owns no spec.
func wantManager(t *testing.T, o *unstructured.Unstructured, want string) {
	t.Helper()
	managers := map[string]string{}
	for _, m := range o.GetManagedFields() {
		managers[m.Manager] = m.FieldsV1.String()
	}
	if managers[want] == "" || strings.Contains(managers["kstatus"], "f:spec") || strings.Contains(managers["kstatus"], "f:data") {
		t.Errorf("%s %s has the managed fields %v", o.GetKind(), o.GetName(), managers)
	}
}

// clusterctl fails in the middle because of missing rights. Here the preflight names them.
func TestMD17MissingRightsAreFoundBefore(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCrate c < Cluster a")
	o := y.options()
	o.Source, o.Target = y.from.As("reader"), y.to.As("reader")
	for _, s := range []*site{y.from, y.to} {
		role := strings.ReplaceAll(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: NAME}
rules:
- {apiGroups: ["*"], resources: ["*"], verbs: [get, list, watch]}
- {apiGroups: [depot.example.com], resources: [crates], verbs: [create]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: NAME}
subjects: [{kind: User, name: reader, apiGroup: rbac.authorization.k8s.io}]
roleRef: {kind: ClusterRole, name: NAME, apiGroup: rbac.authorization.k8s.io}
`, "NAME", y.ns)
		s.Apply(t, "default", role)
		t.Cleanup(func() { s.Delete(t, "default", role) })
	}
	until(t, "the reader may read", func() error {
		_, err := y.mover(o).Plan(t.Context())
		return err
	})
	problems := y.problems(o)
	for _, want := range []string{
		"the permission to patch clusters.cluster.x-k8s.io in namespace " + y.ns + " is missing in the source",
		"the permission to delete crates.depot.example.com in namespace " + y.ns + " is missing in the source",
		"the permission to create clusters.cluster.x-k8s.io in namespace " + y.ns + " is missing in the target",
		"the permission to create namespaces is missing in the target",
	} {
		wantProblem(t, problems, want)
	}
	for _, p := range problems {
		if strings.Contains(p, "create crates") {
			t.Errorf("a permission that exists is reported: %s", p)
		}
	}
	y.mustFail(o, "permission")
	y.wantActive(y.from, clusters, "a")
}
