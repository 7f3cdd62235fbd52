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
)

// A controller is the least that one can be: it writes the status of the one Widget of its
// group, when the test says so.
type controller struct {
	t       *testing.T
	widgets dynamic.ResourceInterface
}

func controllerOf(t *testing.T, c *cluster.Cluster, group, namespace string) controller {
	t.Helper()
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return controller{t, client.Resource(schema.GroupVersionResource{Group: group, Version: "v1", Resource: "widgets"}).Namespace(namespace)}
}

// writes replaces the status.
func (c controller) writes(state string) {
	c.t.Helper()
	patch := fmt.Sprintf(`[{"op":"add","path":"/status","value":%s}]`, state)
	if _, err := c.widgets.Patch(context.WithoutCancel(c.t.Context()), "w", types.JSONPatchType, []byte(patch), metav1.PatchOptions{}, "status"); err != nil {
		c.t.Error(err)
	}
}

// ready is a status with a condition Ready that speaks of a generation.
func ready(is string, generation int) string {
	return fmt.Sprintf(`{"observedGeneration":%d,"conditions":[{"type":"Ready","status":%q,"observedGeneration":%d,"reason":"R","message":"m"}]}`, generation, is, generation)
}

// onlyReady is one where only the condition tells of which generation it speaks.
func onlyReady(is string, generation int) string {
	return fmt.Sprintf(`{"conditions":[{"type":"Ready","status":%q,"observedGeneration":%d,"reason":"R","message":"m"}]}`, is, generation)
}

// A controller that is late, at first and after a change, is waited for: what has no status
// yet, or that of an earlier generation, is not current.
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
			c := live.Cluster(t)
			ns := c.Namespace(t)
			group := ns + ".example.com"
			c.Apply(t, ns, defined(group, row.schema))
			ctl, w := controllerOf(t, c, group, ns), manifest.Target(group, "Widget", ns, "w")
			var written atomic.Int64 // the generation on which the controller has written that all is well
			config, _ := over(c.Config())
			e := run(t, watcher(&source.Cluster{Config: config}, observe.Terms{}), func(u observe.Update) {
				if u.Result.Status == status.CurrentStatus && u.Version.Generation > written.Load() {
					t.Errorf("it %s: told %s too early", row.it, say(u))
				}
			}, w)
			c.Apply(t, ns, widget(group, "1"))
			e.stands(w, status.InProgressStatus)
			time.Sleep(3 * time.Second)
			ctl.writes(row.state("False", 1))
			e.until("the controller is heard", func(board map[observe.Target]observe.Update) bool {
				return board[w].Result.Reason == "SummaryConditionNotTrue"
			})
			written.Store(1)
			ctl.writes(row.state("True", 1))
			e.stands(w, status.CurrentStatus)

			c.Apply(t, ns, widget(group, "2"))
			e.until("the change is seen", func(board map[observe.Target]observe.Update) bool {
				return board[w].Version.Generation == 2 && board[w].Result.Status == status.InProgressStatus
			})
			time.Sleep(3 * time.Second)
			written.Store(2)
			ctl.writes(row.state("True", 2))
			e.stands(w, status.CurrentStatus)
			c.Delete(t, ns, defined(group, row.schema))
		})
	}
}

// A controller that never writes anything is given the time that the terms name; then
// the object is taken for current, which is called an assumption.
func TestControllerThatNeverWrites(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	c.Apply(t, ns, defined(group, manifest.Promises)+"---\n"+widget(group, "1"))
	w := manifest.Target(group, "Widget", ns, "w")
	config, _ := over(c.Config())
	const first = 3 * time.Second
	patient := run(t, watcher(&source.Cluster{Config: config}, observe.Terms{}), nil, w)
	began := time.Now()
	e := run(t, watcher(&source.Cluster{Config: config}, observe.Terms{FirstStatus: first}), func(u observe.Update) {
		if took := time.Since(began); u.Result.Status == status.CurrentStatus && took < first {
			t.Errorf("told %s after %s", say(u), took)
		}
	}, w)
	e.stands(w, status.InProgressStatus, "NotObserved")
	if u := e.stands(w, status.CurrentStatus); u.Result.Confidence != status.Assumed || len(u.Result.Warnings) == 0 || u.Standing != observe.Met {
		t.Errorf("told %s, with confidence %s and warnings %q", say(u), u.Result.Confidence, u.Result.Warnings)
	}
	patient.stands(w, status.InProgressStatus, "NotObserved")
	c.Delete(t, ns, defined(group, manifest.Promises))
}

