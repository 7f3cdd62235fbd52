package real

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/openstack/fakestack/calls"
	"kstatus.dev/test/openstack/openstackkit"
	"kstatus.dev/test/openstack/openstackshop"
)

// live is the cluster with the core manager of Cluster API.
var live = cluster.Shared{Options: cluster.Options{ClusterAPI: true}, Together: 3}

// A world is a Cluster in a project of its own.
type world struct {
	*fixture
	*openstackshop.Shop
	foreign []string // networks of the project that the provider does not own
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{fixture: newFixture(t), Shop: openstackshop.New(t, live.Cluster(t))}
	w.Patience, w.Clouds.Timeout = 6*time.Minute, 30*time.Second // the services share two processors
	return w
}

// runProvider runs the provider until the test ends, or until stop. Every finding of the audit in its
// writes fails the test. through, if not nil, sends the requests to the cloud.
func (w *world) runProvider(through http.RoundTripper) (stop func()) {
	w.T.Helper()
	return w.RunProvider(w.Audited(), through)
}

// names replaces the names of the manifests by those of the prepared OpenStack.
var names = strings.NewReplacer("name: debian", "name: "+calls.ImageName)

// secret is the Secret with the credentials of a user.
func secret(c openstackkit.Credentials) string {
	yaml := strings.ReplaceAll(strings.TrimSpace(string(c.CloudsYAML("stack"))), "\n", "\n    ")
	return "\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  clouds.yaml: |\n    " + yaml + "\n"
}

// applyShop applies a Cluster and a Machine. Pairs of old and new text change the manifests.
func (w *world) applyShop(changes ...string) {
	w.T.Helper()
	w.Apply(strings.NewReplacer(changes...).Replace(names.Replace(openstackshop.ClusterManifest+openstackshop.MachineManifest) + secret(w.Credentials)))
}

// end deletes the objects of the shop, and checks that the project owns no resource.
func (w *world) end() {
	w.T.Helper()
	// An object that becomes ready and is deleted at once looks like flapping.
	ready := time.Now()
	poll.Wait(w.T, "the objects have been ready for three seconds", func() bool { return time.Since(ready) > 3*time.Second })
	w.Remove(openstackshop.OSMachines, "web")
	w.WaitForDeletion(openstackshop.OSMachines, "web")
	w.Remove(openstackshop.OSClusters, "shop")
	w.WaitForDeletion(openstackshop.OSClusters, "shop")
	for _, id := range w.foreign {
		check(w.T, "delete a network", networks.Delete(w.T.Context(), w.network, id).ExtractErr())
	}
	w.checkEmpty()
}

// checkEmpty checks that the project owns nothing.
func (w *world) checkEmpty() {
	w.T.Helper()
	poll.Check(w.T, func() error { // Octavia removes the port of a load balancer after the load balancer
		if left := w.owned(w.T); len(left) > 0 {
			return fmt.Errorf("the project still has %v", left)
		}
		return nil
	})
}

// A Cluster of a ClusterClass becomes available, scales to ten workers and back, gets a new template,
// and leaves nothing behind.
func TestClusterOfAClass(t *testing.T) {
	w := newWorld(t)
	quota(openstackkit.Quota{Instances: number(30), Cores: number(30), RAM: number(-1)})(w) // the default is ten servers
	w.runProvider(nil)
	w.RunRack()
	t.Cleanup(w.JoinNodes())
	start := time.Now()
	w.Apply(names.Replace(openstackshop.Class+openstackshop.Topology) + secret(w.Credentials))
	w.waitForWorkers(3)
	t.Logf("available after %s, with %v", time.Since(start).Round(time.Second), w.owned(t))
	w.checkServers(4)

	for _, n := range []int64{10, 3} {
		start := time.Now()
		w.scale(n)
		t.Logf("%d workers after %s", n, time.Since(start).Round(time.Second))
	}
	w.checkServers(4)

	start = time.Now()
	w.newTemplate()
	t.Logf("a new template after %s", time.Since(start).Round(time.Second))

	start = time.Now()
	w.Remove(openstackshop.Clusters, "shop")
	w.WaitForDeletion(openstackshop.Clusters, "shop")
	t.Logf("deleted after %s", time.Since(start).Round(time.Second))
	w.checkEmpty()
}

// templateV2 is another template of workers.
const templateV2 = `
apiVersion: infrastructure.openstack.kstatus.dev/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: shop-2}
spec: {template: {spec: {image: {filter: {name: debian}}, flavor: {filter: {name: small}}}}}
`

// scale changes the number of workers, and waits for them.
func (w *world) scale(n int64) {
	w.T.Helper()
	w.Patch(openstackshop.Clusters, "shop", fmt.Sprintf(`{"spec": {"topology": {"workers": {"machineDeployments": [{"class": "web", "name": "web", "replicas": %d}]}}}}`, n))
	w.waitForWorkers(n)
}

