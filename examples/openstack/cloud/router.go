package cloud

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"

	"kstatus.dev/clusterapi/openstack/classify"
)

// RouterSpec is the router of a managed network.
type RouterSpec struct {
	Router   *Filter // an existing router; nil means one to create
	External *Ref    // the network of the gateway of a router to create; nil means no gateway
	Network  Network // with the subnet that the router needs an interface in
}

// EnsureRouter creates the router with its gateway, or finds the existing one, and gives it an
// interface in the subnet.
func (c *Cloud) EnsureRouter(ctx context.Context, o Owner, spec RouterSpec) (Ref, error) {
	found, err := c.routers(ctx, o, spec)
	if err != nil {
		return Ref{}, err
	}
	r, err := keepOne(c.network, "router", o.name(), found, func(r *routers.Router) error {
		return routers.Delete(ctx, c.network.Client, r.ID).ExtractErr()
	})
	if err != nil {
		return Ref{}, err
	}
	if r == nil {
		opts := routers.CreateOpts{Name: o.name(), Description: o.Tag()}
		if spec.External != nil {
			opts.GatewayInfo = &routers.GatewayInfo{NetworkID: spec.External.ID}
		}
		if r, err = routers.Create(ctx, c.network.Client, opts).Extract(); err != nil {
			return Ref{}, c.network.Explain(err, "create the router %s", o.name())
		}
	}
	if spec.Router == nil {
		if err := c.mark(ctx, "routers", r.ID, r.Tags, o.tags()); err != nil {
			return Ref{}, err
		}
	}
	interfaces, err := c.interfaces(ctx, spec.Network.ID)
	if err != nil {
		return Ref{}, err
	}
	connected := slices.ContainsFunc(interfaces, func(p ports.Port) bool {
		return p.DeviceID == r.ID && slices.ContainsFunc(p.FixedIPs, func(ip ports.IP) bool { return ip.SubnetID == spec.Network.Subnet.ID })
	})
	if !connected {
		_, err := routers.AddInterface(ctx, c.network.Client, r.ID, routers.AddInterfaceOpts{SubnetID: spec.Network.Subnet.ID}).Extract()
		if err != nil {
			return Ref{}, c.network.Explain(err, "connect the router %s with the subnet %s", r.Name, spec.Network.Subnet.Name)
		}
	}
	return Ref{r.ID, r.Name}, nil
}

// FindRouter returns the router, and changes nothing. A missing router is a failure DependencyNotFound.
func (c *Cloud) FindRouter(ctx context.Context, o Owner, spec RouterSpec) (Ref, error) {
	found, err := c.routers(ctx, o, spec)
	if err != nil {
		return Ref{}, err
	}
	r := first(found)
	if r == nil {
		return Ref{}, classify.NotFound("router", o.name())
	}
	return Ref{r.ID, r.Name}, nil
}

// routers returns the existing router of the spec, or else the routers that the owner has: one, or none.
func (c *Cloud) routers(ctx context.Context, o Owner, spec RouterSpec) ([]routers.Router, error) {
	opts := routers.ListOpts{Name: o.name(), ProjectID: c.project}
	if f := spec.Router; f != nil {
		opts = routers.ListOpts{ID: f.ID, Name: f.Name, Tags: strings.Join(f.Tags, ",")}
	}
	list, err := all(ctx, routers.List(c.network.Client, opts), routers.ExtractRouters)
	if err != nil {
		return nil, c.network.Explain(err, "find the router of cluster %s", o.Name)
	}
	if f := spec.Router; f != nil {
		r, err := pick("router", *f, list, func(r *routers.Router) bool { return f.match(r.ID, r.Name, r.Tags) })
		if err != nil {
			return nil, err
		}
		return []routers.Router{*r}, nil
	}
	list = slices.DeleteFunc(list, func(r routers.Router) bool { return r.Name != o.name() || !o.owns(r.Description, r.Tags) })
	return inOrder(list, func(r *routers.Router) (bool, time.Time, string) { return false, r.CreatedAt, r.ID }), nil
}

// interfaces returns the ports that connect a network with routers.
func (c *Cloud) interfaces(ctx context.Context, network string) ([]ports.Port, error) {
	list, err := all(ctx, ports.List(c.network.Client, ports.ListOpts{NetworkID: network}), ports.ExtractPorts)
	if err != nil {
		return nil, c.network.Explain(err, "list the router interfaces of network %s", network)
	}
	return slices.DeleteFunc(list, func(p ports.Port) bool {
		return p.NetworkID != network || !strings.HasPrefix(p.DeviceOwner, "network:router_interface")
	}), nil
}
