package move

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
	"kstatus.dev/examples/provider/controller"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/clusterapi/rack"
)

// The kinds that the tests use.
var (
	clusters      = managers.Clusters
	machines      = managers.Machines
	shelfClusters = resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfclusters")
	shelfMachines = resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfmachines")
	bindings      = resource("addons.cluster.x-k8s.io", "v1beta2", "clusterresourcesetbindings")
	checks        = resource("cluster.x-k8s.io", "v1beta2", "machinehealthchecks")
	claims        = resource("ipam.cluster.x-k8s.io", "v1beta2", "ipaddressclaims")
	addresses     = resource("ipam.cluster.x-k8s.io", "v1beta2", "ipaddresses")
	secrets       = resource("", "v1", "secrets")
	namespaces    = resource("", "v1", "namespaces")
	nodes         = resource("", "v1", "nodes")
)

var resource = managers.Resource

// A fixture is a namespace of the source with Clusters, a second one with their ClusterClass,
// and a cloud.
type fixture struct {
	t        *testing.T
	from, to *site
	ns       string // of the Clusters
	classNS  string // of the ClusterClass
	cloud    *cloud.Cloud
	url      string           // of the cloud
	stop     map[*site]func() // stop the providers
}

// cloudToken is the token in the Secret that ShelfClusters name as their identity.
const cloudToken = "correct-horse"

// clouds is the number of clouds. Their servers are Nodes of the same cluster.
var clouds atomic.Int64

// newFixture creates the namespaces and runs the providers on both clusters.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	from, to := sites(t)
	f := &fixture{t: t, from: from, to: to, ns: from.Namespace(t), classNS: from.Namespace(t)}
	f.cloud = &cloud.Cloud{Duration: 300 * time.Millisecond, Token: cloudToken, FirstNumber: int(clouds.Add(1)) * 1000}
	server := httptest.NewServer(f.cloud)
	t.Cleanup(server.Close)
	f.url = server.URL
	t.Cleanup(func() {
		f.wipe(from)
		f.wipe(to)
		f.removeNodes(from)
	})
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last lines of core on the source:\n%s\non the target:\n%s", from.coreLog(f.ns, 20), to.coreLog(f.ns, 20))
		}
	})
	f.stop = map[*site]func(){from: f.runProviders(from, nil), to: f.runProviders(to, nil)}
	return f
}

// runProviders runs the providers on a cluster until the test ends, or until stop. They watch the
// namespaces of the fixture. wrap, if not nil, is around their connection to the API server.
func (f *fixture) runProviders(s *site, wrap func(http.RoundTripper) http.RoundTripper) (stop func()) {
	f.t.Helper()
	as := managers.As(s.Config(), "shelf-system", "shelf-manager", "shelf-provider")
	admin := s.Config()
	admin.UserAgent = "rack-provider"
	if wrap != nil {
		as.Wrap(wrap)
		admin.Wrap(wrap)
	}
	kubeconfig, err := os.ReadFile(f.from.Kubeconfig())
	if err != nil {
		f.t.Fatal(err)
	}
	shelf, err := managers.New(as, v1beta1.AddToScheme, f.ns, f.classNS)
	if err == nil {
		err = controller.Setup(shelf, &cloud.Client{URL: f.url}, controller.Options{Poll: 200 * time.Millisecond})
	}
	if err != nil {
		f.t.Fatal(err)
	}
	racks, err := managers.New(admin, v1beta1.AddToScheme, f.ns, f.classNS)
	if err == nil {
		err = rack.Setup(racks, kubeconfig)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return managers.Run(f.t, "a provider on the "+s.name, shelf, racks)
}

// at returns the fixture for the Clusters of another namespace.
func (f *fixture) at(ns string) *fixture {
	other := *f
	other.ns = ns
	return &other
}

// in returns the client for a kind in the namespace of the Clusters.
func (f *fixture) in(s *site, r schema.GroupVersionResource) dynamic.ResourceInterface {
	return s.dynamic.Resource(r).Namespace(f.ns)
}

// names returns the names of the objects of a kind in the namespace of the Clusters.
func (f *fixture) names(s *site, r schema.GroupVersionResource) (names []string) {
	f.t.Helper()
	list, err := f.in(s, r).List(f.t.Context(), metav1.ListOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	for i := range list.Items {
		names = append(names, list.Items[i].GetName())
	}
	return names
}

// wipe deletes what a test has left on a cluster, without the help of the providers.
func (f *fixture) wipe(s *site) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, ns := range []string{f.ns, f.classNS} {
		if err := s.dynamic.Resource(namespaces).Delete(ctx, ns, metav1.DeleteOptions{}); err != nil {
			continue // it does not exist, or the API server does not run
		}
		// Core adds its finalizers again as long as an object is not being deleted.
		_ = managers.Until(ctx, func() bool { return f.removeFinalizers(ctx, s, ns) == 0 }) // what is left disturbs no test
	}
}

// removeNodes deletes the Nodes of the fixture.
func (f *fixture) removeNodes(s *site) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	list, err := s.dynamic.Resource(nodes).List(ctx, metav1.ListOptions{LabelSelector: fixtureLabel + " in (" + f.ns + "," + f.classNS + ")"})
	if err != nil {
		return
	}
	for _, node := range list.Items {
		_ = s.dynamic.Resource(nodes).Delete(ctx, node.GetName(), metav1.DeleteOptions{}) // it may be gone
	}
}

// removeFinalizers removes the finalizers of all objects of Cluster API in a namespace, and
// returns the number of objects that are left.
func (f *fixture) removeFinalizers(ctx context.Context, s *site, ns string) (left int) {
	definitions := resource("apiextensions.k8s.io", "v1", "customresourcedefinitions")
	list, err := s.dynamic.Resource(definitions).List(ctx, metav1.ListOptions{LabelSelector: "clusterctl.cluster.x-k8s.io"})
	if err != nil {
		return 0
	}
	for i := range list.Items {
		d := &list.Items[i]
		versions, _ := field(d, "spec", "versions").([]any)
		newest, _ := versions[len(versions)-1].(map[string]any)["name"].(string)
		kind := s.dynamic.Resource(resource(field(d, "spec", "group").(string), newest, field(d, "spec", "names", "plural").(string))).Namespace(ns)
		objects, err := kind.List(ctx, metav1.ListOptions{})
		if err != nil {
			continue // a kind of the cluster has no namespace
		}
		left += len(objects.Items)
		for _, o := range objects.Items {
			if len(o.GetFinalizers()) > 0 && o.GetDeletionTimestamp() != nil {
				_, err := kind.Patch(ctx, o.GetName(), types.MergePatchType, []byte(`{"metadata": {"finalizers": null}}`), metav1.PatchOptions{})
				if ctx.Err() != nil {
					return left
				}
				if err != nil && !apierrors.IsNotFound(err) {
					f.t.Errorf("removing the finalizers of %s %s: %v", o.GetKind(), o.GetName(), err)
				}
			}
		}
	}
	return left
}

// changes returns the creations and deletions in the cloud after the first n.
func (f *fixture) changes(n int) []string { return slices.Clone(f.cloud.Changes()[n:]) }