// newTemplate changes the template of the workers, and waits until each of the three is replaced.
func (w *world) newTemplate() {
	w.T.Helper()
	before := w.serverIDs()
	w.Apply(names.Replace(strings.Replace(templateV2, "flavor: {filter: {name: small}}", "flavor: {filter: {name: small}}, serverMetadata: {release: two}", 1)))
	w.Patch(openstackshop.ClusterClasses, "shop", `{"spec": {"workers": {"machineDeployments": [{"class": "web",
		"bootstrap": {"templateRef": {"apiVersion": "bootstrap.cluster.x-k8s.io/v1", "kind": "RackConfigTemplate", "name": "shop"}},
		"infrastructure": {"templateRef": {"apiVersion": "infrastructure.openstack.kstatus.dev/v1beta1", "kind": "OpenStackMachineTemplate", "name": "shop-2"}}}]}}}`)
	w.WaitUntil(openstackshop.Clusters, "shop", "upgraded", func(obj *unstructured.Unstructured) bool {
		replaced := 0
		for _, id := range w.serverIDs() {
			if !slices.Contains(before, id) {
				replaced++
			}
		}
		return replaced == 3 && len(w.serverIDs()) == 4 && managers.HasCondition("Available=True")(obj)
	})
}

// waitForWorkers waits until the Cluster is available with a number of workers.
func (w *world) waitForWorkers(n int64) {
	w.T.Helper()
	w.WaitUntil(openstackshop.Clusters, "shop", "available", func(obj *unstructured.Unstructured) bool {
		workers := func(field string) any { return managers.Field(obj, "status", "workers", field) }
		return managers.HasCondition("Available=True")(obj) && workers("availableReplicas") == n && workers("replicas") == n
	})
}

// serverIDs returns the IDs of the servers of the project.
func (w *world) serverIDs() (all []string) {
	pages, err := servers.List(w.compute, servers.ListOpts{}).AllPages(w.T.Context())
	if err != nil {
		return nil
	}
	list, err := servers.ExtractServers(pages)
	if err != nil {
		return nil
	}
	for _, s := range list {
		all = append(all, s.ID)
	}
	return all
}

// checkServers checks the number of servers, and that none of their ports is left over.
func (w *world) checkServers(n int) {
	w.T.Helper()
	if have := len(w.serverIDs()); have != n {
		w.T.Errorf("the project has %d servers, want %d", have, n)
	}
}

// A recorder sends requests, and records those that write more than a token.
type recorder struct {
	mu     sync.Mutex
	next   http.RoundTripper
	writes []string
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet && !strings.HasSuffix(req.URL.Path, "/auth/tokens") {
		r.mu.Lock()
		r.writes = append(r.writes, req.Method+" "+req.URL.Path)
		r.mu.Unlock()
	}
	return r.next.RoundTrip(req)
}

func (r *recorder) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.writes)
}

// A pause and the loss of both statuses change nothing in the cloud, and the statuses return.
func TestPauseAndStatusLossWriteNothing(t *testing.T) {
	w := newWorld(t)
	r := &recorder{next: http.DefaultTransport}
	// The test itself pauses for a moment, and removes statuses.
	w.RunProvider(w.Audited("W-15", "W-19"), r)
	w.applyShop()
	w.WaitForReady()
	before := w.get("shop", "web")
	writes := r.count()

	w.Patch(openstackshop.Clusters, "shop", `{"spec": {"paused": true}}`)
	w.WaitFor(openstackshop.OSMachines, "web", "Paused=True")
	w.WaitFor(openstackshop.OSClusters, "shop", "Paused=True")
	for _, o := range []*unstructured.Unstructured{w.Get(openstackshop.OSClusters, "shop"), w.Get(openstackshop.OSMachines, "web")} {
		o.Object["status"] = map[string]any{}
		client := w.Shop.Client(openstackshop.OSClusters)
		if o.GetKind() == "OpenStackMachine" {
			client = w.Shop.Client(openstackshop.OSMachines)
		}
		if _, err := client.UpdateStatus(t.Context(), o, updateOptions); err != nil {
			t.Fatal(err)
		}
	}
	w.Patch(openstackshop.Clusters, "shop", `{"spec": {"paused": false}}`)
	w.WaitForReady()
	if after := w.get("shop", "web"); !reflect.DeepEqual(before, after) {
		t.Errorf("the statuses were\n%v\nand are\n%v", before, after)
	}
	if n := r.count(); n != writes {
		t.Errorf("%d writes to the cloud: %q", n-writes, r.writes[writes:])
	}
	w.end()
}

// get returns the statuses of an OpenStackCluster and an OpenStackMachine: what was found in the cloud.
func (w *world) get(cluster, machine string) []any {
	w.T.Helper()
	all := []any{}
	for _, o := range []*unstructured.Unstructured{w.Get(openstackshop.OSClusters, cluster), w.Get(openstackshop.OSMachines, machine)} {
		status, _, _ := unstructured.NestedMap(o.Object, "status")
		delete(status, "conditions")
		delete(status, "observedGeneration")
		all = append(all, status)
	}
	return all
}
