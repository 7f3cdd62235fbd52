// Package openstackshop runs the provider of examples/openstack with the core manager of Cluster API.
// The OpenStack is that of the caller: one in memory, or a real one.
package openstackshop

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
	manifests "kstatus.dev/examples/openstack/config"
	"kstatus.dev/examples/openstack/controller"
	"kstatus.dev/failure"
	"kstatus.dev/test/apply"
	"kstatus.dev/test/cluster"
	"kstatus.dev/test/managers"
	"kstatus.dev/test/rack"
)

// The kinds that the tests use.
var (
	Clusters       = resource("cluster.x-k8s.io", "v1beta2", "clusters")
	Machines       = resource("cluster.x-k8s.io", "v1beta2", "machines")
	OSClusters     = resource("infrastructure.openstack.kstatus.dev", "v1beta1", "openstackclusters")
	OSMachines     = resource("infrastructure.openstack.kstatus.dev", "v1beta1", "openstackmachines")
	ClusterClasses = resource("cluster.x-k8s.io", "v1beta2", "clusterclasses")
)

func resource(group, version, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: name}
}

// A Shop is a namespace of a cluster for one test.
type Shop struct {
	T         *testing.T
	Cluster   *cluster.Cluster
	Namespace string
	Dynamic   dynamic.Interface
	Options   controller.Options
	Clouds    cloud.Options
	Patience  time.Duration // the timeout of any step on a busy machine
}

// installed has the clusters with the components.
var installed sync.Map

// install applies the components once, with the label that clusterctl adds to definitions.
func install(c *cluster.Cluster) error {
	once, _ := installed.LoadOrStore(c, sync.OnceValue(func() error {
		components, err := manifests.Components()
		if err != nil {
			return err
		}
		objects, err := apply.Parse([]byte(components + "\n---\n" + rack.Definitions))
		if err != nil {
			return err
		}
		for _, o := range objects {
			if o.GetKind() == "CustomResourceDefinition" {
				labels := o.GetLabels()
				labels["clusterctl.cluster.x-k8s.io"] = ""
				o.SetLabels(labels)
			}
		}
		return apply.To(context.Background(), c.Config(), "default", objects, nil)
	}))
	return once.(func() error)()
}

// New returns a namespace of a cluster with the definitions of the provider. What the objects report
// is logged if the test fails.
func New(t *testing.T, c *cluster.Cluster) *Shop {
	t.Helper()
	return In(t, c, c.Namespace(t))
}

// In does the same with a namespace that need not exist yet.
func In(t *testing.T, c *cluster.Cluster, namespace string) *Shop {
	t.Helper()
	if err := install(c); err != nil {
		t.Fatal(err)
	}
	w := &Shop{
		T: t, Cluster: c, Namespace: namespace, Patience: 3 * time.Minute,
		Options: controller.Options{Observe: 500 * time.Millisecond, Grace: 3 * time.Second, Delay: quick},
		Clouds:  cloud.Options{Rate: 200, Burst: 400, Cooldown: 200 * time.Millisecond, Timeout: 5 * time.Second, UserAgent: "openstack-provider"},
	}
	var err error
	if w.Dynamic, err = dynamic.NewForConfig(c.Config()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			for _, r := range []schema.GroupVersionResource{OSClusters, OSMachines} {
				list, _ := w.Client(r).List(context.Background(), metav1.ListOptions{})
				for i := range list.Items {
					t.Logf("%s %s:\n%s", r.Resource, list.Items[i].GetName(), Summary(&list.Items[i]))
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

// RunProvider runs the provider until the test ends, or until stop, which waits for its end. through,
// if not nil, sends the requests to the cloud.
func (w *Shop) RunProvider(config *rest.Config, through http.RoundTripper) (stop func()) {
	w.T.Helper()
	stop, err := w.start(config, through)
	if err != nil {
		w.T.Fatal(err)
	}
	return stop
}

// start does the same, and returns what fails.
func (w *Shop) start(config *rest.Config, through http.RoundTripper) (stop func(), err error) {
	mgr, err := managers.New(managers.As(config, "kstatus-openstack-system", "kstatus-openstack-manager", "openstack-provider"), v1beta1.AddToScheme, w.Namespace)
	if err != nil {
		return nil, err
	}
	o := w.Clouds
	o.Transport = through
	if err := controller.Setup(mgr, cloud.NewDirectory(o), w.Options); err != nil {
		return nil, err
	}
	return managers.Run(w.T, "the provider", mgr), nil
}

// Apply applies manifests into the namespace.
func (w *Shop) Apply(manifest string) {
	w.T.Helper()
	w.Cluster.Apply(w.T, w.Namespace, manifest)
}

func (w *Shop) Client(r schema.GroupVersionResource) dynamic.ResourceInterface {
	return w.Dynamic.Resource(r).Namespace(w.Namespace)
}

// Get returns an object, and nil if it does not exist.
func (w *Shop) Get(r schema.GroupVersionResource, name string) *unstructured.Unstructured {
	obj, err := w.Client(r).Get(w.T.Context(), name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return obj
}

// WaitUntil waits for an object in an expected state, and returns it.
func (w *Shop) WaitUntil(r schema.GroupVersionResource, name, what string, is func(*unstructured.Unstructured) bool) *unstructured.Unstructured {
	w.T.Helper()
	for end := time.Now().Add(w.Patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if obj := w.Get(r, name); obj != nil && is(obj) {
			return obj
		}
	}
	w.T.Fatalf("%s %s is not %s after %s", r.Resource, name, what, w.Patience)
	return nil
}

// WaitFor waits for conditions of an object, such as "Ready=True".
func (w *Shop) WaitFor(r schema.GroupVersionResource, name string, conditions ...string) *unstructured.Unstructured {
	w.T.Helper()
	var all []func(*unstructured.Unstructured) bool
	for _, c := range conditions {
		all = append(all, HasCondition(c))
	}
	return w.WaitUntil(r, name, strings.Join(conditions, ", "), AllOf(all...))
}

// WaitForReady waits until the objects of the shop are ready at their latest generation.
func (w *Shop) WaitForReady() {
	w.T.Helper()
	latest := func(obj *unstructured.Unstructured) bool {
		return Field(obj, "status", "observedGeneration") == obj.GetGeneration()
	}
	w.WaitUntil(OSClusters, "shop", "ready", AllOf(HasCondition("Ready=True"), HasCondition("Paused=False"), latest))
	w.WaitUntil(OSMachines, "web", "ready", AllOf(HasCondition("Ready=True"), HasCondition("Paused=False"), latest))
}

func (w *Shop) WaitForDeletion(r schema.GroupVersionResource, name string) {
	w.T.Helper()
	for end := time.Now().Add(w.Patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if _, err := w.Client(r).Get(w.T.Context(), name, metav1.GetOptions{}); apierrors.IsNotFound(err) {
			return
		}
	}
	w.T.Fatalf("%s %s still exists after %s", r.Resource, name, w.Patience)
}

// Patch merges changes into an object, as a user does.
func (w *Shop) Patch(r schema.GroupVersionResource, name, patch string) *unstructured.Unstructured {
	w.T.Helper()
	obj, err := w.Client(r).Patch(w.T.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "user"})
	if err != nil {
		w.T.Fatal(err)
	}
	return obj
}

func (w *Shop) Remove(r schema.GroupVersionResource, name string) {
	w.T.Helper()
	if err := w.Client(r).Delete(w.T.Context(), name, metav1.DeleteOptions{}); err != nil {
		w.T.Fatal(err)
	}
}
