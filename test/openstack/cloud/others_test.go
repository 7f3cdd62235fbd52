package cloud_test

import (
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/floatingips"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"kstatus.dev/examples/openstack/cloud"
	"kstatus.dev/test/openstack/fakestack/calls"
)

// made returns a resource that a user makes.
func made[T any](w *world) func(*T, error) *T {
	return func(r *T, err error) *T {
		w.Helper()
		if err != nil {
			w.Fatal(err)
		}
		return r
	}
}

// A user has resources with the names that the provider uses. They stay as they are.
func TestResourcesOfOthersStay(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	ctx, net := t.Context(), b.neutron()
	client := b.login("demo", "secret")
	at := gophercloud.EndpointOpts{Region: "RegionOne"}
	compute := made[gophercloud.ServiceClient](b.world)(openstack.NewComputeV2(client, at))
	balancing := made[gophercloud.ServiceClient](b.world)(openstack.NewLoadBalancerV2(client, at))
	name := owner.Prefix()
	n := made[networks.Network](b.world)(networks.Create(ctx, net, networks.CreateOpts{Name: name}).Extract())
	s := made[subnets.Subnet](b.world)(subnets.Create(ctx, net, subnets.CreateOpts{Name: name, NetworkID: n.ID, CIDR: "10.9.0.0/24", IPVersion: gophercloud.IPv4}).Extract())
	made[routers.Router](b.world)(routers.Create(ctx, net, routers.CreateOpts{Name: name}).Extract())
	for _, end := range []string{"-control-plane", "-worker"} {
		made[groups.SecGroup](b.world)(groups.Create(ctx, net, groups.CreateOpts{Name: name + end}).Extract())
	}
	p := made[ports.Port](b.world)(ports.Create(ctx, net, ports.CreateOpts{Name: name + "-cp-0-0", NetworkID: n.ID}).Extract())
	made[floatingips.FloatingIP](b.world)(floatingips.Create(ctx, net, floatingips.CreateOpts{FloatingNetworkID: b.prepared.External}).Extract())
	made[loadbalancers.LoadBalancer](b.world)(loadbalancers.Create(ctx, balancing, loadbalancers.CreateOpts{Name: name + "-api", VipSubnetID: s.ID}).Extract())
	made[servers.Server](b.world)(servers.Create(ctx, compute, servers.CreateOpts{
		Name: owner.ServerName("cp-0"), ImageRef: b.prepared.Image, FlavorRef: b.prepared.Flavor, Networks: []servers.Network{{Port: p.ID}},
	}, nil).Extract())
	before := b.ids()
	if len(before) < 10 {
		t.Fatalf("the user has %d resources, want more", len(before))
	}
	b.until("a build", b.all)
	b.until("a deletion", b.deleteAll)
	after := b.ids()
	for id := range before {
		if !after[id] {
			t.Errorf("resource %s of the user is gone", id)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d resources, want the %d of the user: %v", len(after), len(before), b.names())
	}
}

// A cluster in an existing network changes and deletes nothing there.
func TestExistingNetworkStays(t *testing.T) {
	w := newWorld(t, fast)
	ctx, net := t.Context(), w.neutron()
	n := made[networks.Network](w)(networks.Create(ctx, net, networks.CreateOpts{Name: "mine"}).Extract())
	first := made[subnets.Subnet](w)(subnets.Create(ctx, net, subnets.CreateOpts{Name: "a", NetworkID: n.ID, CIDR: "10.9.0.0/24", IPVersion: gophercloud.IPv4}).Extract())
	before := len(w.stack.Writes())
	spec := cloud.NetworkSpec{Network: &cloud.Filter{Name: "mine"}}
	have, err := w.c.EnsureNetwork(ctx, owner, spec)
	if err != nil || have.ID != n.ID || have.Subnet.ID != first.ID || have.Subnet.CIDR != "10.9.0.0/24" {
		t.Errorf("network %+v, error %v; want network %s with subnet %s", have, err, n.ID, first.ID)
	}
	if left, err := w.c.DeleteCluster(ctx, owner); len(left) != 0 || err != nil {
		t.Errorf("left %v, error %v; want nothing", left, err)
	}
	if writes := w.stack.Writes()[before:]; len(writes) != 0 {
		t.Errorf("the provider changed something: %v", writes)
	}
	second := made[subnets.Subnet](w)(subnets.Create(ctx, net, subnets.CreateOpts{Name: "b", NetworkID: n.ID, CIDR: "10.8.0.0/24", IPVersion: gophercloud.IPv4}).Extract())
	_, err = w.c.EnsureNetwork(ctx, owner, spec)
	w.wantReason("two subnets", err, "AmbiguousReference")
	for _, f := range []cloud.Filter{{ID: second.ID}, {Name: "b"}, {CIDR: "10.8.0.0/24"}} {
		spec.Subnet = &f
		if have, err := w.c.FindNetwork(ctx, owner, spec); err != nil || have.Subnet.ID != second.ID {
			t.Errorf("subnet %s: have %+v, error %v; want subnet %s", f, have, err, second.ID)
		}
	}
}

func TestReferencesThatCannotBeResolved(t *testing.T) {
	w := newWorld(t, fast)
	ctx, net := t.Context(), w.neutron()
	for range 2 {
		made[networks.Network](w)(networks.Create(ctx, net, networks.CreateOpts{Name: "twice"}).Extract())
		made[groups.SecGroup](w)(groups.Create(ctx, net, groups.CreateOpts{Name: "twice"}).Extract())
	}
	image, flavor := cloud.Filter{Name: calls.ImageName}, cloud.Filter{ID: w.prepared.Flavor}
	for name, test := range map[string]struct {
		spec   cloud.MachineSpec
		reason string
	}{
		"no image":            {cloud.MachineSpec{Image: cloud.Filter{Name: "no"}, Flavor: flavor}, "DependencyNotFound"},
		"no image by ID":      {cloud.MachineSpec{Image: cloud.Filter{ID: "no"}, Flavor: flavor}, "DependencyNotFound"},
		"no image by tag":     {cloud.MachineSpec{Image: cloud.Filter{Name: calls.ImageName, Tags: []string{"no"}}, Flavor: flavor}, "DependencyNotFound"},
		"an empty reference":  {cloud.MachineSpec{Flavor: flavor}, "InvalidConfiguration"},
		"no flavor":           {cloud.MachineSpec{Image: image, Flavor: cloud.Filter{Name: "no"}}, "DependencyNotFound"},
		"no server group":     {cloud.MachineSpec{Image: image, Flavor: flavor, ServerGroup: &cloud.Filter{Name: "no"}}, "DependencyNotFound"},
		"no key pair":         {cloud.MachineSpec{Image: image, Flavor: flavor, SSHKeyName: "no"}, "DependencyNotFound"},
		"no network":          {cloud.MachineSpec{Image: image, Flavor: flavor, Ports: []cloud.PortSpec{{Network: &cloud.Filter{Name: "no"}}}}, "DependencyNotFound"},
		"two networks":        {cloud.MachineSpec{Image: image, Flavor: flavor, Ports: []cloud.PortSpec{{Network: &cloud.Filter{Name: "twice"}}}}, "AmbiguousReference"},
		"no security group":   {cloud.MachineSpec{Image: image, Flavor: flavor, SecurityGroups: []cloud.Filter{{Name: "no"}}}, "DependencyNotFound"},
		"two security groups": {cloud.MachineSpec{Image: image, Flavor: flavor, SecurityGroups: []cloud.Filter{{Name: "twice"}}}, "AmbiguousReference"},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(w.stack.Writes())
			_, err := w.c.ResolveMachine(ctx, test.spec)
			w.wantReason(name, err, test.reason)
			if writes := w.stack.Writes()[before:]; len(writes) != 0 {
				t.Errorf("the provider changed something: %v", writes)
			}
		})
	}
}

