package openstackprovider

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kstatus.dev/test/fakestack"
)

// A load balancer lists a member before it sends traffic to it. The machine is not ready until then.
func TestReadyAfterMemberIsActive(t *testing.T) {
	t.Parallel()
	const takes = 2 * time.Second
	w := newFixtureWith(t, fakestack.Options{BalancerTime: takes})
	var created atomic.Int64
	w.cloud.SetHook(func(r fakestack.Request) fakestack.Fault {
		if r.Method == "POST" && strings.HasSuffix(r.Path, "/members") {
			created.Store(time.Now().UnixNano())
		}
		return fakestack.Fault{}
	})
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitFor(osMachines, "web", "IngressReady=True")
	if after := time.Since(time.Unix(0, created.Load())); after < takes {
		t.Errorf("IngressReady is True %s after the request for the member, which takes %s", after, takes)
	}
	w.WaitForReady()
	w.end()
}
