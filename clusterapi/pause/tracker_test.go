package pause

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/status"
)

var (
	epoch    = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	boxKind  = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "Box"}
	jarKind  = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "BoxTemplate"}
	shop     = management.IDOf(management.Cluster, "ns", "shop")
	boxA     = management.IDOf(boxKind, "ns", "a")
	boxB     = management.IDOf(boxKind, "ns", "b")
	template = management.IDOf(jarKind, "ns", "t")
)

// A bench is a tracker with a clock of its own.
type bench struct {
	*testing.T
	*tracker
	now     time.Time
	version int
	next    time.Time
}

func newBench(t *testing.T, o Options, unpause bool, targets ...status.ID) *bench {
	kind := func(gk schema.GroupKind, status bool) *management.Kind {
		return &management.Kind{GroupVersionKind: gk.WithVersion("v1"), Namespaced: true, HasStatus: status}
	}
	b := &bench{T: t, now: epoch, version: 10}
	b.tracker = newTracker(o.withDefaults(), unpause, targets, []*management.Kind{kind(management.Cluster, true), kind(boxKind, true), kind(jarKind, false)})
	for _, k := range b.kinds {
		k.scopes["ns"] = &scope{connected: true, since: epoch}
	}
	return b
}

// see adds a version of an object. The text has everything except its identity.
func (b *bench) see(id status.ID, text string) {
	b.Helper()
	b.version++
	b.tracker.see(id, b.change(id, text))
}

func (b *bench) change(id status.ID, text string) change {
	b.Helper()
	u := decode(b, text)
	if u.Object == nil {
		u.Object = map[string]any{}
	}
	u.SetGroupVersionKind(schema.GroupKind(id.Kind).WithVersion("v1"))
	u.SetNamespace(id.Namespace)
	u.SetName(id.Name)
	u.SetUID(types.UID("uid-" + id.Name))
	u.SetResourceVersion(fmt.Sprint(b.version))
	if id != shop {
		u.SetLabels(map[string]string{management.ClusterNameLabel: "shop"})
	}
	return change{kind: b.kinds[schema.GroupKind(id.Kind)], facts: facts.Of(u), at: b.now}
}

// write writes a target, as the runner does.
func (b *bench) write(id status.ID, text string) {
	b.Helper()
	p := b.byID[id]
	b.hold(id)
	b.version++
	c := b.change(id, text)
	p.uid, p.before = c.facts.UID, b.objects[id] != nil && b.objects[id].IsPaused
	p.written, p.version, p.at, p.server = true, c.facts.Number, b.now, b.now.Truncate(time.Second)
	b.release(id, &c)
}

func (b *bench) sleep(d time.Duration) { b.now = b.now.Add(d) }

// want checks the state of an object now.
func (b *bench) want(id status.ID, want string) {
	b.Helper()
	b.next = b.evaluate(b.now)
	o := b.objects[id]
	have := "absent"
	if o != nil {
		have = strings.TrimSpace(string(o.State) + " " + string(o.Reason))
		if o.Done != (o.State == Acknowledged || o.State == Unknown && !b.options.Strict) {
			b.Errorf("%s is %s, and done is %t", id, have, o.Done)
		}
	}
	if have != want {
		b.Errorf("after %s, %s is %q, want %q: %s", b.now.Sub(epoch), id, have, want, o.Message)
	}
}

// wantMessage checks a part of the message of an object.
func (b *bench) wantMessage(id status.ID, part string) {
	b.Helper()
	if have := b.objects[id].Message; !strings.Contains(have, part) {
		b.Errorf("%s has the message %q, want %q in it", id, have, part)
	}
}

const (
	runs       = "status: {conditions: [{type: Paused, status: 'False', lastTransitionTime: '2026-01-01T11:00:00Z'}]}"
	oldTrue    = "status: {conditions: [{type: Paused, status: 'True', lastTransitionTime: '2026-01-01T11:00:00Z'}]}"
	paused     = "spec: {paused: true}"
	unpaused   = "spec: {paused: false}"
	blocks     = "metadata: {annotations: {clusterctl.cluster.x-k8s.io/block-move: ''}}"
	byProvider = "{metadata: {managedFields: [{manager: provider, operation: Update, time: '2026-01-01T12:00:0%dZ'}]}, status: {n: %d}}"
)