// A floating IP of the user is used, and stays. One that is in use is not taken away.
func TestFloatingIPOfTheUser(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	b.until("a cluster", b.cluster)
	ctx, net := t.Context(), b.neutron()
	mine := made[floatingips.FloatingIP](b.world)(floatingips.Create(ctx, net, floatingips.CreateOpts{FloatingNetworkID: b.prepared.External}).Extract())
	spec := cloud.FloatingIPSpec{Address: mine.FloatingIP, External: cloud.Ref{ID: b.prepared.External}}
	b.until("a machine", func() error { return b.machine("cp-0") })
	b.until("the floating IP", func() error { return b.c.AttachFloatingIP(ctx, owner, "cp-0", spec) })
	have := made[floatingips.FloatingIP](b.world)(floatingips.Get(ctx, net, mine.ID).Extract())
	if have.PortID == "" || have.Description != "" || len(have.Tags) != 0 {
		t.Errorf("floating IP %+v, want one with a port, without a description and tags", have)
	}
	_, err := b.c.EnsureLoadBalancer(ctx, owner, cloud.LoadBalancerSpec{
		Network: b.network, Port: 6443, AllowedCIDRs: []string{"192.0.2.0/24"}, FloatingIP: &spec,
	})
	b.wantReason("a floating IP in use", err, "FloatingIPUnavailable")
	b.until("a deletion", b.deleteAll)
	if names := b.names(); len(names) != 1 {
		t.Errorf("left %v, want the floating IP of the user", names)
	}
}
