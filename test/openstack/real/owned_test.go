package real

import (
	"context"
	"maps"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/floatingips"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"kstatus.dev/test/openstack/openstackkit"
)

// The fixture counts each kind, and a quota that the kit sets limits the project.
func TestOwned(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	one := 1
	check(t, "set the quota", kit.SetQuota(ctx, f.project, openstackkit.Quota{Networks: &one, LoadBalancers: &one, Instances: &one}))
	n, err := networks.Create(ctx, f.network, networks.CreateOpts{Name: "n"}).Extract()
	check(t, "create a network", err)
	if _, err := networks.Create(ctx, f.network, networks.CreateOpts{Name: "n"}).Extract(); !gophercloud.ResponseCodeIs(err, 409) {
		t.Errorf("a network beyond the quota: %v", err)
	}
	s, err := subnets.Create(ctx, f.network, subnets.CreateOpts{NetworkID: n.ID, CIDR: "10.0.0.0/24", IPVersion: gophercloud.IPv4}).Extract()
	check(t, "create a subnet", err)
	r, err := routers.Create(ctx, f.network, routers.CreateOpts{Name: "r"}).Extract()
	check(t, "create a router", err)
	g, err := groups.Create(ctx, f.network, groups.CreateOpts{Name: "g"}).Extract()
	check(t, "create a security group", err)
	a, err := floatingips.Create(ctx, f.network, floatingips.CreateOpts{FloatingNetworkID: prepared.External}).Extract()
	check(t, "create a floating IP", err)
	l, err := loadbalancers.Create(ctx, f.balancer, loadbalancers.CreateOpts{Name: "l", VipSubnetID: s.ID}).Extract()
	check(t, "create a load balancer", err)
	want := map[string]int{"network": 1, "subnet": 1, "port": 1, "router": 1, "security group": 1, "floating IP": 1, "load balancer": 1}
	if have := f.owned(t); !maps.Equal(have, want) {
		t.Errorf("the project owns %v, want %v", have, want)
	}
	settle(t, f, l.ID, "ACTIVE")
	check(t, "delete the load balancer", loadbalancers.Delete(ctx, f.balancer, l.ID, nil).ExtractErr())
	settle(t, f, l.ID, "")
	check(t, "delete the floating IP", floatingips.Delete(ctx, f.network, a.ID).ExtractErr())
	check(t, "delete the router", routers.Delete(ctx, f.network, r.ID).ExtractErr())
	check(t, "delete the network", networks.Delete(ctx, f.network, n.ID).ExtractErr())
	check(t, "delete the security group", groups.Delete(ctx, f.network, g.ID).ExtractErr())
	if have := f.owned(t); len(have) > 0 {
		t.Errorf("the project owns %v, want none", have)
	}
}

// settle waits until a load balancer has a status, or with an empty one until it has gone.
func settle(t *testing.T, f *fixture, id, status string) {
	t.Helper()
	check(t, "wait for the load balancer", gophercloud.WaitFor(t.Context(), func(ctx context.Context) (bool, error) {
		l, err := loadbalancers.Get(ctx, f.balancer, id).Extract()
		if gophercloud.ResponseCodeIs(err, 404) {
			return status == "", nil
		}
		return err == nil && l.ProvisioningStatus == status, err
	}))
}
