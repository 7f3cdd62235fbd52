package matrix

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/cluster"
	"kstatus.dev/test/manifest"
	"kstatus.dev/test/witness"
)

// A controller is a minimal controller: it writes the status of the one Widget of its group
// when the test calls it.
type controller struct {
	t       *testing.T
	cluster *cluster.Cluster
	widget  observe.Target
	widgets dynamic.ResourceInterface
}

// controllerOf defines Widgets with this schema of the status, and returns their controller.
func controllerOf(t *testing.T, state string) controller {
	t.Helper()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	c.Apply(t, ns, defined(group, state))
	t.Cleanup(func() { c.Delete(t, ns, defined(group, state)) })
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	widgets := client.Resource(schema.GroupVersionResource{Group: group, Version: "v1", Resource: "widgets"}).Namespace(ns)
	return controller{t, c, manifest.Target(group, "Widget", ns, "w"), widgets}
}

// applyWidget creates or changes the Widget: each size is another generation.
func (c controller) applyWidget(size string) {
	c.t.Helper()
	c.cluster.Apply(c.t, c.widget.Namespace, widget(c.widget.Kind.Group, size))
}

// watchWidget starts an engine that watches the Widget.
func (c controller) watchWidget(terms observe.Requirements, check func(observe.Update)) *engine {
	c.t.Helper()
	config, _ := newServerConn(c.cluster.Config())
	return run(c.t, watcher(&source.Cluster{Config: config}, terms), check, c.widget)
}

// writeStatus replaces the status.
func (c controller) writeStatus(state string) {
	c.t.Helper()
	patch := fmt.Sprintf(`[{"op":"add","path":"/status","value":%s}]`, state)
	if _, err := c.widgets.Patch(context.WithoutCancel(c.t.Context()), "w", types.JSONPatchType, []byte(patch), metav1.PatchOptions{}, "status"); err != nil {
		c.t.Error(err)
	}
}

// ready returns a status with a condition Ready about a generation.
func ready(is string, generation int) string {
	return fmt.Sprintf(`{"observedGeneration":%d,"conditions":[{"type":"Ready","status":%q,"observedGeneration":%d,"reason":"R","message":"m"}]}`, generation, is, generation)
}

// onlyReady returns such a status with observedGeneration only in the condition.
func onlyReady(is string, generation int) string {
	return fmt.Sprintf(`{"conditions":[{"type":"Ready","status":%q,"observedGeneration":%d,"reason":"R","message":"m"}]}`, is, generation)
}

// A wait lasts until a slow controller reports, at first and after a change. An object without
// a status, or with that of an earlier generation, is not Current.
func TestControllerThatIsLate(t *testing.T) {
	rows := []struct {
		it, schema string
		state      func(is string, generation int) string
	}{
		{"tells which generation it has observed", manifest.Promises, ready},
		{"tells so in its conditions only", manifest.Conditional, onlyReady},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ctl := controllerOf(t, row.schema)
			w := ctl.widget
			var written atomic.Int64 // the generation for which the controller has reported Ready
			e := ctl.watchWidget(observe.Requirements{}, func(u observe.Update) {
				if u.Result.Status == status.CurrentStatus && u.Version.Generation > written.Load() {
					t.Errorf("it %s: told %s too early", row.it, witness.FormatUpdate(u))
				}
			})
			ctl.applyWidget("1")
			e.waitForStatus(w, status.InProgressStatus)
			time.Sleep(3 * time.Second)
			ctl.writeStatus(row.state("False", 1))
			e.waitUntil("the controller is heard", func(board map[observe.Target]observe.Update) bool {
				return board[w].Result.Reason == "SummaryConditionNotTrue"
			})
			written.Store(1)
			ctl.writeStatus(row.state("True", 1))
			e.waitForStatus(w, status.CurrentStatus)

			ctl.applyWidget("2")
			e.waitUntil("the change is seen", func(board map[observe.Target]observe.Update) bool {
				return board[w].Version.Generation == 2 && board[w].Result.Status == status.InProgressStatus
			})
			time.Sleep(3 * time.Second)
			written.Store(2)
			ctl.writeStatus(row.state("True", 2))
			e.waitForStatus(w, status.CurrentStatus)
		})
	}
}