// begin returns a bench on which the Cluster is paused, beside an object.
func begin(t *testing.T, o Options, id status.ID, text string) *bench {
	t.Helper()
	b := newBench(t, o, false, shop)
	b.see(shop, unpaused)
	b.see(id, text)
	b.want(id, "Busy NotPausedYet")
	b.write(shop, paused)
	return b
}

func TestPausedCondition(t *testing.T) {
	for _, row := range []struct{ it, before, after, want string }{
		{"acknowledges by a change to True", runs, oldTrue, "Acknowledged Paused"},
		{"acknowledges by a first report", "{}", oldTrue, "Acknowledged Paused"},
		{"acknowledges in the list of v1beta2", runs, "status: {v1beta2: {conditions: [{type: Paused, status: 'True'}]}}", "Acknowledged Paused"},
		{"acknowledges for the latest generation", runs, "{metadata: {generation: 3}, status: {conditions: [{type: Paused, status: 'True', observedGeneration: 3}]}}", "Acknowledged Paused"},
		{"is busy for an older generation", runs, "{metadata: {generation: 3}, status: {conditions: [{type: Paused, status: 'True', observedGeneration: 2}]}}", "Busy OldReport"},
		{"is busy while it is False", runs, runs, "Busy NotReported"},
		{"is busy if it was True before", oldTrue, oldTrue, "Busy OldReport"},
		{"acknowledges by a time after the pause", oldTrue, strings.Replace(oldTrue, "T11", "T13", 1), "Acknowledged Paused"},
		{"is busy with a hostile value", runs, "status: {conditions: [{type: Paused, status: 7, lastTransitionTime: []}, 3]}", "Busy NotReported"},
		{"is busy with block-move", runs, "{metadata: {annotations: {clusterctl.cluster.x-k8s.io/block-move: ''}}, " + oldTrue + "}", "Busy BlockMove"},
		{"is busy if the condition vanishes", runs, "{}", "Busy NotReported"},
	} {
		t.Run(row.it, func(t *testing.T) {
			b := begin(t, Options{}, boxA, row.before)
			b.see(boxA, row.after)
			b.want(boxA, row.want)
		})
	}
}

// The controller of a new Cluster may not have looked at it before the pause.
func TestCoreReportsItsFirstPause(t *testing.T) {
	for versions, want := range map[string]string{"v1beta1": "Unknown NoReport", "v1beta1 v1beta2": "Busy NotReported"} {
		t.Run(versions, func(t *testing.T) {
			core := &management.Kind{GroupVersionKind: management.Cluster.WithVersion("v1"), Namespaced: true, HasStatus: true, Versions: strings.Fields(versions)}
			b := newBench(t, Options{Window: time.Second}, false, shop)
			b.tracker = newTracker(b.options, false, []status.ID{shop}, []*management.Kind{core})
			b.kinds[management.Cluster].scopes["ns"] = &scope{connected: true, since: epoch}
			b.see(shop, unpaused)
			b.write(shop, paused)
			b.sleep(time.Minute)
			b.want(shop, want)
			b.see(shop, "{spec: {paused: true}, status: {conditions: [{type: Paused, status: 'True'}]}}")
			b.want(shop, "Acknowledged Paused")
		})
	}
}

// The answer of the API server to the pause may come after the event of a fast controller.
func TestEventBeforeResponse(t *testing.T) {
	b := newBench(t, Options{}, false, shop)
	b.see(shop, unpaused)
	b.see(boxA, runs)
	b.want(boxA, "Busy NotPausedYet")
	p := b.byID[shop]
	b.hold(shop)
	b.version++
	own := b.change(shop, paused)
	b.see(boxA, oldTrue)
	b.want(boxA, "Busy NotPausedYet")
	p.uid, p.written, p.version, p.at = own.facts.UID, true, own.facts.Number, b.now
	b.release(shop, &own)
	b.want(boxA, "Acknowledged Paused")
}

