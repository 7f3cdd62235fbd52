package watcher_test

import (
	"fmt"
	"testing"
	"time"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

// In the mode right custom resources wait for the first report of their controller, for half a minute.
// Their definition is read once, whatever the number of namespaces.
func TestFirstReport(t *testing.T) {
	const unseen = "InProgress: [NotObserved] it shows no report of its controller; it counts as ready anyway after 30s"
	for _, row := range []struct {
		it     string
		mode   dropin.Mode
		config bool // the REST config is known
		reply  wiretest.Reply
		first  string
		reads  int // of the definition
	}{
		{
			it: "is declared", mode: dropin.Right, reads: 1,
			first: "InProgress: [NotObserved] its controller has not reported an observed generation, which the schema of CustomResourceDefinition widgets.example.com declares",
		},
		{it: "is of a kind whose definition may not be read", mode: dropin.Right, reply: wiretest.Forbidden, reads: 1, first: unseen},
		{it: "is read with the config of the caller", mode: dropin.Right, config: true, reads: 1, first: "InProgress: [NotObserved]"},
		{it: "does not count in the mode compat", mode: dropin.Compat, first: "Current: Resource is current"},
		{it: "does not count with the verdicts of compat", mode: dropin.Mode{Verdicts: dropin.VerdictsCompat, Events: dropin.EventsRight}, first: "Current: Resource is current"},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(w *wire) {
				w.On(wiretest.Rule{Match: wiretest.Match{Resource: "customresourcedefinitions"}, Reply: row.reply})
				targets := []string{clustertest.Widget("a", "x", ""), clustertest.Widget("b", "z", "")}
				w.Apply(append(targets, clustertest.Definition)...)
				r := w.watch(row.mode, func(d *watcher.DefaultStatusWatcher) {
					if row.config {
						d.Config = w.REST
					}
				}, targets...)
				r.ExpectAnyOrder("x "+row.first, "z "+row.first, "Sync")
				reads := 0
				for _, sent := range w.Requests() {
					if sent.Resource == "customresourcedefinitions" && !sent.Metadata {
						reads++
					}
				}
				if reads != row.reads {
					t.Errorf("the definition is read %d times, want %d", reads, row.reads)
				}
				w.Apply(clustertest.Widget("a", "x", clustertest.Reported))
				r.Expect("x Current")
				bubble.Sleep(29 * time.Second)
				r.Expect()
				bubble.Sleep(2 * time.Second)
				if row.reads > 0 {
					r.Expect("z Current: its status does not show whether it is ready")
				} else {
					r.Expect()
				}
			})
		})
	}
}

// A server that does not respond delays the read of a definition by ten seconds, and then no more.
func TestDefinitionWithoutResponse(t *testing.T) {
	inBubble(t, func(w *wire) {
		w.On(wiretest.Rule{Match: wiretest.Match{Resource: "customresourcedefinitions"}, Reply: wiretest.Reply{Delay: time.Hour}})
		w.Apply(clustertest.Widget("a", "x", clustertest.Reported), clustertest.ConfigMap("c"))
		r := w.watch(dropin.Right, nil, clustertest.Widget("a", "x", clustertest.Reported), clustertest.ConfigMap("c"))
		r.Expect("c Current")
		if took := r.Within(time.Minute, "x Current"); took < 9*time.Second || took > 21*time.Second {
			t.Errorf("the status comes after %s", took)
		}
		r.Expect("Sync")
	})
}

func TestUnknownMode(t *testing.T) {
	inBubble(t, func(w *wire) {
		r := w.watch(dropin.Mode{Verdicts: "right", Events: dropin.EventsRight}, nil, clustertest.ConfigMap("a"))
		r.Expect(`Error: mode: verdicts "right": want one of`)
	})
}

