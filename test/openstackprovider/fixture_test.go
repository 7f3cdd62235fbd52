// Package openstackprovider runs the provider of examples/openstack with the core manager of
// Cluster API, on an OpenStack in memory.
package openstackprovider

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/log"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
	manifests "kstatus.dev/examples/openstack/config"
	"kstatus.dev/examples/openstack/controller"
	"kstatus.dev/failure"
	"kstatus.dev/test/cluster"
	"kstatus.dev/test/fakestack"
	"kstatus.dev/test/rack"
)

var live = cluster.Shared{Options: cluster.Options{ClusterAPI: true}, Together: 8}

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // failures caused on purpose are not worth reading
	os.Exit(live.Main(m))
}

// The kinds that the tests use.
var (
	clusters   = resource("cluster.x-k8s.io", "v1beta2", "clusters")
	machines   = resource("cluster.x-k8s.io", "v1beta2", "machines")
	osClusters = resource("infrastructure.openstack.kstatus.dev", "v1beta1", "openstackclusters")
	osMachines = resource("infrastructure.openstack.kstatus.dev", "v1beta1", "openstackmachines")
)

func resource(group, version, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: name}
}

// patience is the timeout of any step on a busy machine.
const patience = 90 * time.Second

// fixture is a namespace of the cluster with its own cloud.
type fixture struct {
	t       *testing.T
	c       *cluster.Cluster
	ns      string
	cloud   *fakestack.Cloud
	url     string // of the cloud
	project string // the ID of the project demo
	// furniture is the number of writes before the test begins.
	furniture int
	dynamic   dynamic.Interface
	options   controller.Options
	// disguise changes what the cloud reports about servers.
	disguise *disguise
}

// components are installed once, however many tests need them.
var components sync.Once

// newFixture returns a namespace, and a cloud with an external network, an image and a flavor.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	return newFixtureWith(t, fakestack.Options{})
}

func newFixtureWith(t *testing.T, o fakestack.Options) *fixture {
	t.Helper()
	c := live.Cluster(t)
	components.Do(func() {
		all, err := manifests.Components()
		if err != nil {
			t.Fatal(err)
		}
		c.Apply(t, "", all+"---\n"+rack.Definitions)
	})
	w := &fixture{t: t, c: c, ns: c.Namespace(t), cloud: fakestack.New(o)}
	w.disguise = &disguise{cloud: w.cloud}
	server := httptest.NewServer(w.disguise)
	t.Cleanup(server.Close)
	w.url = server.URL
	w.project = w.cloud.AddAccount("demo", "secret", "demo")
	w.furnish()
	w.furniture = len(w.cloud.Writes())
	w.options = controller.Options{Observe: 500 * time.Millisecond, Grace: 3 * time.Second, Delay: quick}
	var err error
	if w.dynamic, err = dynamic.NewForConfig(c.Config()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			for _, r := range []schema.GroupVersionResource{osClusters, osMachines} {
				list, _ := w.client(r).List(context.Background(), metav1.ListOptions{})
				for i := range list.Items {
					t.Logf("%s %s:\n%s", r.Resource, list.Items[i].GetName(), summary(&list.Items[i]))
				}
			}
		}
	})
	return w
}

// quick shortens the delays that end by themselves. Failures that need a user keep their slow polls.
func quick(r failure.Retry, attempt int, random float64) time.Duration {
	if r.First >= 5*time.Minute {
		return r.Delay(attempt, random)
	}
	return 250 * time.Millisecond
}

// manager creates a manager like that of the example, with the permissions of its components.
func (w *fixture) manager(config *rest.Config) (ctrl.Manager, error) {
	as := rest.CopyConfig(config)
	as.Impersonate = w.c.As("system:serviceaccount:kstatus-openstack-system:kstatus-openstack-manager", "system:serviceaccounts", "system:authenticated").Impersonate
	as.UserAgent = "openstack-provider"
	return w.managerWith(as)
}

// managerWith creates a manager of controllers for one namespace, without servers.
func (w *fixture) managerWith(as *rest.Config) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := v1beta1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	again := true // this process runs the same controllers several times
	return ctrl.NewManager(as, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}, HealthProbeBindAddress: "0",
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{w.ns: {}}},
		Controller: ctrlconfig.Controller{SkipNameValidation: &again},
	})
}

