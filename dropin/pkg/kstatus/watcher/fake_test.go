package watcher_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes/scheme"

	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
)

// A cluster is client-go's fake, with the objects of a test.
type cluster struct {
	*dynamicfake.FakeDynamicClient
	mapper *meta.DefaultRESTMapper
}

func newCluster(t *testing.T, manifests ...string) *cluster {
	t.Helper()
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "apps", Version: "v1"}, {Group: "batch", Version: "v1"}})
	for gvk, scope := range kinds {
		mapper.Add(gvk, scope)
	}
	var objs []runtime.Object
	for _, m := range manifests {
		objs = append(objs, clustertest.Decode(t, m))
	}
	return &cluster{dynamicfake.NewSimpleDynamicClient(scheme.Scheme, objs...), mapper}
}

var kinds = map[schema.GroupVersionKind]meta.RESTScope{
	{Group: "apps", Version: "v1", Kind: "Deployment"}:  meta.RESTScopeNamespace,
	{Group: "apps", Version: "v1", Kind: "ReplicaSet"}:  meta.RESTScopeNamespace,
	{Group: "apps", Version: "v1", Kind: "StatefulSet"}: meta.RESTScopeNamespace,
	{Group: "batch", Version: "v1", Kind: "Job"}:        meta.RESTScopeNamespace,
	{Version: "v1", Kind: "Pod"}:                        meta.RESTScopeNamespace,
	{Version: "v1", Kind: "ConfigMap"}:                  meta.RESTScopeNamespace,
	{Version: "v1", Kind: "Namespace"}:                  meta.RESTScopeRoot,
}

func pod(name, status string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: %s}, status: %s}", name, status)
}

// resourceOf returns the resource of an object of the test.
func (c *cluster) resourceOf(t *testing.T, u *unstructured.Unstructured) schema.GroupVersionResource {
	t.Helper()
	m, err := c.mapper.RESTMapping(u.GroupVersionKind().GroupKind())
	if err != nil {
		t.Fatal(err)
	}
	return m.Resource
}

func (c *cluster) create(t *testing.T, manifest string) {
	t.Helper()
	u := clustertest.Decode(t, manifest)
	if _, err := c.Resource(c.resourceOf(t, u)).Namespace(u.GetNamespace()).Create(t.Context(), u, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (c *cluster) update(t *testing.T, manifest string) {
	t.Helper()
	u := clustertest.Decode(t, manifest)
	if _, err := c.Resource(c.resourceOf(t, u)).Namespace(u.GetNamespace()).Update(t.Context(), u, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (c *cluster) delete(t *testing.T, manifest string) {
	t.Helper()
	u := clustertest.Decode(t, manifest)
	if err := c.Resource(c.resourceOf(t, u)).Namespace(u.GetNamespace()).Delete(t.Context(), u.GetName(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// watch starts a watch that ends with the test.
func (c *cluster) watch(t *testing.T, w *watcher.DefaultStatusWatcher, targets object.ObjMetadataSet, o watcher.Options) <-chan event.Event {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	events := w.Watch(ctx, targets, o)
	t.Cleanup(func() {
		cancel()
		begin := time.Now()
		for range events {
			// Nothing more is expected, except what was being delivered.
		}
		if d := time.Since(begin); d > 500*time.Millisecond {
			t.Errorf("the channel was closed %v after the end of the context, want at once", d)
		}
	})
	return events
}

// next returns the next event in words. Time costs nothing, because every test is in a bubble.
func next(t *testing.T, events <-chan event.Event) string {
	t.Helper()
	select {
	case e, ok := <-events:
		if !ok {
			return "closed"
		}
		return clustertest.Words(e)
	case <-time.After(10 * time.Second):
		return "no event"
	}
}

// expect compares the next events.
func expect(t *testing.T, events <-chan event.Event, want ...string) {
	t.Helper()
	for _, w := range want {
		if have := next(t, events); !strings.HasPrefix(have, w) {
			t.Fatalf("event %q, want %q", have, w)
		}
	}
}
