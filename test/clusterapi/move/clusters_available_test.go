package move

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/test/lib/cluster"
)

// Clusters of a class become available, in the namespace of the class and in another. Their
// deletion leaves the cloud empty.
func TestClustersAreAvailable(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	for _, test := range []struct {
		*fixture
		n int
	}{{f.at(f.classNS), 1}, {f, 3}} {
		start := time.Now()
		names := test.createClusters(test.n, 2)
		available := time.Since(start)
		if have, want := len(f.cloud.Resources()), test.n*4; have != want {
			t.Errorf("%d Clusters have %d resources in the cloud, want %d: a load balancer and three servers each", test.n, have, want)
		}
		test.checkObjects(names)
		start = time.Now()
		test.deleteClusters(f.from, names...)
		t.Logf("%d Clusters: available after %s, deleted after %s; source %d MiB, target %d MiB", test.n, available.Round(time.Second), time.Since(start).Round(time.Second), f.from.memory(), f.to.memory())
		if left := f.cloud.Resources(); len(left) > 0 {
			t.Errorf("the cloud still has %v", left)
		}
	}
}

// checkObjects checks that the Clusters have the objects that a move must take along.
func (f *fixture) checkObjects(clusters []string) {
	f.t.Helper()
	for _, cluster := range clusters {
		for r, names := range map[schema.GroupVersionResource][]string{
			bindings: {cluster}, checks: {cluster}, claims: {cluster}, addresses: {cluster},
			secrets: {cluster + "-ca", cluster + "-kubeconfig", "shelf-identity"},
		} {
			for _, name := range names {
				until(f.t, r.Resource+" "+name, func() error {
					_, err := f.in(f.from, r).Get(f.t.Context(), name, metav1.GetOptions{})
					return err
				})
			}
		}
		o, err := f.in(f.from, shelfClusters).List(f.t.Context(), metav1.ListOptions{LabelSelector: "cluster.x-k8s.io/cluster-name=" + cluster})
		if err != nil || len(o.Items) != 1 || field(&o.Items[0], "spec", "identityRef", "name") != "shelf-identity" {
			f.t.Errorf("Cluster %s: want a ShelfCluster with an identity, have %v (%v)", cluster, o, err)
		}
	}
	machines, all := f.names(f.from, shelfMachines), f.names(f.from, secrets)
	for _, name := range machines {
		if !slices.Contains(all, name) {
			f.t.Errorf("ShelfMachine %s has no Secret with bootstrap data of its name", name)
		}
	}
	if want := 3 * len(clusters); len(machines) != want {
		f.t.Errorf("%s, want %d", fmt.Sprint(len(machines), " ShelfMachines: ", strings.Join(machines, ", ")), want)
	}
}
