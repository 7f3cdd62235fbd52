package provider

import (
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/fakestack"
)

const (
	createBalancer = "load-balancer POST /v2.0/lbaas/loadbalancers"
	deleteBalancer = "load-balancer DELETE /v2.0/lbaas/loadbalancers/"
)

// balancer returns the ID of the only load balancer of the project.
func (w *fixture) balancer() string {
	w.T.Helper()
	all := w.cloud.Snapshot(w.project)["load balancer"]
	if len(all) != 1 {
		w.T.Fatalf("the project has the load balancers %v, want one", all)
	}
	return all[0][strings.LastIndex(all[0], " ")+1:]
}

// checkBalancers checks how many load balancers were created and deleted.
func (w *fixture) checkBalancers(created, deleted int) {
	w.T.Helper()
	if have := w.countWrites(createBalancer); have != created {
		w.T.Errorf("%d load balancers were created, want %d", have, created)
	}
	if have := w.countWrites(deleteBalancer); have != deleted {
		w.T.Errorf("%d load balancers were deleted, want %d", have, deleted)
	}
}

// Each load balancer becomes ERROR. Three are replaced, also across a restart, and the last one stays
// until a user deletes it.
func TestFailedLoadBalancerIsReplaced(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.cloud.SetHook(fakestack.Matching(createBalancer, fakestack.Fault{Balancer: true}))
	seen := w.record(osClusters)
	stop := w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitUntil(osClusters, "shop", "replacing a load balancer", func(obj *unstructured.Unstructured) bool {
		return strings.Contains(message(obj, "APIEndpointReady"), "(replacement 1 of 3)")
	})
	stop()
	w.RunProvider(w.Cluster.Config(), nil)
	obj := w.WaitUntil(osClusters, "shop", "without more replacements", func(obj *unstructured.Unstructured) bool {
		return strings.Contains(message(obj, "APIEndpointReady"), "after 3 replacements")
	})
	if !hasCondition("APIEndpointReady=False/LoadBalancerError")(obj) || !hasCondition("Ready=False/LoadBalancerError")(obj) {
		t.Errorf("after the last replacement:\n%s", summary(obj))
	}
	w.awaitRequests("load-balancer GET", 20)
	w.checkBalancers(4, 3)
	for _, obj := range seen() {
		if hasCondition("APIEndpointReady=True")(obj) {
			t.Errorf("the endpoint is ready without a load balancer:\n%s", summary(obj))
		}
	}
	checkMessages(t, seen())

	resume(w)
	w.destroy("/load-balancer/v2.0/lbaas/loadbalancers/" + w.balancer() + "?cascade=true")
	w.WaitForReady()
	if have := field(w.Get(osClusters, "shop"), "status", "replacedLoadBalancers"); have != nil {
		t.Errorf("the status still has the replaced load balancers %v", have)
	}
	w.end()
}

// A load balancer whose address is published, or that the provider did not create, stays.
func TestFailedLoadBalancerStays(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	for name, test := range map[string]struct {
		floatingIPs int
		prepare     func(*fixture)
		message     string
	}{
		"of a provisioned cluster": {
			floatingIPs: 5,
			prepare:     (*fixture).waitForReady,
			message:     "is ERROR",
		},
		"after the loss of the status": {
			floatingIPs: 5,
			prepare: func(w *fixture) {
				w.waitForReady()
				w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
				w.WaitFor(osClusters, "shop", "Paused=True")
				w.removeStatus(osClusters, "shop")
			},
			message: "is ERROR",
		},
		"of a user": {
			prepare: func(w *fixture) {
				w.WaitFor(osClusters, "shop", "APIEndpointReady=False/QuotaExceeded")
				path := "/load-balancer/v2.0/lbaas/loadbalancers/" + w.balancer()
				lb, err := w.login().send(http.MethodPut, path, `{"loadbalancer": {"description": "mine"}}`)
				for err == nil && lb["provisioning_status"] != "ACTIVE" {
					lb, err = w.login().send(http.MethodGet, path, "")
				}
				if err != nil {
					w.T.Fatal(err)
				}
			},
			message: "is ERROR, and the provider did not create it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			w.cloud.SetQuota(w.project, "floatingip", test.floatingIPs)
			w.RunProvider(w.Cluster.Config(), nil)
			w.applyShop()
			test.prepare(w)
			id := w.balancer()
			w.cloud.SetBalancerStatus(id, "ERROR")
			w.Patch(clusters, "shop", `{"spec": {"paused": false}}`)
			w.WaitUntil(osClusters, "shop", "reporting the load balancer", func(obj *unstructured.Unstructured) bool {
				return hasCondition("APIEndpointReady=False/LoadBalancerError")(obj) && strings.Contains(message(obj, "APIEndpointReady"), test.message)
			})
			w.awaitRequests("load-balancer GET", 20)
			w.checkBalancers(1, 0)
			w.cloud.SetBalancerStatus(id, "ACTIVE")
			w.cloud.SetQuota(w.project, "floatingip", 5)
			w.WaitForReady()
			w.end()
		})
	}
}

func (w *fixture) waitForReady() { w.WaitForReady() }

// A load balancer that is gone is reported and not replaced, also after the loss of the status.
func TestLoadBalancerIsGone(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	w.destroy("/load-balancer/v2.0/lbaas/loadbalancers/" + w.balancer() + "?cascade=true")
	gone := []string{"APIEndpointReady=False/DependencyNotFound", "Ready=False/DependencyNotFound"}
	checkProvisioned(t, w.WaitFor(osClusters, "shop", gone...))
	w.removeStatus(osClusters, "shop")
	obj := w.WaitFor(osClusters, "shop", gone...)
	if have := message(obj, "APIEndpointReady"); !strings.Contains(have, "load balancer") {
		t.Errorf("the message is %q, without the load balancer", have)
	}
	w.checkBalancers(1, 1) // the test has deleted it
	w.end()
}

// A cluster with an endpoint of the user is paused before anything exists. After that it gets its
// network, and no load balancer.
func TestPauseWithEndpointOfTheUser(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.cloud.SetHook(fakestack.Matching("network POST", fakestack.Unavailable()))
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop("managedSubnets:", "controlPlaneEndpoint: {host: api.example.org, port: 6443}\n  managedSubnets:")
	w.WaitFor(osClusters, "shop", "NetworkReady=Unknown/ServiceUnavailable")
	w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	w.WaitFor(osClusters, "shop", "Paused=True/ClusterPaused")
	resume(w)
	w.Patch(clusters, "shop", `{"spec": {"paused": false}}`)
	w.WaitForReady()
	w.removeStatus(osClusters, "shop")
	w.WaitForReady()
	w.checkBalancers(0, 0)
	w.end()
}
