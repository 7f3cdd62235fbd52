package provider

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/fakestack"
)

// A load balancer lists a member before it sends traffic to it. The machine is not ready until then.
func TestReadyAfterMemberIsActive(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	const takes = 2 * time.Second
	w := newFixtureWith(t, fakestack.Options{BalancerTime: takes})
	var created atomic.Int64
	w.cloud.SetHook(func(r fakestack.Request) fakestack.Fault {
		if r.Method == "POST" && strings.HasSuffix(r.Path, "/members") {
			created.Store(time.Now().UnixNano())
		}
		return fakestack.Fault{}
	})
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitFor(osMachines, "web", "IngressReady=True")
	if after := time.Since(time.Unix(0, created.Load())); after < takes {
		t.Errorf("IngressReady is True %s after the request for the member, which takes %s", after, takes)
	}
	w.WaitForReady()
	w.end()
}

// A reconcile returns while the cloud works on a load balancer: a change of the spec is observed
// meanwhile.
func TestReconcileDoesNotWaitForTheCloud(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	const takes = 10 * time.Second
	w := newFixtureWith(t, fakestack.Options{BalancerTime: takes})
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitFor(osClusters, "shop", "APIEndpointReady=Unknown/Provisioning")
	start := time.Now()
	changed := w.Patch(osClusters, "shop", `{"spec": {"managedSecurityGroups": {"allowAllInClusterTraffic": false}}}`)
	obj := w.WaitUntil(osClusters, "shop", "observed", func(obj *unstructured.Unstructured) bool {
		return field(obj, "status", "observedGeneration") == changed.GetGeneration()
	})
	if after := time.Since(start); after > takes/2 || !hasCondition("APIEndpointReady=Unknown/Provisioning")(obj) {
		t.Errorf("the change was observed after %s, when the load balancer was %s", after, text(obj))
	}
	w.Remove(osMachines, "web")
	w.Remove(osClusters, "shop")
	w.WaitForDeletion(osClusters, "shop")
	w.checkEmpty()
}