func TestStaleTrueNeedsAWindow(t *testing.T) {
	b := begin(t, Options{Window: 20 * time.Second}, boxA, oldTrue)
	b.want(boxA, "Busy OldReport")
	b.sleep(19 * time.Second)
	b.want(boxA, "Busy OldReport")
	if want := epoch.Add(20 * time.Second); !b.next.Equal(want) {
		t.Errorf("it is judged again at %s, want %s", b.next, want)
	}
	b.sleep(time.Second)
	b.want(boxA, "Acknowledged Quiet")
}

// Only the controllers of objects that should report are woken, once.
func TestWakeInAPause(t *testing.T) {
	b := begin(t, Options{}, boxA, runs)
	b.see(boxB, "status: {conditions: [{type: Paused, status: 'True'}]}")
	b.want(boxA, "Busy NotReported")
	if want := epoch.Add(10 * time.Second); !b.next.Equal(want) || len(b.sleepers(b.now)) > 0 {
		t.Errorf("it is woken at %s, want %s", b.next, want)
	}
	b.sleep(10 * time.Second)
	b.want(boxA, "Busy NotReported")
	all := b.sleepers(b.now)
	if len(all) != 1 || all[0].ID != boxA {
		t.Fatalf("%d objects are woken, want only the one without a report", len(all))
	}
	all[0].wokenAt = b.now
	b.want(boxA, "Busy NotReported")
	b.wantMessage(boxA, "although it was woken by an annotation")
	if len(b.sleepers(b.now)) > 0 {
		t.Error("it is woken again")
	}
	b.see(boxA, blocks)
	b.want(boxA, "Busy BlockMove")
	b.objects[boxA].wokenAt = time.Time{}
	if len(b.sleepers(b.now)) > 0 {
		t.Error("an object whose controller works is woken")
	}
}

// A controller that is only slow is not woken as long as it answers for other objects, but for a
// limited time.
func TestSlowControllersAreNotWoken(t *testing.T) {
	const answer = "status: {conditions: [{type: Paused, status: 'True'}]}"
	b := begin(t, Options{}, boxA, runs)
	other := func(n int) status.ID { return management.IDOf(boxKind, "ns", fmt.Sprint("other-", n)) }
	for n := range 10 {
		b.see(other(n), runs)
	}
	b.want(boxA, "Busy NotReported")
	for n := range 10 {
		b.sleep(8 * time.Second)
		b.see(other(n), answer)
		b.want(boxA, "Busy NotReported")
		isWoken, late := len(b.sleepers(b.now)) > 0, b.now.Sub(epoch) >= time.Minute
		if isWoken != late {
			t.Errorf("after %s, it is woken: %t", b.now.Sub(epoch), isWoken)
		}
	}
	c := begin(t, Options{}, boxA, runs)
	c.see(other(0), runs)
	c.sleep(8 * time.Second)
	c.see(other(0), answer)
	c.want(boxA, "Busy NotReported")
	if have, want := c.wakeAt(c.objects[boxA], c.byID[shop]), epoch.Add(18*time.Second); !have.Equal(want) {
		t.Errorf("it is woken at %s, want %s", have, want)
	}
}

func TestPausedBefore(t *testing.T) {
	b := newBench(t, Options{}, false, shop)
	b.see(shop, paused)
	b.see(boxA, oldTrue)
	b.write(shop, paused)
	b.want(boxA, "Acknowledged PausedBefore")
}

func TestKindWithoutPaused(t *testing.T) {
	b := begin(t, Options{Strict: true}, boxA, "status: {n: 1}")
	b.want(boxA, "Busy NoReport")
	b.sleep(10 * time.Second)
	b.see(boxA, fmt.Sprintf(byProvider, 1, 2))
	b.want(boxA, "Busy Written")
	b.wantMessage(boxA, "provider still writes it")
	b.sleep(14 * time.Second)
	b.want(boxA, "Busy Written")
	b.sleep(time.Second)
	b.want(boxA, "Unknown NoReport")
	b.wantMessage(boxA, "no write for 15s")
	b.see(boxB, runs) // now its kind is known to report
	b.want(boxA, "Busy NotReported")
}

// The window grows with the interval of writes.
func TestWindowFollowsResyncs(t *testing.T) {
	b := begin(t, Options{}, boxA, "status: {n: 1}")
	for i := range 3 {
		b.sleep(40 * time.Second)
		b.see(boxA, fmt.Sprintf(byProvider, i, i))
	}
	b.want(boxA, "Busy Written")
	b.wantMessage(boxA, "1m20s without a write")
	b.sleep(79 * time.Second)
	b.want(boxA, "Busy Written")
	b.sleep(time.Second)
	b.want(boxA, "Unknown NoReport")
}

