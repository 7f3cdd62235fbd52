package cloud

import (
	"context"
	"slices"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/floatingips"

	"kstatus.dev/clusterapi/openstack/classify"
)

// FloatingIPSpec is the floating IP of the API server.
type FloatingIPSpec struct {
	Address  string // empty means any
	External Ref    // the network that it is in
}

// FloatingIP is an address in the external network.
type FloatingIP struct{ ID, Address string }

// EnsureFloatingIP creates the floating IP of an API server without a load balancer, or finds the
// address that the spec names.
func (c *Cloud) EnsureFloatingIP(ctx context.Context, o Owner, spec FloatingIPSpec) (FloatingIP, error) {
	f, err := c.ensureFloatingIP(ctx, o, spec)
	if err != nil {
		return FloatingIP{}, err
	}
	return FloatingIP{f.ID, f.FloatingIP}, nil
}

// FindFloatingIP returns the floating IP, and changes nothing. A missing one is a failure
// DependencyNotFound.
func (c *Cloud) FindFloatingIP(ctx context.Context, o Owner, spec FloatingIPSpec) (FloatingIP, error) {
	found, err := c.floatingIPs(ctx, o, spec.Address)
	if err != nil {
		return FloatingIP{}, err
	}
	f := first(found)
	if f == nil {
		return FloatingIP{}, classify.NotFound("floating IP", "of cluster "+o.Namespace+"/"+o.Name)
	}
	return FloatingIP{f.ID, f.FloatingIP}, nil
}

// AttachFloatingIP gives the floating IP of EnsureFloatingIP to a machine, unless a machine has it. It
// is for control planes without a load balancer.
func (c *Cloud) AttachFloatingIP(ctx context.Context, o Owner, machine string, spec FloatingIPSpec) error {
	f, err := c.ensureFloatingIP(ctx, o, spec)
	if err != nil || f.PortID != "" {
		return err
	}
	list, err := c.ownPorts(ctx, o, machine)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return classify.NotFound("port", "of machine "+machine)
	}
	return c.associate(ctx, f, list[0].ID)
}

// ensureFloatingIP creates the floating IP, or finds it. A floating IP of the user gets no mark, so it
// is never deleted.
func (c *Cloud) ensureFloatingIP(ctx context.Context, o Owner, spec FloatingIPSpec) (*floatingips.FloatingIP, error) {
	found, err := c.floatingIPs(ctx, o, spec.Address)
	if err != nil {
		return nil, err
	}
	f, err := keepOne(c.network, "floating IP", "of cluster "+o.Name, found, func(f *floatingips.FloatingIP) error {
		return floatingips.Delete(ctx, c.network.Client, f.ID).ExtractErr()
	})
	if err != nil {
		return nil, err
	}
	if f == nil {
		opts := floatingips.CreateOpts{FloatingNetworkID: spec.External.ID, FloatingIP: spec.Address, Description: o.Tag()}
		if f, err = floatingips.Create(ctx, c.network.Client, opts).Extract(); err != nil {
			return nil, c.network.Explain(err, "create a floating IP in network %s", spec.External.Name)
		}
	}
	if !o.owns(f.Description, f.Tags) {
		return f, nil
	}
	return f, c.mark(ctx, "floatingips", f.ID, f.Tags, o.tags())
}

// floatingIPs returns the floating IP with an address, or those that the owner has: one, or none.
func (c *Cloud) floatingIPs(ctx context.Context, o Owner, address string) ([]floatingips.FloatingIP, error) {
	opts := floatingips.ListOpts{ProjectID: c.project, FloatingIP: address}
	list, err := all(ctx, floatingips.List(c.network.Client, opts), floatingips.ExtractFloatingIPs)
	if err != nil {
		return nil, c.network.Explain(err, "find the floating IP of cluster %s", o.Name)
	}
	list = slices.DeleteFunc(list, func(f floatingips.FloatingIP) bool {
		if address != "" {
			return f.FloatingIP != address
		}
		return !o.owns(f.Description, f.Tags)
	})
	if address != "" && len(list) > 1 { // networks may have the same addresses
		return nil, classify.Ambiguous("floating IP", address, len(list))
	}
	return inOrder(list, func(f *floatingips.FloatingIP) (bool, time.Time, string) { return f.PortID != "", f.CreatedAt, f.ID }), nil
}

// associate gives a floating IP to a port. It takes only its own floating IPs from another port.
func (c *Cloud) associate(ctx context.Context, f *floatingips.FloatingIP, port string) error {
	if f.PortID == port {
		return nil
	}
	if f.PortID != "" {
		return classify.NoFloatingIP("floating IP " + f.FloatingIP + " is in use by another port")
	}
	_, err := floatingips.Update(ctx, c.network.Client, f.ID, floatingips.UpdateOpts{PortID: &port}).Extract()
	return c.network.Explain(err, "associate the floating IP %s", f.FloatingIP)
}

// floatingIPOf returns the floating IP of a port, or nil.
func (c *Cloud) floatingIPOf(ctx context.Context, port string) (*floatingips.FloatingIP, error) {
	list, err := all(ctx, floatingips.List(c.network.Client, floatingips.ListOpts{PortID: port}), floatingips.ExtractFloatingIPs)
	if err != nil {
		return nil, c.network.Explain(err, "find the floating IP of port %s", port)
	}
	list = slices.DeleteFunc(list, func(f floatingips.FloatingIP) bool { return f.PortID != port })
	return atMostOne("floating IP", "port "+port, list)
}
