package real

import (
	"fmt"
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/pools"

	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/openstack/openstackshop"
)

// leastKills is how many ends of the process TestKilled must have had.
const leastKills = 60

// During the whole life of a Cluster, the process is killed after each write to the cloud, or after each
// second one, and starts again. Each resource exists once, and the project owns nothing at the end.
func TestKilled(t *testing.T) {
	var kills atomic.Int64
	t.Run("after", func(t *testing.T) {
		for _, every := range []int{1, 2} {
			t.Run(fmt.Sprint(every), func(t *testing.T) {
				t.Parallel()
				kills.Add(int64(killed(newWorld(t), every)))
			})
		}
	})
	if n := kills.Load(); n < leastKills {
		t.Errorf("the process was killed %d times, want at least %d", n, leastKills)
	}
}

// killed lets a Cluster of a class live while the process is killed after every few writes, and returns
// how often that was.
func killed(w *world, every int) int {
	w.T.Helper()
	w.Patience = 10 * time.Minute   // most of the time goes to starts
	w.Options.Observe = time.Minute // each start reads everything
	// A process that ends after its first write reports no progress of a deletion.
	stop := w.RunKilled(w.Audited("W-34"), every)
	w.RunRack()
	w.T.Cleanup(w.JoinNodes())
	start := time.Now()
	w.Apply(names.Replace(openstackshop.Class+openstackshop.Topology) + secret(w.Credentials))
	w.waitForWorkers(3)
	w.checkOnce(4)
	w.newTemplate()
	w.checkOnce(4)
	w.scale(1)
	w.checkOnce(2)
	w.Remove(openstackshop.Clusters, "shop")
	w.WaitForDeletion(openstackshop.Clusters, "shop")
	w.checkEmpty()
	lives := stop()
	n, all := 0, map[string]int{}
	for _, writes := range lives {
		if len(writes) >= every {
			n++
			all[writes[every-1]]++
		}
	}
	w.T.Logf("%d ends of the process in %s: %v", n, time.Since(start).Round(time.Second), all)
	return n
}

// checkOnce checks that a Cluster with one machine of the control plane has each resource once.
func (w *world) checkOnce(machines int) {
	w.T.Helper()
	want := map[string]int{
		"network": 1, "subnet": 1, "router": 1, "security group": 2, "floating IP": 1,
		"load balancer": 1, "listener": 1, "pool": 1, "monitor": 1,
		"server": machines, "port": machines + 2, // those of the router and of the load balancer
	}
	poll.Check(w.T, func() error { // the provider may not have deleted the second one yet
		if have := w.owned(w.T); !maps.Equal(have, want) {
			return fmt.Errorf("the project owns %v, want %v", have, want)
		}
		return nil
	})
	page, err := pools.List(w.balancer, pools.ListOpts{}).AllPages(w.T.Context())
	check(w.T, "list the pools", err)
	all, err := pools.ExtractPools(page)
	check(w.T, "read the pools", err)
	for _, p := range all {
		if len(p.Members) != 1 {
			w.T.Errorf("pool %s has %d members, want 1", p.Name, len(p.Members))
		}
	}
}