func TestWritesOfKstatusDoNotCount(t *testing.T) {
	b := begin(t, Options{}, boxA, "status: {n: 1}")
	b.sleep(14 * time.Second)
	b.see(boxA, "{metadata: {managedFields: [{manager: kstatus, operation: Update, time: '2026-01-01T12:00:14Z'}]}, status: {n: 1}}")
	b.sleep(time.Second)
	b.want(boxA, "Unknown NoReport")
}

// A controller that reports Paused=True and keeps writing is named.
func TestWritesAfterTheReport(t *testing.T) {
	b := begin(t, Options{}, boxA, runs)
	b.see(boxA, oldTrue)
	b.want(boxA, "Acknowledged Paused")
	b.see(boxA, strings.Replace(oldTrue, "status: {", "status: {n: 2, ", 1))
	b.want(boxA, "Busy Written")
	b.wantMessage(boxA, "although it reports Paused=True")
	b.sleep(15 * time.Second)
	b.want(boxA, "Acknowledged Paused")
}

func TestBlockMove(t *testing.T) {
	b := begin(t, Options{}, boxA, blocks)
	b.want(boxA, "Busy BlockMove")
	b.sleep(time.Hour)
	b.want(boxA, "Busy BlockMove")
	b.see(boxA, "{}")
	b.want(boxA, "Acknowledged Released")
	b.see(boxB, blocks) // a new object blocks too
	b.want(boxB, "Busy BlockMove")
	b.see(boxA, blocks)
	b.want(boxA, "Busy BlockMove")
}

func TestBlockMoveOnDefinition(t *testing.T) {
	b := begin(t, Options{}, boxA, "status: {n: 1}")
	b.kinds[boxKind].blocksMove = true
	b.sleep(time.Hour)
	b.want(boxA, "Busy NotReported")
	b.wantMessage(boxA, "its definition has the annotation block-move")
	b.kinds[boxKind].blocksMove = false
	b.want(boxA, "Unknown NoReport")
}

func TestTemplate(t *testing.T) {
	b := begin(t, Options{Strict: true}, template, "{}")
	b.want(template, "Acknowledged Template")
	b.see(template, "metadata: {annotations: {a: b}}")
	b.want(template, "Busy Written")
	b.sleep(15 * time.Second)
	b.want(template, "Acknowledged Template")
}

// While a kind cannot be watched, silence proves nothing.
func TestDisconnected(t *testing.T) {
	b := begin(t, Options{}, boxA, "status: {n: 1}")
	s := b.kinds[boxKind].scopes["ns"]
	b.connect(s, false, b.now)
	b.sleep(time.Minute)
	b.want(boxA, "Busy Unreadable")
	b.connect(s, true, b.now)
	b.want(boxA, "Busy NoReport")
	b.sleep(15 * time.Second)
	b.want(boxA, "Unknown NoReport")
}

func TestUnpausedByOther(t *testing.T) {
	b := begin(t, Options{}, boxA, runs)
	b.see(shop, "{metadata: {managedFields: [{manager: kubectl-edit, operation: Update, time: '2026-01-01T12:00:05Z'}]}, spec: {paused: false}}")
	b.evaluate(b.now)
	p := b.byID[shop]
	if !p.failed || p.result.Reason != ReasonUnpausedByOther || p.result.Message != "kubectl-edit has unpaused it meanwhile" {
		t.Errorf("it failed: %t, %+v", p.failed, p.result)
	}
	if b.objects[boxA].isReported {
		t.Error("the objects below the Cluster are still waited for")
	}
}

func TestDeletedTarget(t *testing.T) {
	b := begin(t, Options{}, boxA, runs)
	e := b.change(shop, "{}")
	e.deleted = true
	b.tracker.see(shop, e)
	b.evaluate(b.now)
	if p := b.byID[shop]; !p.failed || p.result.Reason != ReasonDeleted {
		t.Errorf("it failed: %t, %+v", p.failed, p.result)
	}
}

