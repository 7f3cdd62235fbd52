package pause

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
	manifests "kstatus.dev/examples/provider/config"
	"kstatus.dev/examples/provider/controller"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/cluster"
)

var live = cluster.Shared{Options: cluster.Options{ClusterAPI: true}, Together: 8}

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // errors caused on purpose are not worth reading
	os.Exit(live.Main(m))
}

// The kinds that the tests use.
var (
	clusters      = managers.Clusters
	machines      = managers.Machines
	shelfClusters = managers.Resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfclusters")
	shelfMachines = managers.Resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfmachines")
)

// A fixture is a namespace of the cluster, with the example provider and its own cloud.
type fixture struct{ *managers.Fixture }

// components are installed once, however many tests need them.
var components sync.Once

func install(t testing.TB, c *cluster.Cluster) {
	t.Helper()
	all, err := manifests.Components()
	if err != nil {
		t.Fatal(err)
	}
	c.Apply(t, "", all)
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	c := live.Cluster(t)
	components.Do(func() { install(t, c) })
	return &fixture{managers.NewFixture(t, c, c.Namespace(t))}
}

// runProvider runs the example provider for the namespace until the test ends.
func (f *fixture) runProvider() {
	f.T.Helper()
	shelves := httptest.NewServer(&cloud.Cloud{Duration: 100 * time.Millisecond})
	f.T.Cleanup(shelves.Close)
	config := f.Cluster.Config()
	config.UserAgent = "shelf-provider"
	mgr, err := managers.New(config, v1beta1.AddToScheme, f.Namespace)
	if err == nil {
		err = controller.Setup(mgr, &cloud.Client{URL: shelves.URL, HTTP: http.DefaultClient}, controller.Options{Poll: 400 * time.Millisecond})
	}
	if err != nil {
		f.T.Fatal(err)
	}
	managers.Run(f.T, "the provider", mgr)
}

// shop is a Cluster with a Machine of a control plane and a MachineDeployment.
const shop = managers.Shop + "---" + managers.Workers

// createShop creates the Cluster shop, and waits until its Machine is provisioned.
func (f *fixture) createShop() {
	f.T.Helper()
	f.runProvider()
	f.Apply(shop)
	f.WaitUntil(shelfMachines, "web", "ready", func(u *unstructured.Unstructured) bool { return condition(u, "Ready") == "True" })
	f.WaitUntil(machines, "web", "provisioned", func(u *unstructured.Unstructured) bool {
		done, _, _ := unstructured.NestedBool(u.Object, "status", "initialization", "infrastructureProvisioned")
		return done
	})
}

// condition returns the status of a condition.
func condition(u *unstructured.Unstructured, typ string) string {
	status, _ := managers.Condition(u, typ)["status"].(string)
	return status
}

func isPaused(u *unstructured.Unstructured) bool {
	paused, _, _ := unstructured.NestedBool(u.Object, "spec", "paused")
	return paused
}

// bare is a Cluster whose provider does not run: only the core manager works on it. Each object
// has a field, since an API server records no field managers for an object applied without any.
const bare = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: shop}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: shop}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfCluster
metadata:
  name: shop
  labels: {cluster.x-k8s.io/cluster-name: shop}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfMachine
metadata:
  name: web
  labels: {cluster.x-k8s.io/cluster-name: shop}
spec: {size: small}
`

// createBare creates the bare Cluster, and waits until core has seen it.
func (f *fixture) createBare() {
	f.T.Helper()
	f.Apply(bare)
	f.WaitUntil(clusters, "shop", "seen by core", func(u *unstructured.Unstructured) bool { return condition(u, "Paused") == "False" })
	f.WaitUntil(shelfClusters, "shop", "adopted by core", func(u *unstructured.Unstructured) bool { return len(u.GetOwnerReferences()) > 0 })
}

// goUntilEnd runs a function until the test ends, and waits for it.
func (f *fixture) goUntilEnd(do func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		do(ctx)
	}()
	f.T.Cleanup(func() {
		stop()
		<-ended
	})
}

// pausedIs returns a patch of the condition Paused.
func pausedIs(status string, at time.Time) string {
	return fmt.Sprintf(`{"status": {"conditions": [{"type": "Paused", "status": %q, "reason": "Test", "message": "", "lastTransitionTime": %q}]}}`, status, at.UTC().Format(time.RFC3339))
}