// A controller that writes conditions but never says which generation it has observed,
// though its schema declares that, is not believed by itself; after the time for a first
// status the verdict names what is missing.
func TestControllerThatNeverAdvancesItsGeneration(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	c.Apply(t, ns, defined(group, manifest.Promises)+"---\n"+widget(group, "1"))
	ctl, w := controllerOf(t, c, group, ns), manifest.Target(group, "Widget", ns, "w")
	ctl.writes(`{"conditions":[{"type":"Ready","status":"True","reason":"R","message":"m"}]}`)
	config, _ := over(c.Config())
	e := run(t, watcher(&source.Cluster{Config: config}, observe.Terms{FirstStatus: 2 * time.Second}), func(u observe.Update) {
		if u.Result.Status == status.CurrentStatus && u.Result.Confidence == status.Explicit {
			t.Errorf("told %s, as if there were no doubt", say(u))
		}
	}, w)
	e.until("it is told what is missing", func(board map[observe.Target]observe.Update) bool {
		return board[w].Result.Reason == "ObservedGenerationNeverAdvanced"
	})

	// One that stays behind after a change is waited for.
	ctl.writes(ready("True", 1))
	e.stands(w, status.CurrentStatus)
	c.Apply(t, ns, widget(group, "2"))
	e.until("the change is seen", func(board map[observe.Target]observe.Update) bool { return board[w].Version.Generation == 2 })
	time.Sleep(4 * time.Second)
	if u := e.stands(w, status.InProgressStatus); u.Standing == observe.Met {
		t.Errorf("told %s", say(u))
	}
	c.Delete(t, ns, defined(group, manifest.Promises))
}

// An object that flaps meets the goal only once it has been still for as long as the terms
// ask, or, where they say so, as soon as it has met it once.
func TestControllerThatFlaps(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	c.Apply(t, ns, defined(group, manifest.Promises)+"---\n"+widget(group, "1"))
	ctl, w := controllerOf(t, c, group, ns), manifest.Target(group, "Widget", ns, "w")
	config, _ := over(c.Config())
	const still = 10 * time.Second
	var flapping atomic.Bool
	flapping.Store(true)
	settled := run(t, watcher(&source.Cluster{Config: config}, observe.Terms{Settle: still}), func(u observe.Update) {
		if u.Standing == observe.Met && flapping.Load() {
			t.Errorf("told %s while it flaps", say(u))
		}
	}, w)
	latched := run(t, watcher(&source.Cluster{Config: config}, observe.Terms{Latch: true}), nil, w)
	ctl.writes(ready("True", 1))
	latched.until("it has met the goal once", func(board map[observe.Target]observe.Update) bool { return board[w].Standing == observe.Met })
	_, from := latched.since(0)
	for range 4 {
		ctl.writes(ready("False", 1))
		settled.stands(w, status.InProgressStatus)
		ctl.writes(ready("True", 1))
		settled.stands(w, status.CurrentStatus)
		time.Sleep(still / 20)
	}
	flapping.Store(false)
	settled.until("it has met the goal for long enough", func(board map[observe.Target]observe.Update) bool { return board[w].Standing == observe.Met })
	told, _ := latched.since(from)
	for _, u := range told {
		if u.Standing != observe.Met {
			t.Errorf("it had met the goal: told %s", say(u))
		}
	}
	c.Delete(t, ns, defined(group, manifest.Promises))
}
