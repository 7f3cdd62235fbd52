package provider

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/fakestack"
)

// The numbers are issues and changes of cluster-api-provider-openstack. Each test repeats what
// happened there, and checks what this provider does instead.

// With credentials of another project, every server was a 404, and all machines failed forever.
func TestHistory1116OtherProject(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	w.cloud.AddAccount("stranger", "secret", "elsewhere")
	before := w.cloud.Snapshot(w.project)
	w.Apply(w.cloudSecret("stranger", "secret", "elsewhere"))
	for _, want := range []string{"AuthenticationSucceeded=False/CredentialsInvalid", "Ready=Unknown/CredentialsInvalid"} {
		w.WaitFor(osMachines, "web", want)
		w.WaitFor(osClusters, "shop", want)
	}
	// A deletion with these credentials must not succeed: it would leave everything behind.
	w.Remove(osMachines, "web")
	w.WaitFor(osMachines, "web", "Deleting=True/CredentialsInvalid", "Ready=False/Deleting")
	checkSame(t, before, w.cloud.Snapshot(w.project))
	w.Apply(w.cloudSecret("demo", "secret", "demo"))
	w.WaitForDeletion(osMachines, "web")
	w.Remove(osClusters, "shop")
	w.WaitForDeletion(osClusters, "shop")
	w.checkEmpty()
}

// A server in ERROR failed its machine forever, also after its Node had joined (#1301, #1637). When
// the server had recovered, the machine was not reconciled any more (#1582).
func TestHistory1301And1637And1582Error(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	w.setStatus("ERROR", `{"code": 500, "created": "2026-01-01T00:00:00Z", "message": "The disk is gone."}`)
	obj := w.WaitFor(osMachines, "web", "InstanceReady=False/InstanceStateError", "Ready=False/InstanceStateError")
	if have := message(obj, "Ready"); !strings.Contains(have, "The disk is gone.") {
		t.Errorf("Ready has the message %q, without the fault of the server", have)
	}
	checkProvisioned(t, obj)
	w.setStatus("", "")
	w.WaitForReady()
	w.end()
}

// An outage of Octavia made clusters and machines fail forever (#1574). In #742 a machine failed
// because one request for a member got a 502.
func TestHistory1574And742Octavia(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	seen := w.record(osClusters, osMachines)
	w.cloud.SetHook(fakestack.Matching("load-balancer", fakestack.Fault{Status: 502}))
	w.WaitFor(osClusters, "shop", "Ready=Unknown/ServiceUnavailable")
	w.WaitFor(osMachines, "web", "Ready=Unknown/ServiceUnavailable")
	graced := map[string]bool{}
	for _, obj := range seen() {
		checkProvisioned(t, obj)
		failing := hasCondition("APIEndpointReady=Unknown/ServiceUnavailable")(obj) || hasCondition("IngressReady=Unknown/ServiceUnavailable")(obj)
		if failing && hasCondition("Ready=True")(obj) {
			graced[obj.GetKind()] = true
		}
	}
	if len(graced) != 2 {
		for _, obj := range seen() {
			t.Log(obj.GetKind(), obj.GetResourceVersion(), summary(obj))
		}
		t.Errorf("Ready stayed True for a while only for %v", graced)
	}
	resume(w)
	w.WaitForReady()
	w.end()
}

// In #742 a machine of the control plane had failed before the load balancer was ready for members.
func TestHistory742Member(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.cloud.SetHook(fakestack.Times(3, func(r fakestack.Request) fakestack.Fault {
		if r.Service == fakestack.LoadBalancing && r.Method == "POST" && strings.HasSuffix(r.Path, "/members") {
			return fakestack.Fault{Status: 502}
		}
		return fakestack.Fault{}
	}))
	seen := w.record(osMachines)
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitForReady()
	for _, obj := range seen() {
		if hasCondition("Ready=True")(obj) && !hasCondition("IngressReady=True")(obj) {
			t.Errorf("Ready is True before the server is a member: %s", text(obj))
		}
	}
	w.end()
}

// A DNS failure (#2146) and an outage of neutron (#2185) made clusters fail forever.
func TestHistory2146And2185Network(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	w.cloud.SetHook(fakestack.Matching("network", fakestack.Fault{Reset: true}))
	checkProvisioned(t, w.WaitFor(osClusters, "shop", "NetworkReady=Unknown/EndpointUnreachable", "Ready=Unknown/EndpointUnreachable"))
	w.cloud.SetHook(fakestack.Matching("network", fakestack.Fault{Status: 500}))
	w.WaitFor(osClusters, "shop", "NetworkReady=Unknown/ServiceUnavailable")
	resume(w)
	w.WaitForReady()
	w.end()
}

