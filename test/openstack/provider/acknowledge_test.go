package provider

import (
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/test/clusterapi/managers"
)

// A pause ends, and the first reconcile after it is held before its first change in the cloud. The
// acknowledgement is withdrawn by then, and a second pause is acknowledged after the reconcile.
func TestAcknowledgementEndsBeforeTheWork(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		r          schema.GroupVersionResource
		name, edit string
	}{
		{osClusters, "shop", `{"spec": {"managedSecurityGroups": {"allowAllInClusterTraffic": false}}}`},
		{osMachines, "web", `{"spec": {"tags": ["edited"]}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			gate := &managers.Gate{}
			w.RunProvider(w.Cluster.Config(), gate.Wrap(http.DefaultTransport))
			w.applyShop()
			w.WaitForReady()
			w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
			w.WaitFor(test.r, test.name, "Paused=True/ClusterPaused")
			w.Patch(test.r, test.name, test.edit)

			held := gate.Requests(changesCloud)
			w.Patch(clusters, "shop", `{"spec": {"paused": false}}`)
			<-held.Arrived()
			if obj := w.Get(test.r, test.name); hasCondition("Paused=True")(obj) {
				t.Errorf("the provider works under an old acknowledgement: %s", text(obj))
			}
			w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
			held.Release()
			w.WaitFor(test.r, test.name, "Paused=True/ClusterPaused")
			w.checkIdle(test.r, test.name)
		})
	}
}

// The cache of the provider has a version of the object from before its work. The provider does not
// acknowledge the pause by that version, which does not show that the cloud still works.
func TestPauseIsNotAcknowledgedByAStaleCopy(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	var api, gate managers.Gate
	config := w.Cluster.Config()
	config.Wrap(api.Wrap)
	begins := api.Requests(func(req *http.Request) bool {
		return req.Method == http.MethodPatch && strings.HasSuffix(req.URL.Path, "/openstackclusters/shop")
	})
	works := gate.Requests(changesCloud)
	w.RunProvider(config, gate.Wrap(http.DefaultTransport))
	seen := w.record(osClusters)
	w.applyShop()

	<-begins.Arrived()
	stale := api.Events(func(req *http.Request) bool { return strings.HasSuffix(req.URL.Path, "/openstackclusters") })
	begins.Release()
	<-works.Arrived()
	w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	// The provider has tried to write to the stale copy, and reads the latest version.
	conflict := api.Requests(func(req *http.Request) bool {
		return req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "/openstackclusters/shop")
	})
	works.Release()
	<-conflict.Arrived()
	conflict.Release()
	stale.Release()
	last := w.WaitFor(osClusters, "shop", "Paused=True/ClusterPaused")

	w.Until("the last version is recorded", func() bool {
		for _, obj := range seen() {
			if obj.GetResourceVersion() == last.GetResourceVersion() {
				return true
			}
		}
		return false
	})
	for _, obj := range seen() {
		if _, blocks := obj.GetAnnotations()[blockMove]; blocks && hasCondition("Paused=True")(obj) {
			t.Errorf("the pause is acknowledged while the cloud works: %s", text(obj))
		}
	}
	w.checkIdle(osClusters, "shop")
}

// changesCloud matches the requests that change something in the cloud.
func changesCloud(req *http.Request) bool {
	return req.Method != http.MethodGet && !strings.HasSuffix(req.URL.Path, "/auth/tokens")
}

// checkIdle removes the status of a paused object, and waits until the provider acknowledges the
// pause again. Meanwhile it must not change the cloud.
func (w *fixture) checkIdle(r schema.GroupVersionResource, name string) {
	w.T.Helper()
	writes := len(w.cloud.Writes())
	w.removeStatus(r, name)
	w.WaitFor(r, name, "Paused=True/ClusterPaused")
	if have := len(w.cloud.Writes()); have != writes {
		w.T.Errorf("after the acknowledgement the cloud was changed: %v", w.cloud.Writes()[writes:])
	}
}
