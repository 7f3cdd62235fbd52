package move_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/wiretest"
)

// expect records a change of the test itself: the target must have it in the end.
func (w *world) expect(lines ...string) {
	w.watcher.mu.Lock()
	defer w.watcher.mu.Unlock()
	for _, line := range lines {
		if now := w.watcher.now[source][line]; now != nil {
			w.watcher.before[source][line] = now
		} else {
			delete(w.watcher.before[source], line)
		}
	}
}

// change changes an object of the source during the move.
func (w *world) change(line string, change func(*unstructured.Unstructured)) {
	w.Helper()
	before := w.watcher.before[source][line]
	w.edit(w.from, line, change)
	w.expect(line)
	// Only the values count: the finalizers and the owners may be those of the deletion.
	now := w.watcher.before[source][line].DeepCopy()
	now.SetFinalizers(before.GetFinalizers())
	now.SetOwnerReferences(before.GetOwnerReferences())
	w.watcher.before[source][line] = now
}

// remove deletes an object of the source during the move.
func (w *world) remove(line string) {
	w.watcher.foreign[line] = true
	w.from.Delete(w.find(w.from, line))
	w.expect(line)
}

// add creates an object in the source during the move.
func (w *world) add(name, line string) {
	w.Helper()
	w.put(w.from, line)
	w.expect(name)
}

// Somebody writes in the source while the Clusters are moved. The target has it in the end.
func TestLateChanges(t *testing.T) {
	size := func(w *world, value string) { w.change("Box shop/web-1-x", set(value, "spec", "size")) }
	for _, row := range []struct {
		it     string
		phase  move.Phase
		change func(*world)
		note   string // of an event
	}{
		{"copies a change before the copies are made", move.Pausing, func(w *world) { size(w, "large") }, ""},
		{"copies a change while copies are made", move.Creating, func(w *world) { size(w, "large") }, "Box.infrastructure.cluster.x-k8s.io shop/web-1-x: it was changed in the source during the move"},
		{"copies a change after the copies are made", move.Verifying, func(w *world) { size(w, "large") }, "shop/web-1-x: it was changed in the source during the move"},
		{"copies a change during the deletion", move.Deleting, func(w *world) { size(w, "large") }, "shop/web-1-x: it was changed in the source during the deletion"},
		{"copies the values of a Secret", move.Verifying, func(w *world) { w.change("Secret shop/a-ca", set("eQ==", "data", "key")) }, "Secret shop/a-ca: it was changed"},
		{"copies the values of a Secret during the deletion", move.Deleting, func(w *world) { w.change("Secret shop/a-ca", set("eQ==", "data", "key")) }, "Secret shop/a-ca: it was changed"},
		{"copies a change of the Cluster during the deletion", move.Deleting, func(w *world) {
			w.change("Cluster shop/a", set(map[string]any{"late": "change"}, "metadata", "labels"))
		}, "Cluster.cluster.x-k8s.io shop/a: it was changed"},
		{"moves an object that is created while copies are made", move.Creating, func(w *world) {
			w.add("Box shop/new", "Box shop/new < Cluster shop/a cluster.x-k8s.io/cluster-name=a : {metadata: {uid: new}}")
		}, "shop/new: it was changed"},
		{"moves an object that is created during the deletion", move.Deleting, func(w *world) {
			w.add("Box shop/new", "Box shop/new < Cluster shop/a cluster.x-k8s.io/cluster-name=a")
		}, "shop/new: it was created in the source after the copies were compared"},
		{"forgets an object that is deleted before it is copied", move.Pausing, func(w *world) { w.remove("Secret shop/a-kubeconfig") }, ""},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			w.mustRun(at(w.options(), row.phase, func() { row.change(w) }))
			w.watcher.checkMoved(copied...)
			if row.note != "" {
				w.mustFail(errors.New(w.notes()), row.note)
			}
		})
	}
}

