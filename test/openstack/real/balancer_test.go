package real

import (
	"slices"
	"testing"

	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/openstack/openstackkit"
	"kstatus.dev/test/openstack/openstackshop"
)

// balancers returns the IDs of the load balancers of the project.
func (w *world) balancers() (ids []string) {
	w.T.Helper()
	page, err := loadbalancers.List(w.balancer, loadbalancers.ListOpts{}).AllPages(w.T.Context())
	check(w.T, "list the load balancers", err)
	list, err := loadbalancers.ExtractLoadBalancers(page)
	check(w.T, "read the load balancers", err)
	for _, lb := range list {
		if lb.ProvisioningStatus != "DELETED" {
			ids = append(ids, lb.ID)
		}
	}
	return ids
}

// Before the cluster is provisioned, a load balancer in the state ERROR is replaced.
func TestFailedLoadBalancerIsReplaced(t *testing.T) {
	w := newWorld(t)
	quota(openstackkit.Quota{FloatingIPs: number(0)})(w)
	w.runProvider(nil)
	w.applyShop()
	w.WaitFor(openstackshop.OSClusters, "shop", "APIEndpointReady=False/QuotaExceeded")
	before := w.balancers()
	if len(before) != 1 {
		t.Fatalf("the project has %d load balancers, want 1", len(before))
	}
	balancerIs("ERROR")(w)
	w.WaitUntil(openstackshop.OSClusters, "shop", "with another load balancer", func(obj *unstructured.Unstructured) bool {
		now := w.balancers()
		return len(now) == 1 && !slices.Contains(now, before[0]) && managers.HasCondition("APIEndpointReady=False/QuotaExceeded")(obj)
	})
	replaced := managers.Field(w.Get(openstackshop.OSClusters, "shop"), "status", "replacedLoadBalancers")
	if list, _ := replaced.([]any); len(list) != 1 || list[0] != before[0] {
		t.Errorf("the status has the replaced load balancers %v, want %v", replaced, before)
	}
	quota(openstackkit.Quota{FloatingIPs: number(5)})(w)
	w.WaitForReady()
	w.end()
}