// runProvider runs the provider until the test ends, or until stop, which waits for its end. through,
// if not nil, sends the requests to the cloud.
func (w *fixture) runProvider(config *rest.Config, through http.RoundTripper) (stop func()) {
	w.t.Helper()
	mgr, err := w.manager(config)
	if err == nil {
		clouds := cloud.NewDirectory(cloud.Options{
			Transport: through, Rate: 200, Burst: 400, Cooldown: 200 * time.Millisecond, Timeout: 5 * time.Second, UserAgent: "openstack-provider",
		})
		err = controller.Setup(mgr, clouds, w.options)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return w.run(mgr)
}

func (w *fixture) run(mgr ctrl.Manager) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Errorf("the provider ended: %v", err)
		}
	})
	w.t.Cleanup(stop)
	return stop
}

// cloudSecret is the Secret with the credentials of a user of a project.
func (w *fixture) cloudSecret(user, password, project string) string {
	return fmt.Sprintf(`
---
apiVersion: v1
kind: Secret
metadata: {name: cloud-config}
stringData:
  clouds.yaml: |
    clouds:
      stack:
        region_name: RegionOne
        auth:
          auth_url: %s/identity/v3
          username: %s
          password: %s
          project_name: %s
          user_domain_name: Default
          project_domain_name: Default
`, w.url, user, password, project)
}

// apply applies manifests into the namespace.
func (w *fixture) apply(manifest string) {
	w.t.Helper()
	w.c.Apply(w.t, w.ns, manifest)
}

func (w *fixture) client(r schema.GroupVersionResource) dynamic.ResourceInterface {
	return w.dynamic.Resource(r).Namespace(w.ns)
}

// get returns an object, and nil if it does not exist.
func (w *fixture) get(r schema.GroupVersionResource, name string) *unstructured.Unstructured {
	obj, err := w.client(r).Get(w.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return obj
}

// waitUntil waits for an object in an expected state, and returns it.
func (w *fixture) waitUntil(r schema.GroupVersionResource, name, what string, is func(*unstructured.Unstructured) bool) *unstructured.Unstructured {
	w.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if obj := w.get(r, name); obj != nil && is(obj) {
			return obj
		}
	}
	w.t.Fatalf("%s %s is not %s after %s", r.Resource, name, what, patience)
	return nil
}

// waitFor waits for conditions of an object, such as "Ready=True".
func (w *fixture) waitFor(r schema.GroupVersionResource, name string, conditions ...string) *unstructured.Unstructured {
	w.t.Helper()
	var all []func(*unstructured.Unstructured) bool
	for _, c := range conditions {
		all = append(all, hasCondition(c))
	}
	return w.waitUntil(r, name, strings.Join(conditions, ", "), allOf(all...))
}

// waitForReady waits until the objects of the shop are ready at their latest generation.
func (w *fixture) waitForReady() {
	w.t.Helper()
	latest := func(obj *unstructured.Unstructured) bool {
		return field(obj, "status", "observedGeneration") == obj.GetGeneration()
	}
	w.waitUntil(osClusters, "shop", "ready", allOf(hasCondition("Ready=True"), hasCondition("Paused=False"), latest))
	w.waitUntil(osMachines, "web", "ready", allOf(hasCondition("Ready=True"), hasCondition("Paused=False"), latest))
}

func (w *fixture) waitForDeletion(r schema.GroupVersionResource, name string) {
	w.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if _, err := w.client(r).Get(w.t.Context(), name, metav1.GetOptions{}); isNotFound(err) {
			return
		}
	}
	w.t.Fatalf("%s %s still exists after %s", r.Resource, name, patience)
}

// patch merges changes into an object, as a user does.
func (w *fixture) patch(r schema.GroupVersionResource, name, patch string) *unstructured.Unstructured {
	w.t.Helper()
	obj, err := w.client(r).Patch(w.t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "user"})
	if err != nil {
		w.t.Fatal(err)
	}
	return obj
}

func (w *fixture) remove(r schema.GroupVersionResource, name string) {
	w.t.Helper()
	if err := w.client(r).Delete(w.t.Context(), name, metav1.DeleteOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

// end deletes the objects of the shop, and checks that the cloud is empty. It deletes them
// directly, because the core manager would take ten seconds.
func (w *fixture) end() {
	w.t.Helper()
	w.remove(osMachines, "web")
	w.waitForDeletion(osMachines, "web")
	w.remove(osClusters, "shop")
	w.waitForDeletion(osClusters, "shop")
	w.checkEmpty()
}

// checkEmpty checks that the project has no resources.
func (w *fixture) checkEmpty() {
	w.t.Helper()
	if left := w.cloud.Snapshot(w.project); len(left) > 0 {
		w.t.Errorf("the cloud still has %v", left)
	}
}

// checkSame checks that the cloud has the same resources as before.
func checkSame(t *testing.T, before, after map[string][]string) {
	t.Helper()
	if !reflect.DeepEqual(before, after) {
		t.Errorf("the cloud has changed: it had\n%v\nand has\n%v", before, after)
	}
}
