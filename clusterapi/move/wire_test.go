package move_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// A Cluster with its machines is moved. It is never lost, active on both sides, or deleted without
// its marks: see [watcher].
func TestMove(t *testing.T) {
	inBubble(t, "it moves a fleet", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		r := w.mustRun(w.options())
		if r.Phase != move.Done || r.Moved != 13 || r.Copied != 1 || r.Kept != 1 || r.Requests < 100 || !r.Ended.After(r.Began) {
			t.Errorf("have the result %+v", r)
		}
		for _, i := range r.Plan.Items {
			if i.Decision == "" || i.Reason == "" {
				t.Errorf("the plan has no reason for %s", i.Key())
			}
		}
		w.watcher.checkMoved(copied...)
		if r, err := resume(t.Context(), w.options()); err != nil || r.Phase != move.Done {
			t.Errorf("resumed after the end, the move has the result %+v: %v", r, err)
		}
		_, err := rollBack(t.Context(), w.options())
		w.mustFail(err, "has begun to delete objects from the source, so it cannot be rolled back; resume it, then move back")
	})
	inBubble(t, "it moves a fleet there and back", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet, "")
		w.mustRun(w.options())
		w.from.Delete(w.find(w.from, "Secret shop/password"))
		back := &world{T: t, from: w.to, to: w.from, journal: w.journal + ".back"}
		back.watcher = newWatcher(back)
		back.mustRun(with(back.options(), func(o *move.Options) { o.Accept = []string{"not-ready"} })) // the status was not copied
		back.watcher.checkMoved(copied...)
	})
}

// The field managers of originals are those of the copies.
func TestManagersAreCopied(t *testing.T) {
	inBubble(t, "it has the manager of the spec", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		w.change("MachineSet shop/web-1", set(int64(3), "spec", "replicas"))
		w.mustRun(w.options())
		isStranger := func(e metav1.ManagedFieldsEntry) bool { return e.Manager == "stranger" && e.Subresource == "" }
		if have := w.find(w.to, "MachineSet shop/web-1").GetManagedFields(); !slices.ContainsFunc(have, isStranger) {
			t.Errorf("the copy has the managed fields %v", have)
		}
	})
}

// Requests are concurrent, and their number is bounded.
func TestRequestsAreConcurrent(t *testing.T) {
	inBubble(t, "it creates some at the same time", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet, "")
		for i := range 30 {
			w.put(w.from, "Secret shop/many-"+string(rune('a'+i%26))+string(rune('a'+i/26))+" < Cluster shop/a")
		}
		w.watcher = newWatcher(w)
		// Each creation of a Secret takes a second. So those at the same time have the same second.
		w.to.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"create"}, Resource: "secrets"}, Reply: wiretest.Reply{Delay: time.Second}})
		var mu sync.Mutex
		at := map[time.Time]int{}
		w.to.Admit(func(r wiretest.Request, u *unstructured.Unstructured) error {
			mu.Lock()
			defer mu.Unlock()
			if r.Verb == "create" && u.GetKind() == "Secret" {
				at[time.Now()]++
			}
			return nil
		})
		w.mustRun(with(w.options(), func(o *move.Options) { o.Concurrency = 8 }))
		most := 0
		for _, n := range at {
			most = max(most, n)
		}
		if most != 8 {
			t.Errorf("at most %d requests were made at the same time, want 8", most)
		}
		w.watcher.checkMoved(copied...)
	})
}
