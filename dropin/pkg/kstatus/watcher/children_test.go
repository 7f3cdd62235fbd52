package watcher_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

// The children of all workloads of a namespace come from one request per kind, and their changes from
// none. Only the mode right judges a Deployment by its Pods.
func TestChildren(t *testing.T) {
	for _, row := range []struct {
		mode          dropin.Mode
		broken, again []string // after the Pod has crashed, and is deleted
	}{
		{mode: dropin.Compat, broken: []string{"b InProgress: Available: 0/1"}},
		{
			mode:   dropin.Right,
			broken: []string{"b InProgress: [NotAvailable] 0/1 available", "b Failed: [CrashLoop] 0/1 available: Pod b-1-x: CrashLoopBackOff: container c exits repeatedly (5 restarts)"},
			again:  []string{"b InProgress: [NotAvailable] 0/1 available"},
		},
	} {
		t.Run(row.mode.String(), func(t *testing.T) {
			inBubble(t, func(w *wire) {
				w.Apply(clustertest.Web("a", 1, clustertest.Running)...)
				w.Apply(clustertest.Web("b", 1, clustertest.Running)...)
				r := w.watch(row.mode, nil, clustertest.Deployment("a", 1), clustertest.Deployment("b", 1))
				r.Expect("a Current", "b Current", "Sync")
				bubble.Sleep(time.Second)
				r.ExpectGenerated("a", "a-1 Current (a-1-x Current)")
				r.ExpectGenerated("b", "b-1 Current (b-1-x Current)")
				w.ExpectSent("watch deployments in default", "watch pods in default with app in (a,b)", "watch replicasets in default with app in (a,b)")
				w.Apply(clustertest.Deployment("b", 0))
				synctest.Wait()
				w.Apply(clustertest.ReplicaSet("b", 0), clustertest.Pod("ReplicaSet", "b-1", "b", clustertest.Crashing))
				bubble.Sleep(time.Second)
				r.Expect(row.broken...)
				w.Remove(clustertest.Pod("ReplicaSet", "b-1", "b", clustertest.Crashing))
				bubble.Sleep(time.Second)
				r.Expect(row.again...)
				w.ExpectSent()
			})
		})
	}
}

// A workload that begins during the watch has its children too, from a wider stream. It waits for that
// stream, and needs no other request.
func TestLaterWorkloads(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.Web("a", 1, clustertest.Running)...)
		r := w.watch(mode, nil, clustertest.Deployment("a", 1), clustertest.Deployment("b", 1), clustertest.Deployment("c", 1))
		r.Within(time.Second, "Sync")
		w.Sent()
		for _, row := range []struct{ name, selector string }{{"b", "app in (a,b)"}, {"c", "app in (a,b,c)"}} {
			w.Apply(clustertest.Web(row.name, 1, clustertest.Running)...)
			bubble.Sleep(2 * time.Second)
			r.Expect(row.name + " Current")
			r.ExpectGenerated(row.name, row.name+"-1 Current ("+row.name+"-1-x Current)")
			w.ExpectSent("watch pods in default with "+row.selector, "watch replicasets in default with "+row.selector)
		}
	})
}

// A status does not wait longer than five seconds for the wider stream. Then the children are listed,
// until that stream is complete.
func TestLaterWorkloadOfASlowServer(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.StatefulSet("a", 1), clustertest.Pod("StatefulSet", "a", "a", clustertest.Running))
		r := w.watch(mode, nil, clustertest.StatefulSet("a", 0), clustertest.StatefulSet("b", 0))
		r.Within(time.Second, "Sync")
		w.Sent()
		w.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}, Resource: "pods"}, Times: 1, Reply: wiretest.Reply{Delay: 12 * time.Second}})
		w.Apply(clustertest.Pod("StatefulSet", "b", "b", clustertest.Crashing), clustertest.StatefulSet("b", 0))
		if took := r.Within(time.Minute, "b Failed"); took < 4*time.Second || took > 6*time.Second {
			t.Errorf("the status comes after %s, want five seconds", took)
		}
		w.ExpectSent("watch pods in default with app in (a,b)", "list pods in default with app=b")
		w.Apply(clustertest.Pod("StatefulSet", "b", "b", clustertest.Running), clustertest.StatefulSet("b", 1))
		r.Expect("b Current")
		r.ExpectGenerated("b", "b-x Current")
		w.ExpectSent("list pods in default with app=b")
		bubble.Sleep(10 * time.Second)
		w.Apply(clustertest.StatefulSet("b", 1))
		r.Expect("b Current")
		w.ExpectSent()
	})
}

