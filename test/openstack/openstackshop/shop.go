// Package openstackshop runs the provider of examples/openstack with the core manager of Cluster API.
// The OpenStack is that of the caller: one in memory, or a real one.
package openstackshop

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
	manifests "kstatus.dev/examples/openstack/config"
	"kstatus.dev/examples/openstack/controller"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/clusterapi/rack"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
)

// The kinds that the tests use.
var (
	Clusters       = managers.Clusters
	Machines       = managers.Machines
	OSClusters     = managers.Resource("infrastructure.openstack.kstatus.dev", "v1beta1", "openstackclusters")
	OSMachines     = managers.Resource("infrastructure.openstack.kstatus.dev", "v1beta1", "openstackmachines")
	ClusterClasses = managers.Resource("cluster.x-k8s.io", "v1beta2", "clusterclasses")
)

// A Shop is a namespace of a cluster for one test.
type Shop struct {
	*managers.Fixture
	Options controller.Options
	Clouds  cloud.Options
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
		Fixture: managers.NewFixture(t, c, namespace),
		Options: controller.Options{Observe: 500 * time.Millisecond, Grace: 3 * time.Second, Delay: quick},
		Clouds:  cloud.Options{Rate: 200, Burst: 400, Cooldown: 200 * time.Millisecond, Timeout: 5 * time.Second, UserAgent: "openstack-provider"},
	}
	t.Cleanup(func() {
		if t.Failed() {
			for _, r := range []schema.GroupVersionResource{OSClusters, OSMachines} {
				list, _ := w.Client(r).List(context.Background(), metav1.ListOptions{})
				for i := range list.Items {
					t.Logf("%s %s:\n%s", r.Resource, list.Items[i].GetName(), managers.Summary(&list.Items[i]))
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

// WaitForReady waits until the objects of the shop are ready at their latest generation.
func (w *Shop) WaitForReady() {
	w.T.Helper()
	latest := func(obj *unstructured.Unstructured) bool {
		return managers.Field(obj, "status", "observedGeneration") == obj.GetGeneration()
	}
	w.WaitUntil(OSClusters, "shop", "ready", managers.AllOf(managers.HasCondition("Ready=True"), managers.HasCondition("Paused=False"), latest))
	w.WaitUntil(OSMachines, "web", "ready", managers.AllOf(managers.HasCondition("Ready=True"), managers.HasCondition("Paused=False"), latest))
}
