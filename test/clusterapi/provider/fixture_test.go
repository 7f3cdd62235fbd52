package provider

import (
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
	manifests "kstatus.dev/examples/provider/config"
	"kstatus.dev/examples/provider/controller"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/cluster"
)

// Most of these tests measure the response times of controllers, so only few run in parallel.
var live = cluster.Shared{Options: cluster.Options{ClusterAPI: true}, Together: 2}

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // errors caused on purpose are not worth reading
	os.Exit(live.Main(m))
}

// The kinds that the tests use.
var (
	clusters      = managers.Clusters
	machines      = managers.Machines
	deployments   = managers.Resource("cluster.x-k8s.io", "v1beta2", "machinedeployments")
	shelfClusters = managers.Resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfclusters")
	shelfMachines = managers.Resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfmachines")
)

// patience is the timeout of any step on a busy machine.
const patience = 3 * time.Minute

// Short names of what package managers has.
var hasCondition, allOf, field, text = managers.HasCondition, managers.AllOf, managers.Field, managers.Text

// fixture is a namespace of the cluster with its own cloud.
type fixture struct {
	*managers.Fixture
	cloud   *cloud.Cloud
	url     string            // of the cloud
	through http.RoundTripper // sends the requests of the naive provider to the cloud; nil for the default
}

// clouds is the number of clouds. Their servers are Nodes of the same cluster.
var clouds atomic.Int64

// components are installed once, however many tests need them.
var components sync.Once

func newFixture(t *testing.T) *fixture {
	t.Helper()
	c := live.Cluster(t)
	components.Do(func() {
		all, err := manifests.Components()
		if err != nil {
			t.Fatal(err)
		}
		c.Apply(t, "", all)
	})
	w := &fixture{Fixture: managers.NewFixture(t, c, c.Namespace(t)), cloud: &cloud.Cloud{Duration: 100 * time.Millisecond, FirstNumber: int(clouds.Add(1)) * 1000}}
	server := httptest.NewServer(w.cloud)
	t.Cleanup(server.Close)
	w.url = server.URL
	return w
}

// runProvider runs the example provider until the test ends, or until stop, which waits for its
// end.
func (w *fixture) runProvider(config *rest.Config, through http.RoundTripper) (stop func()) {
	w.T.Helper()
	mgr, err := managers.New(managers.As(config, "shelf-system", "shelf-manager", "shelf-provider"), v1beta1.AddToScheme, w.Namespace)
	if err == nil {
		client := &cloud.Client{URL: w.url, HTTP: &http.Client{Transport: through}}
		err = controller.Setup(mgr, client, controller.Options{Poll: 100 * time.Millisecond})
	}
	if err != nil {
		w.T.Fatal(err)
	}
	return managers.Run(w.T, "the provider", mgr)
}

// observedGeneration returns the observed generation of a condition.
func observedGeneration(obj *unstructured.Unstructured, typ string) any {
	return managers.Condition(obj, typ)["observedGeneration"]
}
