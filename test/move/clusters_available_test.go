package move

import (
	"testing"
	"time"
)

// Clusters of a class become available, and their deletion leaves the cloud empty.
func TestClustersAreAvailable(t *testing.T) {
	f := newFixture(t)
	f.createClass()
	for _, n := range []int{1, 3} {
		start := time.Now()
		names := f.createClusters(n, 2)
		available := time.Since(start)
		if have, want := len(f.cloud.Resources()), n*4; have != want {
			t.Errorf("%d Clusters have %d resources in the cloud, want %d: a load balancer and three servers each", n, have, want)
		}
		start = time.Now()
		f.deleteClusters(f.from, names...)
		t.Logf("%d Clusters: available after %s, deleted after %s; source %d MiB, target %d MiB", n, available.Round(time.Second), time.Since(start).Round(time.Second), f.from.memory(), f.to.memory())
		if left := f.cloud.Resources(); len(left) > 0 {
			t.Errorf("the cloud still has %v", left)
		}
	}
}