// Changes that a move must not go on with stop it. It is rolled back.
func TestChangesThatStopTheMove(t *testing.T) {
	for _, row := range []struct {
		it     string
		phase  move.Phase
		change func(*world)
		want   string
	}{
		{"a copy is changed", move.Verifying, func(w *world) { w.edit(w.to, "MachineSet shop/web-1", set(int64(2), "spec", "replicas")) },
			"its copy in the target differs from the original: spec.replicas is changed"},
		{"a copy is deleted", move.Verifying, func(w *world) {
			w.watcher.foreign["Secret shop/a-ca"] = true
			w.to.Delete(w.find(w.to, "Secret shop/a-ca"))
		}, "Secret shop/a-ca: its copy is no longer in the target"},
		{"a Cluster is created after the plan", move.Verifying, func(w *world) { w.put(w.from, "Cluster shop/unrelated : {spec: {paused: true}}") },
			"Cluster.cluster.x-k8s.io shop/unrelated was created after the plan was made"},
		{"an object is deleted and created again", move.Creating, func(w *world) {
			u := w.find(w.from, "Secret shop/a-ca").DeepCopy()
			w.remove("Secret shop/a-ca")
			u.SetUID(types.UID("another"))
			w.from.Put(u)
			w.expect("Secret shop/a-ca")
		}, "it was deleted and created again in the source during the move"},
		{"a foreign object takes a name", move.Creating, func(w *world) {
			w.put(w.to, "Secret shop/unrelated")
			u := w.find(w.from, "Secret shop/a-ca").DeepCopy()
			u.Object["data"] = map[string]any{"key": "Zm9yZWlnbg=="}
			u.SetUID("foreign")
			w.to.Put(u)
			w.watcher.before[target]["Secret shop/a-ca"] = w.watcher.now[target]["Secret shop/a-ca"]
		}, "the target has another object of this name: data.key is changed"},
		{"an object is deleted by somebody", move.Verifying, func(w *world) {
			w.watcher.foreign["Machine shop/web-1-x"] = true
			w.edit(w.from, "Machine shop/web-1-x", func(u *unstructured.Unstructured) { u.SetDeletionTimestamp(&metav1.Time{Time: time.Now()}) })
		}, "Machine.cluster.x-k8s.io shop/web-1-x: it is being deleted"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			_, err := run(t.Context(), at(w.options(), row.phase, func() { row.change(w) }))
			w.mustFail(err, row.want)
			if w.find(w.from, "Cluster shop/a") == nil || w.find(w.from, "Box shop/one") == nil {
				t.Error("an original is gone")
			}
			_, err = rollBack(t.Context(), w.options())
			if w.isLastCopy(err) && w.find(w.from, "Machine shop/web-1-x").GetDeletionTimestamp() != nil {
				return // the original is about to go
			}
			if err != nil {
				t.Fatal(err)
			}
			w.watcher.checkRolledBack()
		})
	}
}

// A copy that is gone when the deletion goes on stops it. What is left in the source stays.
func TestLostCopies(t *testing.T) {
	inBubble(t, "nothing more is deleted", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		repair := reject(source, "delete", "web-1")(w, nil)
		_, err := run(t.Context(), w.options())
		w.mustFail(err, "no room for web-1; resume it; objects may have been deleted from the source")
		repair()
		lost := w.find(w.to, "Secret shop/a-ca")
		w.watcher.foreign["Secret shop/a-ca"] = true
		w.to.Delete(lost)
		synctest.Wait() // the garbage collector removes what is deleted
		before := w.names(source)
		_, err = resume(t.Context(), w.options())
		w.mustFail(err, "the target has no copy of Secret shop/a-ca; nothing more is deleted from the source")
		if after := w.names(source); after != before {
			t.Errorf("the source has %s, want %s", after, before)
		}
		w.to.Put(lost)
		if _, err := resume(t.Context(), w.options()); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkMoved(copied...)
	})
}

// editAllTheTime edits an object in the source until ctx ends. The first edit is made before it
// returns, so the move sees a change whatever goroutine runs first.
func (w *world) editAllTheTime(ctx context.Context, writing *sync.WaitGroup) {
	edit := func(n int64) { w.edit(w.from, "Box shop/one", set(n, "spec", "number")) }
	edit(0)
	writing.Go(func() {
		for n := int64(1); sleep.For(ctx, 50*time.Millisecond); n++ {
			edit(n)
		}
	})
}

// A controller that does not stop although it is paused stops the move, with its name.
func TestSourceChangesAllTheTime(t *testing.T) {
	inBubble(t, "it names the object", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		ctx, stop := context.WithCancel(t.Context())
		var writing sync.WaitGroup
		defer writing.Wait()
		defer stop()
		o := at(w.options(), move.Creating, func() { w.editAllTheTime(ctx, &writing) })
		_, err := run(t.Context(), o)
		w.mustFail(err, "the source still changes although it is paused: Box.infrastructure.cluster.x-k8s.io shop/one")
	})
}

// The deletion goes on although somebody writes an object all the time, and adds its finalizer.
func TestDeletionToleratesWrites(t *testing.T) {
	inBubble(t, "it deletes the object", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		n, deleting := 0, false
		// The webhook runs in the request that adds the mark, and writes right after it.
		w.from.Follow(func(e wiretest.Event) {
			_, marked := e.Object.GetAnnotations()[management.DeleteForMoveAnnotation]
			if deleting && marked && e.Object.GetName() == "one" && e.Object.GetDeletionTimestamp() == nil && n < 5 {
				n++
				w.edit(w.from, "Box shop/one", set(int64(n), "spec", "number"))
				w.expect("Box shop/one")
			}
		})
		w.mustRun(at(w.options(), move.Deleting, func() { deleting = true }))
		if n == 0 {
			t.Error("nothing was written")
		}
		if have := field(w.find(w.to, "Box shop/one"), "spec", "number"); have == "" {
			t.Error("the copy does not have the late change")
		}
	})
}
