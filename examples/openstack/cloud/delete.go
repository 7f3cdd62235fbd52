package cloud

import (
	"context"
	"errors"
	"slices"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/floatingips"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/examples/openstack/cloud/session"
)

// A deletion is one pass over what an owner has.
type deletion struct {
	*Cloud
	owner Owner
	left  []string
	errs  []error
}

// DeleteCluster deletes what belongs to a cluster, in order, in one pass: it deletes what it can, and
// does not wait. It returns what is left, sorted, for users: "load balancer k8s-default-prod-api". An
// empty list without an error means that everything is deleted. With an error, the list may be
// incomplete.
//
// In another project, nothing seems to exist: compare the project first.
func (c *Cloud) DeleteCluster(ctx context.Context, o Owner) (left []string, err error) {
	d := &deletion{Cloud: c, owner: o}
	d.deleteLoadBalancer(ctx)
	d.deleteFloatingIP(ctx)
	d.deleteRouter(ctx)
	d.deleteNetwork(ctx)
	d.deleteSecurityGroups(ctx)
	return d.result()
}

// DeleteMachine does the same for a machine: its member of the load balancer, its server and its
// ports.
func (c *Cloud) DeleteMachine(ctx context.Context, o Owner, machine string) (left []string, err error) {
	d := &deletion{Cloud: c, owner: o}
	d.after(d.balancing, "member", o.ServerName(machine), c.RemoveMember(ctx, o, machine))
	d.deleteServer(ctx, machine)
	return d.result()
}

// result returns what is left, and why.
func (d *deletion) result() ([]string, error) {
	slices.Sort(d.left)
	d.left = slices.Compact(d.left)
	if len(d.errs) == 0 {
		return d.left, nil
	}
	return d.left, classify.Error(errors.Join(d.errs...))
}

// failed records an error.
func (d *deletion) failed(err error) bool {
	if err != nil {
		d.errs = append(d.errs, err)
	}
	return err != nil
}

// after records the result of a request to delete something. It reports whether it no longer exists. A
// conflict is no error: something else has to be deleted first.
func (d *deletion) after(s session.Service, kind, name string, err error) bool {
	if err == nil || classify.IsNotFound(err) {
		return true
	}
	d.left = append(d.left, kind+" "+name)
	if !gophercloud.ResponseCodeIs(err, 409) {
		d.failed(s.Explain(err, "delete the %s %s", kind, name))
	}
	return false
}

func (d *deletion) deleteLoadBalancer(ctx context.Context) {
	if d.balancing.Missing() != nil {
		return
	}
	own, err := d.loadBalancers(ctx, d.owner)
	if d.failed(err) {
		return
	}
	for _, lb := range own {
		if lb.ProvisioningStatus != "PENDING_DELETE" {
			err = loadbalancers.Delete(ctx, d.balancing.Client, lb.ID, loadbalancers.DeleteOpts{Cascade: true}).ExtractErr()
		}
		if d.after(d.balancing, "load balancer", lb.Name, err) && !classify.IsNotFound(err) {
			d.left = append(d.left, "load balancer "+lb.Name) // until the deletion is complete
		}
	}
}

func (d *deletion) deleteFloatingIP(ctx context.Context) {
	own, err := d.floatingIPs(ctx, d.owner, "")
	if d.failed(err) {
		return
	}
	for _, f := range own {
		d.after(d.network, "floating IP", f.FloatingIP, floatingips.Delete(ctx, d.network.Client, f.ID).ExtractErr())
	}
}

// deleteRouter deletes the interfaces of all routers in the network of the owner, and the router of the
// owner.
func (d *deletion) deleteRouter(ctx context.Context) {
	own, err := d.ownNetworks(ctx, d.owner)
	if d.failed(err) {
		return
	}
	for _, n := range own {
		interfaces, err := d.interfaces(ctx, n.ID)
		if d.failed(err) {
			return
		}
		for _, p := range interfaces {
			_, err := routers.RemoveInterface(ctx, d.network.Client, p.DeviceID, routers.RemoveInterfaceOpts{PortID: p.ID}).Extract()
			d.after(d.network, "interface of network", n.Name, err)
		}
	}
	found, err := d.routers(ctx, d.owner, RouterSpec{})
	if d.failed(err) {
		return
	}
	for _, r := range found {
		d.after(d.network, "router", r.Name, routers.Delete(ctx, d.network.Client, r.ID).ExtractErr())
	}
}

// deleteNetwork deletes the network with its subnets.
func (d *deletion) deleteNetwork(ctx context.Context) {
	own, err := d.ownNetworks(ctx, d.owner)
	if d.failed(err) {
		return
	}
	for _, n := range own {
		d.after(d.network, "network", n.Name, networks.Delete(ctx, d.network.Client, n.ID).ExtractErr())
	}
}

func (d *deletion) deleteSecurityGroups(ctx context.Context) {
	for _, kind := range []string{controlPlaneGroup, workerGroup} {
		own, err := d.ownGroups(ctx, d.owner, d.owner.name(kind))
		d.failed(err)
		for _, g := range own {
			d.after(d.network, "security group", g.Name, groups.Delete(ctx, d.network.Client, g.ID).ExtractErr())
		}
	}
}

// deleteServer deletes the server of a machine, and then its ports: a server that exists needs them.
// The server of an earlier machine stays, with its ports.
func (d *deletion) deleteServer(ctx context.Context, machine string) {
	s, earlier, err := d.findServer(ctx, d.owner, machine)
	if d.failed(err) {
		return
	}
	gone := s == nil
	if !gone {
		switch {
		case s.Status == "SOFT_DELETED": // some clouds keep deleted servers for days, with their ports
			err = servers.ForceDelete(ctx, d.compute.Client, s.ID).ExtractErr()
		case s.TaskState != "deleting":
			err = servers.Delete(ctx, d.compute.Client, s.ID).ExtractErr()
		}
		if d.after(d.compute, "server", s.Name, err) {
			if gone = classify.IsNotFound(err); !gone {
				d.left = append(d.left, "server "+s.Name) // until the deletion is complete
			}
		}
	}
	list, err := d.ownPorts(ctx, d.owner, machine)
	if d.failed(err) {
		return
	}
	for _, p := range list {
		if earlier != nil && p.DeviceID == earlier.ID {
			continue
		}
		if !gone {
			d.left = append(d.left, "port "+p.Name)
			continue
		}
		d.after(d.network, "port", p.Name, ports.Delete(ctx, d.network.Client, p.ID).ExtractErr())
	}
}
