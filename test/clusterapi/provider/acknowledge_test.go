package provider

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/test/clusterapi/managers"
)

// worked are the objects of the example provider, with their requests to the cloud.
var worked = []struct {
	r             schema.GroupVersionResource
	name, request string
}{{shelfClusters, "shop", "/loadbalancers/"}, {shelfMachines, "web", "/servers/"}}

// A reconcile has seen no pause, and is held before its request to the cloud. A pause
// that begins meanwhile is acknowledged after that request, and after the work of the cloud.
func TestPauseIsNotAcknowledgedDuringAReconcile(t *testing.T) {
	t.Parallel()
	for _, test := range worked {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			gate := &managers.Gate{}
			held := gate.Requests(requestFor(http.MethodPut, test.request, test.name))
			w.runProvider(w.Cluster.Config(), gate.Wrap(http.DefaultTransport))
			w.Apply(shop)
			<-held.Arrived()
			w.pauseShop(true)
			w.awaitOther(test.r, "other")
			if obj := w.Get(test.r, test.name); hasCondition("Paused=True")(obj) {
				t.Errorf("the pause is acknowledged during a reconcile: %s", text(obj))
			}
			held.Release()
			w.awaitAcknowledgement(test.r, test.name)
			w.checkIdle(test.r, test.name)
		})
	}
}

// A pause ends, and the first reconcile after it is held before its request to the cloud. The
// acknowledgement is withdrawn by then. Otherwise it would seem to be that of a second pause.
func TestAcknowledgementEndsBeforeTheWork(t *testing.T) {
	t.Parallel()
	for _, test := range worked {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			gate := &managers.Gate{}
			w.runProvider(w.Cluster.Config(), gate.Wrap(http.DefaultTransport))
			w.Apply(shop)
			w.waitForReady()
			w.pauseShop(true)
			w.awaitAcknowledgement(test.r, test.name)
			w.Patch(test.r, test.name, `{"spec": {"tags": {"edited": "while paused"}}}`)

			held := gate.Requests(requestFor(http.MethodPut, test.request, test.name))
			w.pauseShop(false)
			<-held.Arrived()
			if obj := w.Get(test.r, test.name); hasCondition("Paused=True")(obj) {
				t.Errorf("the provider works under an old acknowledgement: %s", text(obj))
			}
			w.pauseShop(true)
			w.awaitOther(test.r, "other")
			if obj := w.Get(test.r, test.name); hasCondition("Paused=True")(obj) {
				t.Errorf("the second pause is acknowledged during a reconcile: %s", text(obj))
			}
			held.Release()
			w.awaitAcknowledgement(test.r, test.name)
			w.checkIdle(test.r, test.name)
		})
	}
}

// The cache of the provider has a version of the object from before its work. The provider does not
// acknowledge the pause by that version, which does not show that the cloud still works.
func TestPauseIsNotAcknowledgedByAStaleCopy(t *testing.T) {
	t.Parallel()
	for _, test := range worked {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			var api, gate managers.Gate
			config := w.Cluster.Config()
			config.Wrap(api.Wrap)
			path := "/" + test.r.Resource + "/" + test.name
			begins := api.Requests(func(req *http.Request) bool {
				return req.Method == http.MethodPatch && strings.HasSuffix(req.URL.Path, path)
			})
			works := gate.Requests(requestFor(http.MethodPut, test.request, test.name))
			w.runProvider(config, gate.Wrap(http.DefaultTransport))
			seen := w.record(test.r)
			w.Apply(shop)

			<-begins.Arrived()
			stale := api.Events(func(req *http.Request) bool { return strings.HasSuffix(req.URL.Path, "/"+test.r.Resource) })
			begins.Release()
			<-works.Arrived()
			w.pauseShop(true)
			// The provider has tried to write to the stale copy, and reads the latest version.
			conflict := api.Requests(func(req *http.Request) bool {
				return req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, path)
			})
			works.Release()
			<-conflict.Arrived()
			conflict.Release()
			stale.Release()
			last := w.awaitAcknowledgement(test.r, test.name)

			for _, write := range w.recordedUntil(seen, last) {
				obj := &unstructured.Unstructured{Object: write.Object}
				if _, blocks := obj.GetAnnotations()[blockMove]; blocks && hasCondition("Paused=True")(obj) {
					t.Errorf("the pause is acknowledged while the cloud works: %s", text(obj))
				}
			}
			w.checkIdle(test.r, test.name)
		})
	}
}

// requestFor matches the requests to the cloud for an object.
func requestFor(method, kind, name string) func(*http.Request) bool {
	return func(req *http.Request) bool {
		return req.Method == method && strings.Contains(req.URL.Path, kind) && strings.HasSuffix(req.URL.Path, "/"+name)
	}
}

// pauseShop pauses or resumes the Cluster.
func (w *fixture) pauseShop(paused bool) {
	w.T.Helper()
	w.Patch(clusters, "shop", fmt.Sprintf(`{"spec": {"paused": %t}}`, paused))
}

// awaitAcknowledgement waits until an object acknowledges the pause of its Cluster.
func (w *fixture) awaitAcknowledgement(r schema.GroupVersionResource, name string) *unstructured.Unstructured {
	w.T.Helper()
	return w.WaitUntil(r, name, "acknowledging the pause", acknowledged)
}

// acknowledged reports whether an object is paused at its generation, and may be moved.
func acknowledged(obj *unstructured.Unstructured) bool {
	_, blocks := obj.GetAnnotations()[blockMove]
	return !blocks && hasCondition("Paused=True/ClusterPaused")(obj) && observedGeneration(obj, "Paused") == obj.GetGeneration()
}

// awaitOther creates another object of the paused Cluster, and waits until it acknowledges the pause.
// By then the controller of these objects has seen the pause.
func (w *fixture) awaitOther(r schema.GroupVersionResource, name string) {
	w.T.Helper()
	obj := w.Get(r, map[schema.GroupVersionResource]string{shelfClusters: "shop", shelfMachines: "web"}[r]).DeepCopy()
	other := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": "small"}}}
	if r == shelfClusters {
		other.Object["spec"] = map[string]any{}
	}
	other.SetGroupVersionKind(obj.GroupVersionKind())
	other.SetName(name)
	other.SetLabels(map[string]string{"cluster.x-k8s.io/cluster-name": "shop"})
	other.SetOwnerReferences(obj.GetOwnerReferences())
	if _, err := w.Client(r).Create(w.T.Context(), other, metav1.CreateOptions{FieldManager: "user"}); err != nil {
		w.T.Fatal(err)
	}
	w.awaitAcknowledgement(r, name)
}

// checkIdle changes a paused object, and waits until the provider acknowledges the pause for the
// change. Meanwhile it must not call the cloud.
func (w *fixture) checkIdle(r schema.GroupVersionResource, name string) {
	w.T.Helper()
	before := w.cloud.Calls()
	changed := w.Patch(r, name, `{"spec": {"tags": {"edited": "while idle"}}}`)
	paused := w.awaitAcknowledgement(r, name)
	if have := field(paused, "status", "observedGeneration"); have == changed.GetGeneration() {
		w.T.Errorf("the paused %s claims to have looked at generation %v", paused.GetKind(), have)
	}
	if after := w.cloud.Calls(); !reflect.DeepEqual(before, after) {
		w.T.Errorf("while paused the provider called the cloud: %v, and before %v", after, before)
	}
}
