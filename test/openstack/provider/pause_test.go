package provider

import (
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/fakestack"
)

const blockMove = "clusterctl.cluster.x-k8s.io/block-move"

// Neither a pause nor the loss of the whole status changes anything in the cloud. After the loss the
// objects report the same as before.
func TestPauseAndLostStatusChangeNothing(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	before, writes := w.cloud.Snapshot(w.project), len(w.cloud.Writes())
	cluster, machine := field(w.Get(osClusters, "shop"), "status"), field(w.Get(osMachines, "web"), "status")

	w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	w.WaitFor(osClusters, "shop", "Paused=True/ClusterPaused")
	paused := w.WaitFor(osMachines, "web", "Paused=True/ClusterPaused")
	requests := len(w.cloud.Requests())
	w.removeStatus(osClusters, "shop")
	w.removeStatus(osMachines, "web")
	w.WaitFor(osClusters, "shop", "Paused=True/ClusterPaused")
	w.WaitFor(osMachines, "web", "Paused=True/ClusterPaused")
	if have := len(w.cloud.Requests()); have != requests {
		t.Errorf("during the pause there were %d requests", have-requests)
	}
	if _, blocks := paused.GetAnnotations()[blockMove]; blocks {
		t.Error("the paused machine blocks moves")
	}
	w.Patch(clusters, "shop", `{"spec": {"paused": false}}`)
	w.WaitForReady()
	w.removeStatus(osClusters, "shop")
	w.removeStatus(osMachines, "web")
	w.WaitForReady()

	if have := len(w.cloud.Writes()); have != writes {
		t.Errorf("the cloud was changed %d times: %v", have-writes, w.cloud.Writes()[writes:])
	}
	checkSame(t, before, w.cloud.Snapshot(w.project))
	for _, test := range []struct {
		r    schema.GroupVersionResource
		name string
		want any
	}{{osClusters, "shop", cluster}, {osMachines, "web", machine}} {
		// A pass that began before the loss may report without the rest of the status. The next adds it.
		w.WaitUntil(test.r, test.name, "as before: "+withoutTimes(test.want), func(obj *unstructured.Unstructured) bool {
			return withoutTimes(field(obj, "status")) == withoutTimes(test.want)
		})
	}
	w.end()
}

// withoutTimes formats a status without the times of its conditions.
func withoutTimes(status any) string {
	fields, _ := status.(map[string]any)
	obj := (&unstructured.Unstructured{Object: map[string]any{"status": fields}}).DeepCopy()
	list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, item := range list {
		if c, _ := item.(map[string]any); c != nil {
			delete(c, "lastTransitionTime")
		}
	}
	_ = unstructured.SetNestedSlice(obj.Object, list, "status", "conditions")
	return text(obj)
}

// removeStatus removes the status of an object, like a restore from a backup.
func (w *fixture) removeStatus(r schema.GroupVersionResource, name string) {
	w.T.Helper()
	for {
		obj, err := w.Client(r).Get(w.T.Context(), name, metav1.GetOptions{})
		if err == nil {
			obj.Object["status"] = map[string]any{}
			_, err = w.Client(r).UpdateStatus(w.T.Context(), obj, metav1.UpdateOptions{FieldManager: "restore"})
		}
		if err == nil {
			return
		}
		if !isConflict(err) {
			w.T.Fatal(err)
		}
	}
}

// A pause begins while the cloud builds a load balancer or a server. It is acknowledged when the
// cloud has finished, and blocks moves until then.
func TestPauseWaitsForTheCloud(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	for _, test := range []struct {
		request string
		on      schema.GroupVersionResource
		name    string
		options fakestack.Options
	}{
		{"load-balancer POST /v2.0/lbaas/loadbalancers", osClusters, "shop", fakestack.Options{BalancerTime: 2 * time.Second}},
		{"compute POST /v2.1/servers", osMachines, "web", fakestack.Options{ServerTime: 2 * time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newFixtureWith(t, test.options)
			w.RunProvider(w.Cluster.Config(), nil)
			seen := w.record(test.on)
			w.applyShop()
			w.WaitUntil(test.on, test.name, "blocking moves", func(obj *unstructured.Unstructured) bool {
				_, blocks := obj.GetAnnotations()[blockMove]
				return blocks && w.countWrites(test.request) > 0
			})
			w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
			start := time.Now()
			w.WaitFor(test.on, test.name, "Paused=True/ClusterPaused")
			if took := time.Since(start); took < time.Second {
				t.Errorf("acknowledged after %s, when the cloud still worked", took)
			}
			w.checkIdle(test.on, test.name)
			for _, obj := range seen() {
				if _, blocks := obj.GetAnnotations()[blockMove]; blocks && hasCondition("Paused=True")(obj) {
					t.Errorf("paused and blocking moves: %s", text(obj))
				}
			}
			w.Patch(clusters, "shop", `{"spec": {"paused": false}}`)
			w.WaitForReady()
			w.checkSingle()
			w.end()
		})
	}
}

// An externally managed cluster is left alone.
func TestExternallyManaged(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop("  name: shop\n  labels: {cluster.x-k8s.io/cluster-name: shop}\nspec:\n  identityRef",
		"  name: shop\n  annotations: {cluster.x-k8s.io/managed-by: somebody}\nspec:\n  identityRef")
	w.WaitFor(osMachines, "web", "Ready=Unknown/WaitingForClusterInfrastructure")
	w.awaitPasses("other")
	obj := w.Get(osClusters, "shop")
	if field(obj, "status", "observedGeneration") == obj.GetGeneration() || len(obj.GetFinalizers()) > 0 {
		t.Errorf("the provider has written to %s", text(obj))
	}
	if writes := w.cloud.Writes(); len(writes) > w.furniture {
		t.Errorf("the cloud was changed: %s", fmt.Sprint(writes))
	}
}