// Owners make a tree of any depth, and a cycle does no harm.
func TestTree(t *testing.T) {
	b := newBench(t, Options{}, false, shop)
	owned := func(name string, owners ...string) {
		text := "metadata: {ownerReferences: ["
		for _, o := range owners {
			text += "{apiVersion: v1, kind: Box, name: x, uid: uid-" + o + "},"
		}
		b.version++
		c := b.change(management.IDOf(boxKind, "ns", name), text+"]}")
		c.facts.Cluster = ""
		b.tracker.see(management.IDOf(boxKind, "ns", name), c)
	}
	b.see(shop, "{}")
	owned("first", "shop", "d")
	owned("a", "first")
	owned("c", "a")
	owned("d", "c")
	owned("other")
	b.evaluate(b.now)
	for name, want := range map[string]int{"first": 1, "a": 1, "c": 1, "d": 1, "other": 0} {
		if have := len(b.objects[management.IDOf(boxKind, "ns", name)].Targets); have != want {
			t.Errorf("%s is below %d targets, want %d", name, have, want)
		}
	}
}

func TestUnpauseStates(t *testing.T) {
	start := func(t *testing.T, before string) *bench {
		b := newBench(t, Options{}, true, shop)
		b.see(shop, paused)
		b.see(boxA, before)
		b.want(boxA, "Busy NotUnpausedYet")
		b.write(shop, unpaused)
		return b
	}
	t.Run("Paused=False", func(t *testing.T) {
		b := start(t, oldTrue)
		b.want(boxA, "Busy NotReported")
		b.see(boxA, runs)
		b.want(boxA, "Acknowledged Unpaused")
	})
	t.Run("a status write", func(t *testing.T) {
		b := start(t, "status: {n: 1}")
		b.want(boxA, "Busy NoSign")
		b.see(boxA, "{metadata: {labels: {a: b}}, status: {n: 1}}")
		b.want(boxA, "Busy NoSign")
		b.see(boxA, "status: {n: 2}")
		b.want(boxA, "Acknowledged Reported")
	})
	t.Run("an own pause", func(t *testing.T) {
		b := start(t, "metadata: {annotations: {cluster.x-k8s.io/paused: ''}}")
		b.want(boxA, "Acknowledged StaysPaused")
	})
	t.Run("a template", func(t *testing.T) {
		b := start(t, "{}")
		b.see(template, "{}")
		b.want(template, "Acknowledged Template")
	})
	t.Run("no sign", func(t *testing.T) {
		b := start(t, "status: {n: 1}")
		b.want(boxA, "Busy NoSign")
		if len(b.sleepers(b.now)) > 0 {
			t.Error("a controller is woken at once")
		}
		b.sleep(10 * time.Second)
		var names []string
		for _, o := range b.sleepers(b.now) {
			names, o.wokenAt = append(names, o.Name), b.now
		}
		if fmt.Sprint(names) != "[a shop]" && fmt.Sprint(names) != "[shop a]" {
			t.Errorf("woken are %v", names)
		}
		b.want(boxA, "Busy NoSign")
		b.sleep(15 * time.Second)
		b.want(boxA, "Unknown NoSign")
	})
}

// Annotations on targets are small, sorted and without times.
func TestListText(t *testing.T) {
	b := begin(t, Options{}, boxB, runs)
	for i := range 100 {
		b.see(management.IDOf(boxKind, "ns", fmt.Sprintf("a%02d-%s", i, strings.Repeat("x", 40))), runs)
	}
	b.evaluate(b.now)
	have := listText("busy", b.byID[shop].open)
	if len(have) > maxMessage || !strings.HasPrefix(have, "busy: Box/a00-") || !strings.HasSuffix(have, "more") {
		t.Errorf("%d bytes: %s", len(have), have)
	}
}

// A target is an object of the cluster of the call, whatever cluster its ID names.
func TestClusterOfTargetIsIgnored(t *testing.T) {
	elsewhere := shop
	elsewhere.Cluster = "elsewhere"
	tracker := newTracker(Options{}, false, []status.ID{elsewhere, shop}, nil)
	if len(tracker.targets) != 1 || tracker.byID[shop] == nil {
		t.Errorf("the targets are %v, want %s only", tracker.byID, shop)
	}
}
