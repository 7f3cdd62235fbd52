package provider

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A provider with a watch filter ignores objects without the label or with another value. It does not
// write them, and sends no request to the cloud. It works on an object once the label is right.
func TestWatchFilter(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.Options.WatchFilter = "mine"
	w.RunProvider(w.Cluster.Config(), nil)
	before := len(w.cloud.Requests())
	const end = "shop}\nspec:\n  identityRef" // the end of the labels of the OpenStackCluster
	w.applyShop(end, "shop, cluster.x-k8s.io/watch-filter: other}\nspec:\n  identityRef")
	adopted := func(obj *unstructured.Unstructured) bool { return len(obj.GetOwnerReferences()) > 0 }
	w.WaitUntil(osClusters, "shop", "adopted by core", adopted)
	w.WaitUntil(osMachines, "web", "adopted by core", adopted)
	w.awaitPasses("one")
	w.checkIgnored(osClusters, "shop")
	w.checkIgnored(osMachines, "web")
	if sent := w.cloud.Requests()[before:]; len(sent) > 0 {
		t.Errorf("the provider sent %v", sent)
	}

	const mine = `{"metadata": {"labels": {"cluster.x-k8s.io/watch-filter": "mine"}}}`
	w.Patch(osClusters, "shop", mine)
	w.WaitFor(osClusters, "shop", "Ready=True")
	w.WaitUntil(clusters, "shop", "provisioned", func(obj *unstructured.Unstructured) bool {
		return field(obj, "status", "initialization", "infrastructureProvisioned") == true
	})
	w.awaitPasses("two")
	w.checkIgnored(osMachines, "web")
	if servers := w.cloud.Snapshot(w.project)["server"]; len(servers) > 0 {
		t.Errorf("the cloud has the servers %v, want none", servers)
	}

	w.Patch(osMachines, "web", mine)
	w.WaitForReady()
	w.end()
}

// awaitPasses waits until the provider has reported other objects, which have no owner and come
// later. Its queues are in order, so that by then it has begun with all earlier ones.
func (w *fixture) awaitPasses(name string) {
	w.T.Helper()
	for _, r := range []schema.GroupVersionResource{osClusters, osMachines} {
		w.addOther(r, name)
		w.WaitFor(r, name, "Ready=Unknown/WaitingForOwner")
		w.Remove(r, name)
		w.WaitForDeletion(r, name)
	}
}

// addOther creates an object without an owner. The filter of the provider selects it.
func (w *fixture) addOther(r schema.GroupVersionResource, name string) {
	w.T.Helper()
	obj := w.Get(r, map[schema.GroupVersionResource]string{osClusters: "shop", osMachines: "web"}[r])
	other := &unstructured.Unstructured{Object: map[string]any{"spec": obj.Object["spec"]}}
	unstructured.RemoveNestedField(other.Object, "spec", "controlPlaneEndpoint")
	unstructured.RemoveNestedField(other.Object, "spec", "providerID")
	other.SetGroupVersionKind(obj.GroupVersionKind())
	other.SetName(name)
	other.SetLabels(map[string]string{"cluster.x-k8s.io/watch-filter": w.Options.WatchFilter})
	if _, err := w.Client(r).Create(w.T.Context(), other, metav1.CreateOptions{FieldManager: "user"}); err != nil {
		w.T.Fatal(err)
	}
}

// checkIgnored checks that the provider has not written an object.
func (w *fixture) checkIgnored(r schema.GroupVersionResource, name string) {
	w.T.Helper()
	obj := w.Get(r, name)
	if obj == nil {
		w.T.Fatalf("%s %s does not exist", r.Resource, name)
	}
	written := slices.ContainsFunc(obj.GetManagedFields(), func(m metav1.ManagedFieldsEntry) bool {
		return strings.HasPrefix(m.Manager, w.Clouds.UserAgent)
	})
	if written || field(obj, "status", "conditions") != nil || len(obj.GetFinalizers()) > 0 {
		w.T.Errorf("the provider has written %s %s:\n%s", r.Resource, name, text(obj))
	}
}