// Lean events have objects without the fields that no status needs.
func TestLean(t *testing.T) {
	for _, lean := range []bool{false, true} {
		t.Run(fmt.Sprint(lean), func(t *testing.T) {
			inBubble(t, func(w *wire) {
				u := clustertest.Decode(t, clustertest.ConfigMap("a"))
				managed := map[string]any{"manager": "kubectl", "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{}}
				u.Object["metadata"].(map[string]any)["managedFields"] = []any{managed}
				u.SetAnnotations(map[string]string{"kubectl.kubernetes.io/last-applied-configuration": "{}", "other": "kept"})
				w.Put(u)
				r := w.watch(dropin.Compat, func(d *watcher.DefaultStatusWatcher) { d.Lean = lean }, clustertest.ConfigMap("a"))
				r.Expect("a Current", "Sync")
				have := r.Last("a").Resource.Resource
				if without := have.GetManagedFields() == nil && len(have.GetAnnotations()) == 1; without != lean {
					t.Errorf("the event has the metadata %v", have.Object["metadata"])
				}
			})
		})
	}
}

// job returns a Job that has completed or not, and that the TTL controller may delete.
func job(completed bool, ttl, metadata string) string {
	conditions, at := "", ""
	if completed {
		conditions, at = "{type: Complete, status: 'True'}", "completionTime: '2000-01-01T00:00:05Z', succeeded: 1"
	}
	return fmt.Sprintf("{apiVersion: batch/v1, kind: Job, metadata: {namespace: default, name: j, generation: 1%s}, spec: {completions: 1, parallelism: 1%s}, status: {startTime: '2000-01-01T00:00:00Z', conditions: [%s], %s}}",
		metadata, ttl, conditions, at)
}

// A Job that has succeeded and is gone is Current for a caller that waits for that, and if the TTL
// controller has deleted it. A caller that deletes it waits for NotFound.
func TestFinishedThenGone(t *testing.T) {
	const (
		ttl      = ", ttlSecondsAfterFinished: 10"
		early    = ", deletionTimestamp: '2000-01-01T00:00:10Z', finalizers: [foregroundDeletion]"
		late     = ", deletionTimestamp: '2000-01-01T00:00:15Z', finalizers: [foregroundDeletion]"
		notOwned = ", deletionTimestamp: '2000-01-01T00:00:15Z', finalizers: [example.com/other]"
	)
	for _, row := range []struct {
		it       string
		mode     dropin.Mode
		goal     status.Status
		ttl      string
		deletion string // metadata of its last state; empty: it is deleted at once
		unended  bool
		want     string
	}{
		{it: "is the goal", mode: dropin.Right, goal: status.CurrentStatus, want: "j Current"},
		{it: "is not the goal", mode: dropin.Right, want: "j NotFound"},
		{it: "was not completed", mode: dropin.Right, goal: status.CurrentStatus, unended: true, want: "j NotFound"},
		{it: "is deleted by the TTL controller", mode: dropin.Right, ttl: ttl, deletion: late, want: "j Current"},
		{it: "is deleted before its time", mode: dropin.Right, ttl: ttl, deletion: early, want: "j NotFound"},
		{it: "is deleted in another way", mode: dropin.Right, ttl: ttl, deletion: notOwned, want: "j NotFound"},
		{it: "has no time", mode: dropin.Right, deletion: late, want: "j NotFound"},
		{it: "is the goal in the mode compat", mode: dropin.Compat, goal: status.CurrentStatus, want: "j NotFound"},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(w *wire) {
				w.Apply(job(false, row.ttl, ""))
				r := w.watch(row.mode, func(d *watcher.DefaultStatusWatcher) { d.Goal = row.goal }, job(false, row.ttl, ""))
				r.Within(time.Second, "Sync")
				if !row.unended {
					w.Apply(job(true, row.ttl, ""))
					r.Within(time.Second, "j Current")
				}
				if row.deletion != "" {
					w.Apply(job(true, row.ttl, row.deletion))
					r.Within(time.Second, "j Terminating")
				}
				w.Remove(job(true, row.ttl, ""))
				r.Expect(row.want)
			})
		})
	}
}

// A Pod that has succeeded counts like a Job. The message is that of its last status, if it had one.
func TestFinishedPod(t *testing.T) {
	inBubble(t, func(w *wire) {
		w.Apply(pod("p", "{phase: Running}"))
		r := w.watch(dropin.Right, func(d *watcher.DefaultStatusWatcher) {
			d.Goal = status.CurrentStatus
			d.StatusReader = failing{d.StatusReader, nil}
		}, pod("p", "{}"))
		r.Expect("Sync")
		w.Apply(pod("p", "{phase: Succeeded}"))
		w.Remove(pod("p", "{}"))
		r.Expect("p Current: Pod has succeeded and was then deleted")
	})
}