// A StatefulSet fails with its Pod, although the API server sends no event of the set. When the set is
// deleted, its Pods change nothing.
func TestFailedPods(t *testing.T) {
	for _, row := range []struct {
		mode         dropin.Mode
		first, fails string
	}{
		{dropin.Compat, "db InProgress: Ready: 0/1", "db Failed: 1 pods have failed"},
		{dropin.Right, "db InProgress: [NotStarted] 0/1 ready: Pod db-x: it is not scheduled yet", "db Failed: [CrashLoop] 0/1 ready: Pod db-x: CrashLoopBackOff"},
	} {
		t.Run(row.mode.String(), func(t *testing.T) {
			inBubble(t, func(w *wire) {
				w.Apply(clustertest.StatefulSet("db", 0), clustertest.Pod("StatefulSet", "db", "db", clustertest.Pending))
				r := w.watch(row.mode, nil, clustertest.StatefulSet("db", 0))
				r.Expect(row.first, "Sync")
				bubble.Sleep(time.Second)
				w.Apply(clustertest.Pod("StatefulSet", "db", "db", clustertest.Crashing))
				bubble.Sleep(time.Second)
				r.Expect(row.fails)
				w.Remove(clustertest.StatefulSet("db", 0))
				bubble.Sleep(time.Second)
				r.Expect("db NotFound")
				w.Apply(clustertest.Pod("StatefulSet", "db", "db", clustertest.Running))
				bubble.Sleep(time.Second)
				r.Expect()
			})
		})
	}
}

// A Pod whose labels change is the child of another workload.
func TestPodChangesItsWorkload(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.StatefulSet("a", 0), clustertest.StatefulSet("b", 0), clustertest.Pod("StatefulSet", "a", "a", clustertest.Crashing))
		r := w.watch(mode, nil, clustertest.StatefulSet("a", 0), clustertest.StatefulSet("b", 0))
		r.Expect("a Failed", "b InProgress", "Sync")
		bubble.Sleep(time.Second) // all are judged again when the first list of Pods is complete
		stolen := strings.Replace(clustertest.Pod("StatefulSet", "b", "b", clustertest.Crashing), "name: b-x", "name: a-x", 1)
		w.Apply(stolen)
		bubble.Sleep(time.Second)
		r.ExpectAnyOrder("a InProgress", "b Failed")
		r.ExpectGenerated("a", "")
		r.ExpectGenerated("b", "a-x Failed")
		w.Apply(strings.Replace(stolen, "labels: {app: b}", "labels: {}", 1))
		bubble.Sleep(time.Second)
		r.Expect("b InProgress")
	})
}

// Where Pods may not be watched, each status lists them. Where they may not be listed, the mode right
// judges without them, and the other one sends the error.
func TestForbiddenChildren(t *testing.T) {
	for _, row := range []struct {
		mode             dropin.Mode
		failed, unlisted string
	}{
		{dropin.Compat, "db Failed: 1 pods have failed", "db Unknown:list pods in default with app=db: forbidden"},
		{dropin.Right, "db Failed: [CrashLoop]", "db InProgress: [NotAvailable] 0/1 ready"},
	} {
		t.Run(row.mode.String(), func(t *testing.T) {
			inBubble(t, func(w *wire) {
				w.Apply(clustertest.StatefulSet("db", 0), clustertest.Pod("StatefulSet", "db", "db", clustertest.Crashing))
				w.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}, Resource: "pods"}, Reply: wiretest.Forbidden})
				r := w.watch(row.mode, nil, clustertest.StatefulSet("db", 0))
				r.Expect(row.failed, "Sync")
				w.Sent()
				w.Apply(clustertest.StatefulSet("db", 0))
				r.Expect(row.failed)
				w.ExpectSent("list pods in default with app=db")
				w.On(wiretest.Rule{Match: wiretest.Match{Resource: "pods"}, Reply: wiretest.Forbidden})
				w.Apply(clustertest.StatefulSet("db", 0))
				r.Expect(row.unlisted)
				w.On(wiretest.Rule{Match: wiretest.Match{Resource: "pods"}, Times: 1, Reply: unavailable})
				w.Apply(clustertest.StatefulSet("db", 0))
				r.Expect("db Unknown:list pods in default with app=db: service unavailable")
				if took := r.Within(time.Minute, row.unlisted); took > 6*time.Second {
					t.Errorf("the status follows a failed read after %s, want five seconds", took)
				}
			})
		})
	}
}

// Pods that cannot be read for a while delay no status. They are listed until the stream is complete.
func TestChildrenOfAFailingServer(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.StatefulSet("db", 0), clustertest.Pod("StatefulSet", "db", "db", clustertest.Crashing))
		remove := w.On(wiretest.Rule{Match: wiretest.Match{Resource: "pods"}, Reply: unavailable})
		r := w.watch(mode, nil, clustertest.StatefulSet("db", 0))
		r.Expect("db Unknown:", "Sync")
		remove()
		if took := r.Within(time.Minute, "db Failed"); took > 6*time.Second {
			t.Errorf("the status follows a failed read after %s, want five seconds", took)
		}
		r.Expect()
		w.Sent()
		w.Apply(clustertest.Pod("StatefulSet", "db", "db", clustertest.Running))
		r.Within(time.Second, "db InProgress")
		w.ExpectSent()
	})
}

