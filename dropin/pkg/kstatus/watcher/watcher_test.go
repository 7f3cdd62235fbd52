package watcher_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
)

func TestWatchSendsEachChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, clustertest.ConfigMap("a"))
		events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), clustertest.IDs(t, clustertest.ConfigMap("a"), clustertest.ConfigMap("b")), watcher.Options{})
		expect(t, events, "a Current: Resource is always ready", "Sync")
		c.create(t, clustertest.ConfigMap("b"))
		expect(t, events, "b Current: Resource is always ready")
		c.create(t, clustertest.ConfigMap("other"))
		c.update(t, clustertest.ConfigMap("a"))
		expect(t, events, "a Current")
		c.delete(t, clustertest.ConfigMap("b"))
		expect(t, events, "b NotFound: Resource not found")
		c.create(t, clustertest.ConfigMap("b"))
		expect(t, events, "b Current")
	})
}

const deployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: default, name: web, generation: 1},
  spec: {replicas: 1, selector: {matchLabels: {app: web}}}, status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1}}`

const replicaSet = `{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: default, name: web-1, generation: 1, labels: {app: web}},
  spec: {replicas: 1, selector: {matchLabels: {app: web}}}, status: {observedGeneration: 1, replicas: 1}}`

const webPod = `{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: web-1-a, labels: {app: web}}, 
  status: {phase: Running, containerStatuses: [{name: c, state: {waiting: {reason: CrashLoopBackOff}}}]}}`

func TestDeploymentHasItsChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, deployment, replicaSet, webPod)
		events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), clustertest.IDs(t, deployment), watcher.Options{})
		e := <-events
		if have := clustertest.Words(e); have != "web InProgress: Available: 0/1" {
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
	})
}

func forbidden(verb string) clienttesting.ReactionFunc {
	return func(a clienttesting.Action) (bool, runtime.Object, error) {
		r := a.GetResource().GroupResource()
		return true, nil, apierrors.NewForbidden(r, "", fmt.Errorf("User %q cannot %s resource", "eve", verb))
	}
}

func TestForbiddenListEndsTheWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, clustertest.ConfigMap("a"))
		c.PrependReactor("list", "configmaps", forbidden("list"))
		events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), clustertest.IDs(t, clustertest.ConfigMap("a"), pod("p", "{}")), watcher.Options{})
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
	})
}

func TestSyncIsSentWithoutTargetsThatAreServed(t *testing.T) {
	unknown := "{apiVersion: example.com/v1, kind: Widget, metadata: {namespace: default, name: w}}"
	notFound := func(a clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewNotFound(a.GetResource().GroupResource(), "")
	}
	for name, targets := range map[string][]string{"no target": nil, "an unknown kind": {unknown}, "a kind that is not served": {clustertest.ConfigMap("a")}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t)
				c.PrependReactor("list", "configmaps", notFound)
				events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), clustertest.IDs(t, targets...), watcher.Options{})
				expect(t, events, "Sync", "no event")
			})
		})
	}
}

func TestInvalidScopeIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), nil, watcher.Options{RESTScopeStrategy: 7})
		expect(t, events, "Error: invalid RESTScopeStrategy: RESTScopeStrategy(7)", "closed")
	})
}

func TestScopesOfRequests(t *testing.T) {
	inOther := "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: other, name: o}}"
	namespace := "{apiVersion: v1, kind: Namespace, metadata: {name: default}}"
	for strategy, want := range map[watcher.RESTScopeStrategy]string{
		watcher.RESTScopeRoot:      "configmaps@ namespaces@ ",
		watcher.RESTScopeNamespace: "configmaps@default configmaps@other namespaces@ ",
	} {
		t.Run(strategy.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t, clustertest.ConfigMap("a"), inOther, namespace)
				events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), clustertest.IDs(t, clustertest.ConfigMap("a"), inOther, namespace), watcher.Options{RESTScopeStrategy: strategy})
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
		})
	}
}

func TestRightModeReportsAbsentTargets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, clustertest.ConfigMap("a"))
		w := watcher.NewDefaultStatusWatcher(c, c.mapper)
		w.Mode = dropin.Right
		unknown := "{apiVersion: example.com/v1, kind: Widget, metadata: {namespace: default, name: w}}"
		events := c.watch(t, w, clustertest.IDs(t, clustertest.ConfigMap("a"), clustertest.ConfigMap("b"), unknown), watcher.Options{})
		expect(t, events, "a Current", "b NotFound: Resource not found", "w NotFound: Resource not found", "Sync")
	})
}

func TestRightModeNarrowsForbiddenRequests(t *testing.T) {
	for name, verbs := range map[string][]string{"names": {"cluster"}, "reads": {"cluster", "watch"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { narrowsForbiddenRequests(t, verbs) })
		})
	}
}

func narrowsForbiddenRequests(t *testing.T, verbs []string) {
	t.Helper()
	c := newCluster(t, clustertest.ConfigMap("a"))
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
	events := c.watch(t, w, clustertest.IDs(t, clustertest.ConfigMap("a"), clustertest.ConfigMap("b")), watcher.Options{RESTScopeStrategy: watcher.RESTScopeRoot})
	expect(t, events, "a Current", "b NotFound", "Sync")
	c.create(t, clustertest.ConfigMap("b"))
	expect(t, events, "b Current")
	c.delete(t, clustertest.ConfigMap("a"))
	expect(t, events, "a NotFound")
}

func TestRightModeFailsWhenNothingMayBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, clustertest.ConfigMap("a"))
		c.PrependReactor("*", "configmaps", forbidden("get"))
		w := watcher.NewDefaultStatusWatcher(c, c.mapper)
		w.Mode = dropin.Right
		events := c.watch(t, w, clustertest.IDs(t, clustertest.ConfigMap("a")), watcher.Options{})
		expect(t, events, "Error: configmaps is forbidden", "closed")
	})
}

func TestCancelClosesTheChannelWhileARequestHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, clustertest.ConfigMap("a"))
		release := make(chan struct{})
		defer close(release)
		c.PrependReactor("list", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
			<-release
			return false, nil, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		events := watcher.NewDefaultStatusWatcher(c, c.mapper).Watch(ctx, clustertest.IDs(t, clustertest.ConfigMap("a")), watcher.Options{})
		synctest.Wait()
		cancel()
		began := time.Now()
		if e, ok := <-events; ok {
			t.Errorf("event %q after the end of the context", clustertest.Words(e))
		}
		if took := time.Since(began); took > 500*time.Millisecond {
			t.Errorf("the channel is closed %s after the end of the context, want at once", took)
		}
	})
}

func TestResyncRepeatsEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, clustertest.ConfigMap("a"))
		w := watcher.NewDefaultStatusWatcher(c, c.mapper)
		w.ResyncPeriod = 50 * time.Millisecond
		events := c.watch(t, w, clustertest.IDs(t, clustertest.ConfigMap("a")), watcher.Options{})
		expect(t, events, "a Current", "Sync", "a Current", "a Current")
	})
}

func TestReporterStartsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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
	})
}
