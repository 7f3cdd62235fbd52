package provider

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/openstackshop"
)

// A Cluster of a ClusterClass becomes available, scales, and leaves nothing behind.
func TestClusterOfAClass(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.RunProvider(w.Cluster.Config(), nil)
	w.RunRack()
	stop := w.JoinNodes()
	defer stop()
	start := time.Now()
	w.Apply(openstackshop.Class + openstackshop.Topology + w.cloudSecret("demo", "secret", "demo"))
	w.WaitUntil(clusters, "shop", "available", func(obj *unstructured.Unstructured) bool {
		return hasCondition("Available=True")(obj) && field(obj, "status", "workers", "availableReplicas") == int64(3)
	})
	t.Logf("available after %s", time.Since(start).Round(100*time.Millisecond))
	w.checkServers(4)
	w.checkMembers(1)

	w.Patch(clusters, "shop", `{"spec": {"topology": {"workers": {"machineDeployments": [{"class": "web", "name": "web", "replicas": 1}]}}}}`)
	w.WaitUntil(clusters, "shop", "scaled", func(obj *unstructured.Unstructured) bool {
		return hasCondition("Available=True")(obj) && field(obj, "status", "workers", "replicas") == int64(1)
	})
	w.checkServers(2)

	w.Remove(clusters, "shop")
	w.WaitForDeletion(clusters, "shop")
	w.checkEmpty()
}

// checkServers checks the number of servers and of their ports.
func (w *fixture) checkServers(n int) {
	w.T.Helper()
	snapshot := w.cloud.Snapshot(w.project)
	ports := slices.DeleteFunc(slices.Clone(snapshot["port"]), func(name string) bool { return !strings.HasPrefix(name, "k8s-"+w.Namespace+"-shop-shop-") })
	if len(snapshot["server"]) != n || len(ports) != n {
		w.T.Errorf("want %d servers with a port each, have %v", n, snapshot)
	}
}

// checkMembers checks the number of members of the load balancer.
func (w *fixture) checkMembers(n int) {
	w.T.Helper()
	if have := w.cloud.Snapshot(w.project)["member"]; len(have) != n {
		w.T.Errorf("the load balancer has members %v, want %d", have, n)
	}
}