// The children of workloads in many namespaces come from one request for all of them.
func TestChildrenInManyNamespaces(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		var sets, want []string
		for i := range 9 {
			in := strings.NewReplacer("namespace: default", fmt.Sprint("namespace: n", i))
			sets, want = append(sets, in.Replace(clustertest.StatefulSet("db", 1))), append(want, "db Current")
			w.Apply(sets[i], in.Replace(clustertest.Pod("StatefulSet", "db", "db", clustertest.Running)))
		}
		r := w.watch(mode, nil, sets...)
		r.Expect(append(want, "Sync")...)
		r.ExpectGenerated("db", "db-x Current")
		w.ExpectSent("watch statefulsets", "watch pods with app=db")
	})
}

// A selector without a label that all children have reads all Pods, and selects the children itself.
func TestSelectors(t *testing.T) {
	for _, row := range []struct {
		it, first, second string // selectors
		request           string
	}{
		{it: "has the same pair", first: "matchLabels: {app: a}", second: "matchLabels: {app: a}", request: "watch pods in default with app=a"},
		{it: "has one value of a set", first: "matchExpressions: [{key: app, operator: In, values: [a]}]", second: "matchLabels: {app: b}", request: "watch pods in default with app in (a,b)"},
		{it: "has other keys", first: "matchLabels: {app: a}", second: "matchLabels: {name: b}", request: "watch pods in default"},
		{it: "has the pair with the most values", first: "matchLabels: {app: a, part: x}", second: "matchLabels: {app: b, part: x}", request: "watch pods in default with app in (a,b)"},
		{it: "has no pair", first: "matchExpressions: [{key: app, operator: Exists}]", second: "matchLabels: {app: b}", request: "watch pods in default"},
		{it: "is too long for a request", first: "matchLabels: {app: a}", second: "matchExpressions: [{key: app, operator: In, values: [b]}, {key: x, operator: NotIn, values: [" + strings.Repeat("'', ", 700) + "]}]", request: "watch pods in default with app in (a,b)"},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(w *wire) {
				a := strings.Replace(clustertest.StatefulSet("a", 0), "matchLabels: {app: a}", row.first, 1)
				b := strings.Replace(clustertest.StatefulSet("b", 0), "matchLabels: {app: b}", row.second, 1)
				w.Apply(a, b, strings.Replace(clustertest.Pod("StatefulSet", "a", "a", clustertest.Running), "{app: a}", "{app: a, part: x}", 1),
					strings.Replace(clustertest.Pod("StatefulSet", "b", "b", clustertest.Running), "{app: b}", "{name: b, part: x}", 1))
				r := w.watch(dropin.Compat, nil, a, b)
				r.Expect("a InProgress", "b InProgress", "Sync")
				r.ExpectGenerated("a", "a-x Current")
				w.ExpectSent("watch statefulsets in default", row.request)
			})
		})
	}
}

// A workload whose selector is not valid, or that has none, is Unknown, and has no children.
func TestInvalidSelectors(t *testing.T) {
	for _, selector := range []string{"selector: text", "selector: {matchLabels: text}", "selector: {matchExpressions: [{key: app, operator: Above}]}", "noSelector: {}"} {
		t.Run(selector, func(t *testing.T) {
			inBubble(t, func(w *wire) {
				db := strings.Replace(clustertest.StatefulSet("db", 1), "selector: {matchLabels: {app: db}}", selector, 1)
				w.Apply(db)
				r := w.watch(dropin.Compat, nil, db)
				r.Expect("db Unknown:", "Sync")
				w.ExpectSent("watch statefulsets in default named db")
				w.Apply(clustertest.StatefulSet("db", 1))
				r.Expect("db Current")
				w.Apply(db)
				r.Expect("db Unknown:")
			})
		})
	}
}

// Lean events have the statuses of children without their objects.
func TestLeanChildren(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.Web("a", 1, clustertest.Running)...)
		r := w.watch(mode, func(d *watcher.DefaultStatusWatcher) { d.Lean = true }, clustertest.Deployment("a", 1))
		r.Expect("a Current", "Sync")
		r.ExpectGenerated("a", "a-1 Current (a-1-x Current)")
		rs := r.Last("a").Resource
		if rs.Resource == nil || rs.GeneratedResources[0].Resource != nil || rs.GeneratedResources[0].GeneratedResources[0].Resource != nil {
			t.Errorf("have %v, want the object of the Deployment only", rs)
		}
	})
}