// A controller that never reports gets the time of the requirements. Then the object is assumed
// to be Current.
func TestControllerThatNeverWrites(t *testing.T) {
	t.Parallel()
	ctl := controllerOf(t, manifest.Promises)
	w := ctl.widget
	ctl.applyWidget("1")
	const first = 3 * time.Second
	patient := ctl.watchWidget(observe.Requirements{}, nil)
	began := time.Now()
	e := ctl.watchWidget(observe.Requirements{FirstStatus: first}, func(u observe.Update) {
		if took := time.Since(began); u.Result.Status == status.CurrentStatus && took < first {
			t.Errorf("told %s after %s", witness.FormatUpdate(u), took)
		}
	})
	e.waitForStatus(w, status.InProgressStatus, "NotObserved")
	if u := e.waitForStatus(w, status.CurrentStatus); u.Result.Confidence != status.ConfidenceAssumed || len(u.Result.Warnings) == 0 || u.Progress != observe.ProgressReached {
		t.Errorf("told %s, with confidence %s and warnings %q", witness.FormatUpdate(u), u.Result.Confidence, u.Result.Warnings)
	}
	patient.waitForStatus(w, status.InProgressStatus, "NotObserved")
}

// A controller may write conditions without observedGeneration although its schema declares
// that field. Such conditions alone are not sufficient; after the time for a first status, the
// verdict names the missing field.
func TestControllerThatNeverAdvancesItsGeneration(t *testing.T) {
	t.Parallel()
	ctl := controllerOf(t, manifest.Promises)
	w := ctl.widget
	ctl.applyWidget("1")
	ctl.writeStatus(`{"conditions":[{"type":"Ready","status":"True","reason":"R","message":"m"}]}`)
	e := ctl.watchWidget(observe.Requirements{FirstStatus: 2 * time.Second}, func(u observe.Update) {
		if u.Result.Status == status.CurrentStatus && u.Result.Confidence == status.ConfidenceExplicit {
			t.Errorf("told %s, as if there were no doubt", witness.FormatUpdate(u))
		}
	})
	e.waitUntil("it is told what is missing", func(board map[observe.Target]observe.Update) bool {
		return board[w].Result.Reason == "ObservedGenerationNeverAdvanced"
	})

	// A controller that lags behind after a change is waited for.
	ctl.writeStatus(ready("True", 1))
	e.waitForStatus(w, status.CurrentStatus)
	ctl.applyWidget("2")
	e.waitUntil("the change is seen", func(board map[observe.Target]observe.Update) bool { return board[w].Version.Generation == 2 })
	time.Sleep(4 * time.Second)
	if u := e.waitForStatus(w, status.InProgressStatus); u.Progress == observe.ProgressReached {
		t.Errorf("told %s", witness.FormatUpdate(u))
	}
}

// An object that flaps reaches the goal only after a stable period of the required length, or
// at once with a latch.
func TestControllerThatFlaps(t *testing.T) {
	t.Parallel()
	ctl := controllerOf(t, manifest.Promises)
	w := ctl.widget
	ctl.applyWidget("1")
	const still = 10 * time.Second
	var flapping atomic.Bool
	flapping.Store(true)
	settled := ctl.watchWidget(observe.Requirements{Settle: still}, func(u observe.Update) {
		if u.Progress == observe.ProgressReached && flapping.Load() {
			t.Errorf("told %s while it flaps", witness.FormatUpdate(u))
		}
	})
	latched := ctl.watchWidget(observe.Requirements{Latch: true}, nil)
	ctl.writeStatus(ready("True", 1))
	latched.waitForProgress(observe.ProgressReached, w)
	_, from := latched.since(0)
	for range 4 {
		ctl.writeStatus(ready("False", 1))
		settled.waitForStatus(w, status.InProgressStatus)
		ctl.writeStatus(ready("True", 1))
		settled.waitForStatus(w, status.CurrentStatus)
		time.Sleep(still / 20)
	}
	flapping.Store(false)
	settled.waitForProgress(observe.ProgressReached, w)
	updates, _ := latched.since(from)
	for _, u := range updates {
		if u.Progress != observe.ProgressReached {
			t.Errorf("it had met the goal: told %s", witness.FormatUpdate(u))
		}
	}
}
