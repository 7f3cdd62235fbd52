package provider

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
	manifests "kstatus.dev/examples/provider/config"
	"kstatus.dev/examples/provider/controller"
	"kstatus.dev/test/cluster"
	"kstatus.dev/test/managers"
)

// Most of these tests measure the response times of controllers, so only few run in parallel.
var live = cluster.Shared{Options: cluster.Options{ClusterAPI: true}, Together: 2}

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // errors caused on purpose are not worth reading
	os.Exit(live.Main(m))
}

// The kinds that the tests use.
var (
	clusters      = resource("cluster.x-k8s.io", "v1beta2", "clusters")
	machines      = resource("cluster.x-k8s.io", "v1beta2", "machines")
	deployments   = resource("cluster.x-k8s.io", "v1beta2", "machinedeployments")
	shelfClusters = resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfclusters")
	shelfMachines = resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfmachines")
)

func resource(group, version, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: name}
}

// patience is the timeout of any step on a busy machine.
const patience = 3 * time.Minute

// fixture is a namespace of the cluster with its own cloud.
type fixture struct {
	t       *testing.T
	c       *cluster.Cluster
	ns      string
	cloud   *cloud.Cloud
	url     string            // of the cloud
	through http.RoundTripper // sends the requests of the naive provider to the cloud; nil for the default
	dynamic dynamic.Interface
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
	w := &fixture{t: t, c: c, ns: c.Namespace(t), cloud: &cloud.Cloud{Duration: 300 * time.Millisecond, FirstNumber: int(clouds.Add(1)) * 1000}}
	server := httptest.NewServer(w.cloud)
	t.Cleanup(server.Close)
	w.url = server.URL
	var err error
	if w.dynamic, err = dynamic.NewForConfig(c.Config()); err != nil {
		t.Fatal(err)
	}
	return w
}

// runProvider runs the example provider until the test ends, or until stop, which waits for its
// end.
func (w *fixture) runProvider(config *rest.Config, through http.RoundTripper) (stop func()) {
	w.t.Helper()
	mgr, err := managers.New(managers.As(config, "shelf-system", "shelf-manager", "shelf-provider"), v1beta1.AddToScheme, w.ns)
	if err == nil {
		client := &cloud.Client{URL: w.url, HTTP: &http.Client{Transport: through}}
		err = controller.Setup(mgr, client, controller.Options{Poll: 400 * time.Millisecond})
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return managers.Run(w.t, "the provider", mgr)
}

// apply applies manifests into the namespace.
func (w *fixture) apply(manifest string) {
	w.t.Helper()
	w.c.Apply(w.t, w.ns, manifest)
}

func (w *fixture) client(r schema.GroupVersionResource) dynamic.ResourceInterface {
	return w.dynamic.Resource(r).Namespace(w.ns)
}

// until waits for a state.
func (w *fixture) until(is func() bool, what string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	if managers.Until(ctx, is) != nil {
		w.t.Fatalf("not within %s: %s", patience, what)
	}
}

// waitUntil waits for an object in an expected state, and returns it. gone waits for its deletion.
func (w *fixture) waitUntil(r schema.GroupVersionResource, name, what string, is func(*unstructured.Unstructured) bool) *unstructured.Unstructured {
	w.t.Helper()
	var last *unstructured.Unstructured
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		obj, err := w.client(r).Get(w.t.Context(), name, get)
		if err != nil {
			last = nil
			continue
		}
		if last = obj; is(obj) {
			return obj
		}
	}
	w.t.Fatalf("%s %s is not %s after %s; it is %s", r.Resource, name, what, patience, text(last))
	return nil
}

func (w *fixture) waitForDeletion(r schema.GroupVersionResource, name string) {
	w.t.Helper()
	var last *unstructured.Unstructured
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		obj, err := w.client(r).Get(w.t.Context(), name, get)
		if isNotFound(err) {
			return
		}
		last = obj
	}
	w.t.Fatalf("%s %s is still there after %s: %s", r.Resource, name, patience, text(last))
}

// condition finds "Type=Status/Reason" of an object, such as "Ready=True/AsExpected".
func condition(obj *unstructured.Unstructured, typ string) string {
	list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, item := range list {
		if c, _ := item.(map[string]any); c["type"] == typ {
			return strings.Join([]string{typ, "=", c["status"].(string), "/", c["reason"].(string)}, "")
		}
	}
	return typ + " is absent"
}

// hasCondition reports whether an object has a condition, written "Ready=True/AsExpected" or
// "Ready=True".
func hasCondition(want string) func(*unstructured.Unstructured) bool {
	typ, _, _ := strings.Cut(want, "=")
	return func(obj *unstructured.Unstructured) bool {
		have := condition(obj, typ)
		return have == want || strings.HasPrefix(have, want+"/")
	}
}

// allOf reports whether all of several checks succeed.
func allOf(conditions ...func(*unstructured.Unstructured) bool) func(*unstructured.Unstructured) bool {
	return func(obj *unstructured.Unstructured) bool {
		for _, is := range conditions {
			if !is(obj) {
				return false
			}
		}
		return true
	}
}

// observedGeneration returns the observed generation of a condition.
func observedGeneration(obj *unstructured.Unstructured, typ string) any {
	list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, item := range list {
		if c, _ := item.(map[string]any); c["type"] == typ {
			return c["observedGeneration"]
		}
	}
	return nil
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

func (w *fixture) names(r schema.GroupVersionResource) (names []string) {
	w.t.Helper()
	list, err := w.client(r).List(w.t.Context(), metav1.ListOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range list.Items {
		names = append(names, list.Items[i].GetName())
	}
	return names
}
