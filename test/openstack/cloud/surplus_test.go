package cloud_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/floatingips"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
)

// duplicate creates each resource that the owner can have twice, as a request does that takes effect
// late.
func (b *build) duplicate() {
	b.Helper()
	ctx, net, mark := b.Context(), b.neutron(), owner.Tag()
	balancing := made[gophercloud.ServiceClient](b.world)(openstack.NewLoadBalancerV2(b.login("demo", "secret"), gophercloud.EndpointOpts{Region: "RegionOne"}))
	name := owner.Prefix()
	made[networks.Network](b.world)(networks.Create(ctx, net, networks.CreateOpts{Name: name, Description: mark}).Extract())
	made[routers.Router](b.world)(routers.Create(ctx, net, routers.CreateOpts{Name: name, Description: mark}).Extract())
	for _, end := range []string{"-control-plane", "-worker"} {
		made[groups.SecGroup](b.world)(groups.Create(ctx, net, groups.CreateOpts{Name: name + end, Description: mark}).Extract())
	}
	made[floatingips.FloatingIP](b.world)(floatingips.Create(ctx, net, floatingips.CreateOpts{FloatingNetworkID: b.prepared.External, Description: mark}).Extract())
	made[loadbalancers.LoadBalancer](b.world)(loadbalancers.Create(ctx, balancing, loadbalancers.CreateOpts{Name: name + "-api", Description: mark, VipSubnetID: b.network.Subnet.ID}).Extract())
	made[ports.Port](b.world)(ports.Create(ctx, net, ports.CreateOpts{Name: name + "-cp-0-0", NetworkID: b.network.ID, Description: mark + " kstatus-machine=cp-0"}).Extract())
}

// A request to create something takes effect after its response was lost and another was sent. One of
// both resources stays, and the deletion removes both.
func TestSurplusIsDeleted(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	b.until("a build", b.all)
	want, before := b.names(), b.stack.Snapshot(b.project)
	b.duplicate()
	if have := b.names(); len(have) < len(want)+7 {
		t.Fatalf("exist:\n%q", have)
	}
	b.until("another build", b.all)
	b.until("the deletion of the load balancer", func() error { return b.cluster() })
	if have := b.names(); !slices.Equal(have, want) {
		t.Errorf("exist:\n%q\nwant:\n%q", have, want)
	}
	for kind, resources := range before {
		for _, r := range resources {
			_, id, _ := strings.Cut(r, " ")
			if isUsed := !strings.Contains(r, "-worker "); isUsed && !b.ids()[id] {
				t.Errorf("%s %s was in use, and is gone", kind, r)
			}
		}
	}
	b.duplicate()
	b.until("a deletion", b.deleteAll)
	if left := b.names(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
