package matrix

import (
	"context"
	"fmt"
	"strings"
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
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/witness"
)

// A controller is a minimal controller: it writes the status of the one Widget of its group
// when the test calls it.
type controller struct {
	t       *testing.T
	cluster *cluster.Cluster
	widget  observe.Target
	marker  observe.Target // another Widget, which has no controller
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
	return controller{t, c, manifest.Target(group, "Widget", ns, "w"), manifest.Target(group, "Widget", ns, "marker"), widgets}
}

// applyWidget creates or changes the Widget: each size is another generation.
func (c controller) applyWidget(size string) {
	c.t.Helper()
	c.cluster.Apply(c.t, c.widget.Namespace, widget(c.widget.Kind.Group, size))
}

// passMarker changes the marker, and waits until the engine reports it. Then the engine has also
// reported all that follows from earlier changes of the Widget.
func (c controller) passMarker(e *engine, size string) {
	c.t.Helper()
	text := strings.Replace(widget(c.widget.Kind.Group, size), "name: w}", "name: marker}", 1)
	c.cluster.Apply(c.t, c.widget.Namespace, text)
	o, err := c.widgets.Get(c.t.Context(), c.marker.Name, metav1.GetOptions{})
	if err != nil {
		c.t.Fatal(err)
	}
	e.waitUntil("the marker is reported", func(board map[observe.Target]observe.Update) bool {
		return board[c.marker].Version.Generation == o.GetGeneration()
	})
}

// watchWidget starts an engine that watches the Widget and the marker. It checks the updates on
// the Widget.
func (c controller) watchWidget(terms observe.Requirements, check func(observe.Update)) *engine {
	c.t.Helper()
	config, _ := newServerConn(c.cluster.Config())
	return run(c.t, watcher(&source.Cluster{Config: config}, terms), func(u observe.Update) {
		if check != nil && u.Target == c.widget {
			check(u)
		}
	}, c.widget, c.marker)
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
			ctl.passMarker(e, "1")
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
			ctl.passMarker(e, "2")
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
	e.waitForUpdate(w, status.InProgressStatus, "NotObserved")
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
	ctl.passMarker(e, "1")
	e.waitUntil("the time for a first status of a newer Widget has passed", func(board map[observe.Target]observe.Update) bool {
		return strings.Contains(board[ctl.marker].Message(), "still so after 2s")
	})
	if u := e.waitForStatus(w, status.InProgressStatus); u.Progress == observe.ProgressReached {
		t.Errorf("told %s", witness.FormatUpdate(u))
	}
}

// An object that flaps reaches the goal only after a stable period of the required length, or
// at once with a latch. The longer period does not end during the test, however slow it is.
func TestControllerThatFlaps(t *testing.T) {
	t.Parallel()
	ctl := controllerOf(t, manifest.Promises)
	w := ctl.widget
	ctl.applyWidget("1")
	watched := ctl.watchWidget(observe.Requirements{Settle: time.Hour}, func(u observe.Update) {
		if u.Progress == observe.ProgressReached {
			t.Errorf("told %s before it is stable", witness.FormatUpdate(u))
		}
	})
	settled := ctl.watchWidget(observe.Requirements{Settle: time.Second}, nil)
	latched := ctl.watchWidget(observe.Requirements{Latch: true}, nil)
	ctl.writeStatus(ready("True", 1))
	latched.waitForProgress(observe.ProgressReached, w)
	_, from := latched.since(0)
	for range 4 {
		ctl.writeStatus(ready("False", 1))
		watched.waitForStatus(w, status.InProgressStatus)
		ctl.writeStatus(ready("True", 1))
		watched.waitForStatus(w, status.CurrentStatus)
	}
	settled.waitForProgress(observe.ProgressReached, w)
	updates, _ := latched.since(from)
	for _, u := range updates {
		if u.Target == w && u.Progress != observe.ProgressReached {
			t.Errorf("it had met the goal: told %s", witness.FormatUpdate(u))
		}
	}
}