// Users did not learn that no host was found (#1506), or why a server was in ERROR (#3375). A failed
// machine left its ports behind, until the quota was used up (#1404).
func TestHistory1506And3375And1404NoValidHost(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.cloud.SetHook(fakestack.Matching("compute POST /v2.1/servers", fakestack.Fault{Server: fakestack.NoValidHost}))
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitFor(osClusters, "shop", "Ready=True")
	before := w.cloud.Snapshot(w.project)
	obj := w.WaitFor(osMachines, "web", "InstanceReady=False/InsufficientCapacity", "Ready=False/InsufficientCapacity")
	if have := message(obj, "Ready"); !strings.Contains(have, "No valid host was found") {
		t.Errorf("Ready has the message %q", have)
	}
	machine := w.WaitFor(machines, "web", "InfrastructureReady=False/InsufficientCapacity")
	if have := message(machine, "InfrastructureReady"); !strings.Contains(have, "No valid host was found") {
		t.Errorf("the Machine has the message %q", have)
	}
	w.awaitRequests("compute GET", 10)
	if n := w.countWrites("compute POST /v2.1/servers"); n != 1 {
		t.Errorf("%d servers were requested for one machine", n)
	}
	w.Remove(osMachines, "web")
	w.WaitForDeletion(osMachines, "web")
	if have := w.cloud.Snapshot(w.project); len(have["server"]) > 0 || len(have["port"]) > len(before["port"]) {
		t.Errorf("the machine has left %v", have)
	}
	resume(w)
	w.Remove(osClusters, "shop")
	w.WaitForDeletion(osClusters, "shop")
	w.checkEmpty()
}

// The provider waited for a load balancer in ERROR, and did not report it.
func TestHistory1259LoadBalancerError(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.cloud.SetHook(fakestack.Matching("load-balancer POST", fakestack.Fault{Balancer: true}))
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitFor(osClusters, "shop", "APIEndpointReady=False/LoadBalancerError", "Ready=False/LoadBalancerError")
	w.WaitFor(clusters, "shop", "InfrastructureReady=False/LoadBalancerError")
	resume(w)
	w.Remove(osMachines, "web")
	w.WaitForDeletion(osMachines, "web")
	w.Remove(osClusters, "shop")
	w.WaitForDeletion(osClusters, "shop")
	w.checkEmpty()
}

// A migration made a machine fail.
func TestHistory889Migrating(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	w.setStatus("MIGRATING", "")
	checkProvisioned(t, w.WaitFor(osMachines, "web", "InstanceReady=Unknown/InstanceTransitioning", "Ready=Unknown/InstanceTransitioning"))
	w.setStatus("A_STATE_OF_THE_FUTURE", "")
	w.WaitFor(osMachines, "web", "InstanceReady=Unknown/InstanceNotReady", "Ready=Unknown")
	w.setStatus("", "")
	w.WaitForReady()
	w.end()
}

// A paused Cluster that was being deleted was never deleted, because parts of the provider ignored
// the pause.
func TestHistory2155PausedDeletion(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	w.WaitFor(osClusters, "shop", "Paused=True/ClusterPaused")
	w.WaitFor(osMachines, "web", "Paused=True/ClusterPaused")
	before, writes := w.cloud.Snapshot(w.project), len(w.cloud.Writes())
	w.Remove(osMachines, "web")
	w.Remove(osClusters, "shop")
	for r, name := range map[schema.GroupVersionResource]string{osClusters: "shop", osMachines: "web"} {
		w.WaitUntil(r, name, "paused while it is being deleted", func(obj *unstructured.Unstructured) bool {
			return obj.GetDeletionTimestamp() != nil && managers.Condition(obj, "Paused")["observedGeneration"] == obj.GetGeneration()
		})
	}
	checkSame(t, before, w.cloud.Snapshot(w.project))
	if have := len(w.cloud.Writes()); have != writes {
		t.Errorf("during the pause the cloud was changed %d times", have-writes)
	}
	w.Patch(clusters, "shop", `{"spec": {"paused": false}}`)
	w.WaitForDeletion(osMachines, "web")
	w.WaitForDeletion(osClusters, "shop")
	w.checkEmpty()
}

// A server that is deleted behind our back is reported after it was missed twice, and not replaced.
func TestServerIsDeleted(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	seen := w.record(osMachines)
	id, _ := field(w.Get(osMachines, "web"), "status", "instanceID").(string)
	w.destroy("/compute/v2.1/servers/" + id)
	obj := w.WaitFor(osMachines, "web", "InstanceReady=False/InstanceDeleted", "Ready=False/InstanceDeleted")
	checkProvisioned(t, obj)
	missed := false
	for _, o := range seen() {
		missed = missed || hasCondition("InstanceReady=Unknown/InstanceMissing")(o)
	}
	if !missed {
		t.Error("the server was called deleted after one look")
	}
	if n := w.countWrites("compute POST /v2.1/servers"); n != 1 {
		t.Errorf("%d servers were created", n)
	}
	w.end()
}

// A stopped server makes its machine unready until it runs again.
func TestServerIsStopped(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	id, _ := field(w.Get(osMachines, "web"), "status", "instanceID").(string)
	if _, err := w.login().send("POST", "/compute/v2.1/servers/"+id+"/action", `{"os-stop": null}`); err != nil {
		t.Fatal(err)
	}
	w.WaitFor(osMachines, "web", "InstanceReady=False/InstanceNotReady", "IngressReady=Unknown/WaitingForEarlierStep", "Ready=False/InstanceNotReady")
	if _, err := w.login().send("POST", "/compute/v2.1/servers/"+id+"/action", `{"os-start": null}`); err != nil {
		t.Fatal(err)
	}
	w.WaitForReady()
	w.end()
}

// newReady returns a fixture with a ready Cluster and a ready Machine.
func newReady(t *testing.T) *fixture {
	t.Helper()
	w := newFixture(t)
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitForReady()
	return w
}

// checkProvisioned checks that an object stays provisioned.
func checkProvisioned(t *testing.T, obj *unstructured.Unstructured) {
	t.Helper()
	if field(obj, "status", "initialization", "provisioned") != true {
		t.Errorf("%s %s is not provisioned any more", obj.GetKind(), obj.GetName())
	}
}
