package watcher_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/polling/statusreaders"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
)

func TestWatchSendsEachChange(t *testing.T) {
	c := newCluster(t, configMap("a"))
	events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), ids(t, configMap("a"), configMap("b")), watcher.Options{})
	expect(t, events, "a Current: Resource is always ready", "Sync")
	c.create(t, configMap("b"))
	expect(t, events, "b Current: Resource is always ready")
	c.create(t, configMap("other"))
	c.update(t, configMap("a"))
	expect(t, events, "a Current")
	c.delete(t, configMap("b"))
	expect(t, events, "b NotFound: Resource not found")
	c.create(t, configMap("b"))
	expect(t, events, "b Current")
}

const deployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: default, name: web, generation: 1},
  spec: {replicas: 1, selector: {matchLabels: {app: web}}}, status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1}}`

const replicaSet = `{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: default, name: web-1, generation: 1, labels: {app: web}},
  spec: {replicas: 1, selector: {matchLabels: {app: web}}}, status: {observedGeneration: 1, replicas: 1}}`

const webPod = `{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: web-1-a, labels: {app: web}}, 
  status: {phase: Running, containerStatuses: [{name: c, state: {waiting: {reason: CrashLoopBackOff}}}]}}`

func TestDeploymentHasItsChildren(t *testing.T) {
	c := newCluster(t, deployment, replicaSet, webPod)
	events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), ids(t, deployment), watcher.Options{})
	e := <-events
	if have := words(e); have != "web InProgress: Available: 0/1" {
		t.Errorf("event %q, want the status of the Deployment alone", have)
	}
	sets := e.Resource.GeneratedResources
	if len(sets) != 1 || len(sets[0].GeneratedResources) != 1 {
		t.Fatalf("generated resources %v, want a ReplicaSet with a Pod", sets)
	}
	if sets[0].Message != "1 pods have failed" {
		t.Errorf("ReplicaSet %q, want that its Pod has failed: %s", sets[0].Message, sets[0].GeneratedResources[0])
	}
	expect(t, events, "Sync")
}

func forbidden(verb string) clienttesting.ReactionFunc {
	return func(a clienttesting.Action) (bool, runtime.Object, error) {
		r := a.GetResource().GroupResource()
		return true, nil, apierrors.NewForbidden(r, "", fmt.Errorf("User %q cannot %s resource", "eve", verb))
	}
}

func TestForbiddenListEndsTheWatch(t *testing.T) {
	c := newCluster(t, configMap("a"))
	c.PrependReactor("list", "configmaps", forbidden("list"))
	events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), ids(t, configMap("a"), pod("p", "{}")), watcher.Options{})
	var last event.Event
	for e := range events {
		last = e
	}
	if last.Type != event.ErrorEvent || !apierrors.IsForbidden(last.Error) {
		t.Fatalf("last event %v, want an error that is Forbidden", last)
	}
	want := `failed to list /v1, Kind=ConfigMap: configmaps is forbidden: User "eve" cannot list resource`
	if have := last.Error.Error(); have != want {
		t.Errorf("error %q, want %q", have, want)
	}
}

func TestSyncIsSentWithoutTargetsThatAreServed(t *testing.T) {
	unknown := "{apiVersion: example.com/v1, kind: Widget, metadata: {namespace: default, name: w}}"
	notFound := func(a clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewNotFound(a.GetResource().GroupResource(), "")
	}
	for name, targets := range map[string][]string{"no target": nil, "an unknown kind": {unknown}, "a kind that is not served": {configMap("a")}} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			c.PrependReactor("list", "configmaps", notFound)
			events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), ids(t, targets...), watcher.Options{})
			expect(t, events, "Sync")
			select {
			case e := <-events:
				t.Errorf("event %v, want none", words(e))
			case <-time.After(300 * time.Millisecond):
			}
		})
	}
}

func TestInvalidScopeIsAnError(t *testing.T) {
	c := newCluster(t)
	events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), nil, watcher.Options{RESTScopeStrategy: 7})
	expect(t, events, "Error: invalid RESTScopeStrategy: RESTScopeStrategy(7)", "closed")
}

// A lateMapper does not know a kind until it is reset after a while.
type lateMapper struct {
	meta.RESTMapper
	known atomic.Bool
	late  schema.GroupKind
}

func (m *lateMapper) RESTMapping(gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	if gk == m.late && !m.known.Load() {
		return nil, &meta.NoKindMatchError{GroupKind: gk}
	}
	return m.RESTMapper.RESTMapping(gk, versions...)
}

func TestKindIsFoundWhenItIsDefined(t *testing.T) {
	c := newCluster(t, configMap("a"), pod("p", "{phase: Running}"))
	m := &lateMapper{RESTMapper: c.mapper, late: schema.GroupKind{Kind: "ConfigMap"}}
	events := c.watch(t, watcher.NewDefaultStatusWatcher(c, m), ids(t, configMap("a"), pod("p", "{}")), watcher.Options{})
	expect(t, events, "p ", "Sync")
	m.known.Store(true)
	expect(t, events, "a Current")
}

func TestScopesOfRequests(t *testing.T) {
	inOther := "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: other, name: o}}"
	namespace := "{apiVersion: v1, kind: Namespace, metadata: {name: default}}"
	for strategy, want := range map[watcher.RESTScopeStrategy]string{
		watcher.RESTScopeRoot:      "configmaps@ namespaces@ ",
		watcher.RESTScopeNamespace: "configmaps@default configmaps@other namespaces@ ",
	} {
		t.Run(strategy.String(), func(t *testing.T) {
			c := newCluster(t, configMap("a"), inOther, namespace)
			events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), ids(t, configMap("a"), inOther, namespace), watcher.Options{RESTScopeStrategy: strategy})
			for range 3 {
				next(t, events)
			}
			expect(t, events, "Sync")
			have := map[string]bool{}
			for _, a := range c.Actions() {
				have[a.GetResource().Resource+"@"+a.GetNamespace()] = true
			}
			var text string
			for _, r := range []string{"configmaps@", "configmaps@default", "configmaps@other", "namespaces@"} {
				if have[r] {
					text += r + " "
				}
			}
			if text != want {
				t.Errorf("requests %s, want %s", text, want)
			}
		})
	}
}

// A slowReader judges when a test allows it.
type slowReader struct {
	engine.StatusReader
	allow   chan struct{}
	only    string       // the kind that waits; empty: all
	label   atomic.Value // objects with this label wait too
	running atomic.Int32
}

func (r *slowReader) ReadStatusForObject(ctx context.Context, cr engine.ClusterReader, u *unstructured.Unstructured) (*event.ResourceStatus, error) {
	label, _ := r.label.Load().(string)
	if _, waits := u.GetLabels()[label]; r.only != "" && u.GetKind() != r.only && !waits {
		return r.StatusReader.ReadStatusForObject(ctx, cr, u)
	}
	r.running.Add(1)
	defer r.running.Add(-1)
	select {
	case <-r.allow:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return r.StatusReader.ReadStatusForObject(ctx, cr, u)
}

func TestWorkersJudgeAtOnce(t *testing.T) {
	for workers, want := range map[int]int32{0: 1, 1: 1, 4: 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			var manifests []string
			for i := range 10 {
				manifests = append(manifests, configMap(fmt.Sprint("c", i)))
			}
			c := newCluster(t, manifests...)
			w := watcher.NewDefaultStatusWatcher(c, c.mapper)
			r := &slowReader{StatusReader: statusreaders.NewDefaultStatusReader(c.mapper), allow: make(chan struct{})}
			w.StatusReader, w.StatusComputeWorkers = r, workers
			events := c.watch(t, w, ids(t, manifests...), watcher.Options{})
			deadline := time.Now().Add(5 * time.Second)
			for r.running.Load() < want && time.Now().Before(deadline) {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(20 * time.Millisecond)
			if have := r.running.Load(); have != want {
				t.Errorf("%d readers run at once, want %d", have, want)
			}
			close(r.allow)
			for range manifests {
				expect(t, events, "c")
			}
			expect(t, events, "Sync")
		})
	}
}

func TestErrorOfAReaderNamesTheObject(t *testing.T) {
	c := newCluster(t, configMap("a"))
	w := watcher.NewDefaultStatusWatcher(c, c.mapper)
	w.StatusReader = failing{w.StatusReader}
	events := c.watch(t, w, ids(t, configMap("a")), watcher.Options{})
	expect(t, events, "Error: failed to compute object status: default_a__ConfigMap: broken", "closed")
}

type failing struct{ engine.StatusReader }

func (failing) ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error) {
	return nil, errors.New("broken")
}

func TestNotFoundFollowsTheFirstStatuses(t *testing.T) {
	c := newCluster(t, configMap("a"), pod("p", "{phase: Running}"))
	w := watcher.NewDefaultStatusWatcher(c, c.mapper)
	r := &slowReader{StatusReader: w.StatusReader, allow: make(chan struct{}), only: "Pod"}
	w.StatusReader = r
	events := c.watch(t, w, ids(t, configMap("a"), pod("p", "{}")), watcher.Options{})
	expect(t, events, "a Current")
	c.delete(t, configMap("a"))
	select {
	case e := <-events:
		t.Fatalf("event %q before the Pod was judged", words(e))
	case <-time.After(100 * time.Millisecond):
	}
	close(r.allow)
	expect(t, events, "p ", "a NotFound", "Sync")
}

// A flakyReader returns an error at its first call, which is the timeout of a request.
type flakyReader struct {
	engine.StatusReader
	calls atomic.Int32
}

type timeoutError struct{}

func (timeoutError) Error() string        { return "request timed out" }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

func (r *flakyReader) ReadStatusForObject(ctx context.Context, cr engine.ClusterReader, u *unstructured.Unstructured) (*event.ResourceStatus, error) {
	if r.calls.Add(1) == 1 {
		return nil, timeoutError{}
	}
	return r.StatusReader.ReadStatusForObject(ctx, cr, u)
}

func TestStatusFollowsTheTimeoutOfARequest(t *testing.T) {
	for _, mode := range []dropin.Mode{dropin.Compat, dropin.Right} {
		t.Run(mode.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t, configMap("a"))
				w := watcher.NewDefaultStatusWatcher(c, c.mapper)
				w.Mode, w.StatusReader = mode, &flakyReader{StatusReader: w.StatusReader}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				events := w.Watch(ctx, ids(t, configMap("a")), watcher.Options{})
				if have := words(<-events); have != "Sync" {
					t.Errorf("event %q, want that the first list is over", have)
				}
				if have := words(<-events); !strings.HasPrefix(have, "a Current") {
					t.Errorf("event %q, want the status at the second attempt", have)
				}
			})
		})
	}
}

// A status of an object that has been deleted is not sent for the next one with its name.
func TestStatusOfADeletedObjectIsDropped(t *testing.T) {
	c := newCluster(t, configMap("a"))
	w := watcher.NewDefaultStatusWatcher(c, c.mapper)
	r := &slowReader{StatusReader: w.StatusReader, allow: make(chan struct{}), only: "none"}
	w.StatusReader, w.StatusComputeWorkers = r, 4
	events := c.watch(t, w, ids(t, configMap("a")), watcher.Options{})
	expect(t, events, "a Current", "Sync")
	const old = "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: a, labels: {wait: here}}}"
	r.label.Store("wait")
	c.update(t, old)
	deadline := time.Now().Add(5 * time.Second)
	for r.running.Load() == 0 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	c.delete(t, old)
	expect(t, events, "a NotFound")
	c.create(t, configMap("a"))
	time.Sleep(50 * time.Millisecond) // until the watch has it
	close(r.allow)
	e := <-events
	if e.Resource == nil || e.Resource.Resource == nil || len(e.Resource.Resource.GetLabels()) > 0 {
		t.Errorf("event %q of the deleted object, want one of the next", words(e))
	}
}

func TestRightModeReportsAbsentTargets(t *testing.T) {
	c := newCluster(t, configMap("a"))
	w := watcher.NewDefaultStatusWatcher(c, c.mapper)
	w.Mode = dropin.Right
	unknown := "{apiVersion: example.com/v1, kind: Widget, metadata: {namespace: default, name: w}}"
	events := c.watch(t, w, ids(t, configMap("a"), configMap("b"), unknown), watcher.Options{})
	expect(t, events, "a Current", "b NotFound: Resource not found", "w NotFound: Resource not found", "Sync")
}

func TestRightModeNarrowsForbiddenRequests(t *testing.T) {
	for name, verbs := range map[string][]string{"names": {"cluster"}, "reads": {"cluster", "watch"}} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t, configMap("a"))
			for _, verb := range []string{"list", "watch"} {
				c.PrependReactor(verb, "configmaps", func(a clienttesting.Action) (bool, runtime.Object, error) {
					if a.GetNamespace() == "" || len(verbs) > 1 {
						return forbidden(verb)(a)
					}
					return false, nil, nil
				})
			}
			if len(verbs) > 1 {
				c.PrependWatchReactor("configmaps", clienttesting.DefaultWatchReactor(nil, apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "", errors.New("no"))))
			}
			w := watcher.NewDefaultStatusWatcher(c, c.mapper)
			w.Mode = dropin.Right
			events := c.watch(t, w, ids(t, configMap("a"), configMap("b")), watcher.Options{RESTScopeStrategy: watcher.RESTScopeRoot})
			expect(t, events, "a Current", "b NotFound", "Sync")
			c.create(t, configMap("b"))
			expect(t, events, "b Current")
			c.delete(t, configMap("a"))
			expect(t, events, "a NotFound")
		})
	}
}

func TestRightModeFailsWhenNothingMayBeRead(t *testing.T) {
	c := newCluster(t, configMap("a"))
	c.PrependReactor("*", "configmaps", forbidden("get"))
	w := watcher.NewDefaultStatusWatcher(c, c.mapper)
	w.Mode = dropin.Right
	events := c.watch(t, w, ids(t, configMap("a")), watcher.Options{})
	expect(t, events, "Error: configmaps is forbidden", "closed")
}

func TestFinishedThenGone(t *testing.T) {
	const running = "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p}, status: {phase: Running}}"
	const done = "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p}, status: {phase: Succeeded}}"
	for name, test := range map[string]struct {
		mode dropin.Mode
		goal string
		want string
	}{
		"the goal is Current": {dropin.Right, "Current", "p Current"},
		"no goal is known":    {dropin.Right, "", "p NotFound"},
		"compat":              {dropin.Compat, "Current", "p NotFound"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t, running)
			w := watcher.NewDefaultStatusWatcher(c, c.mapper)
			w.Mode, w.Goal = test.mode, "Current"
			if test.goal == "" {
				w.Goal = ""
			}
			events := c.watch(t, w, ids(t, running), watcher.Options{})
			expect(t, events, "p ", "Sync")
			c.update(t, done)
			expect(t, events, "p Current")
			c.delete(t, done)
			expect(t, events, test.want)
		})
	}
}

func TestCancelClosesTheChannelWhileARequestHangs(t *testing.T) {
	c := newCluster(t, configMap("a"))
	release := make(chan struct{})
	defer close(release)
	c.PrependReactor("list", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
		<-release
		return false, nil, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	events := watcher.NewDefaultStatusWatcher(c, c.mapper).Watch(ctx, ids(t, configMap("a")), watcher.Options{})
	time.Sleep(20 * time.Millisecond)
	cancel()
	select {
	case e, ok := <-events:
		if ok {
			t.Errorf("event %q after the end of the context", words(e))
		}
	case <-time.After(time.Second):
		t.Error("the channel is open one second after the end of the context")
	}
}

func TestResyncRepeatsEvents(t *testing.T) {
	c := newCluster(t, configMap("a"))
	w := watcher.NewDefaultStatusWatcher(c, c.mapper)
	w.ResyncPeriod = 50 * time.Millisecond
	events := c.watch(t, w, ids(t, configMap("a")), watcher.Options{})
	expect(t, events, "a Current", "Sync", "a Current", "a Current")
}

func TestReporterStartsOnce(t *testing.T) {
	c := newCluster(t)
	r := &watcher.ObjectStatusReporter{
		InformerFactory: watcher.NewDynamicInformerFactory(c, time.Hour), Mapper: c.mapper, ObjectFilter: &watcher.AllowListObjectFilter{AllowList: object.ObjMetadataSet{}},
	}
	events := r.Start(t.Context())
	expect(t, events, "Sync")
	if !r.HasSynced() {
		t.Error("HasSynced is false after the SyncEvent")
	}
	defer func() {
		if recover() == nil {
			t.Error("a second Start does not panic")
		}
		r.Stop()
		expect(t, events, "closed")
	}()
	r.Start(t.Context())
}
