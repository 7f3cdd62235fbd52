package cloud

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/external"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"kstatus.dev/clusterapi/openstack/classify"
)

// Network is a network with the subnet for machines.
type Network struct {
	ID, Name string
	Subnet   Subnet
}

// Subnet is a subnet of a network.
type Subnet struct{ ID, Name, CIDR string }

// IPv6 reports whether the addresses of the subnet are IPv6.
func (s Subnet) IPv6() bool {
	p, err := netip.ParsePrefix(s.CIDR)
	return err == nil && p.Addr().Is6()
}

// NetworkSpec is the network of a cluster: a managed one or an existing one.
type NetworkSpec struct {
	Managed *ManagedSubnet // the subnet to create, in a network to create
	Network *Filter        // otherwise an existing network
	Subnet  *Filter        // of Network; nil means its only subnet
}

// ManagedSubnet is a subnet to create.
type ManagedSubnet struct {
	CIDR           string
	DNSNameservers []string
	Pools          []AddressPool // empty means all addresses
}

// AddressPool is a range of addresses, with both ends.
type AddressPool struct{ Start, End string }

// EnsureNetwork creates the network and the subnet of a cluster, or finds the existing ones.
func (c *Cloud) EnsureNetwork(ctx context.Context, o Owner, spec NetworkSpec) (Network, error) {
	if spec.Managed == nil {
		return c.FindNetwork(ctx, o, spec)
	}
	own, err := c.ownNetworks(ctx, o)
	if err != nil {
		return Network{}, err
	}
	n, err := keepOne(c.network, "network", o.name(), own, func(n *networks.Network) error {
		return networks.Delete(ctx, c.network.Client, n.ID).ExtractErr()
	})
	if err != nil {
		return Network{}, err
	}
	if n == nil {
		if n, err = networks.Create(ctx, c.network.Client, networks.CreateOpts{Name: o.name(), Description: o.Tag()}).Extract(); err != nil {
			return Network{}, c.network.Explain(err, "create the network %s", o.name())
		}
	}
	if err := c.mark(ctx, "networks", n.ID, n.Tags, o.tags()); err != nil {
		return Network{}, err
	}
	s, err := c.ownSubnet(ctx, o, n.ID)
	if err != nil {
		return Network{}, err
	}
	if s == nil {
		opts, err := spec.Managed.request(o, n.ID)
		if err != nil {
			return Network{}, err
		}
		if s, err = subnets.Create(ctx, c.network.Client, opts).Extract(); err != nil {
			return Network{}, c.network.Explain(err, "create the subnet %s", o.name())
		}
	}
	if !sameCIDR(s.CIDR, spec.Managed.CIDR) {
		return Network{}, classify.Invalid(fmt.Sprintf("subnet %s has the CIDR %s, and the spec has %s: a subnet cannot change, restore the CIDR in the spec",
			s.Name, s.CIDR, spec.Managed.CIDR))
	}
	if err := c.mark(ctx, "subnets", s.ID, s.Tags, o.tags()); err != nil {
		return Network{}, err
	}
	return Network{n.ID, n.Name, Subnet{s.ID, s.Name, s.CIDR}}, nil
}

// request returns the request that creates the subnet.
func (m ManagedSubnet) request(o Owner, network string) (subnets.CreateOpts, error) {
	prefix, err := netip.ParsePrefix(m.CIDR)
	if err != nil {
		return subnets.CreateOpts{}, classify.Invalid("managedSubnets: " + m.CIDR + " is not a CIDR")
	}
	opts := subnets.CreateOpts{NetworkID: network, Name: o.name(), Description: o.Tag(), CIDR: m.CIDR, IPVersion: gophercloud.IPv4, DNSNameservers: m.DNSNameservers}
	if prefix.Addr().Is6() {
		opts.IPVersion, opts.IPv6AddressMode, opts.IPv6RAMode = gophercloud.IPv6, "slaac", "slaac"
	}
	for _, p := range m.Pools {
		opts.AllocationPools = append(opts.AllocationPools, subnets.AllocationPool{Start: p.Start, End: p.End})
	}
	return opts, nil
}

// sameCIDR reports whether two texts are the same range of addresses.
func sameCIDR(a, b string) bool {
	p, errA := netip.ParsePrefix(a)
	q, errB := netip.ParsePrefix(b)
	return errA == nil && errB == nil && p.Masked() == q.Masked()
}

// FindNetwork returns what EnsureNetwork returns, and creates nothing. A missing network is a failure
// DependencyNotFound.
func (c *Cloud) FindNetwork(ctx context.Context, o Owner, spec NetworkSpec) (Network, error) {
	if spec.Managed == nil {
		return c.existingNetwork(ctx, spec)
	}
	own, err := c.ownNetworks(ctx, o)
	if err != nil {
		return Network{}, err
	}
	n := first(own)
	if n == nil {
		return Network{}, classify.NotFound("network", o.name())
	}
	s, err := c.ownSubnet(ctx, o, n.ID)
	if err != nil {
		return Network{}, err
	}
	if s == nil {
		return Network{}, classify.NotFound("subnet", o.name())
	}
	return Network{n.ID, n.Name, Subnet{s.ID, s.Name, s.CIDR}}, nil
}

// existingNetwork finds a network of the user.
func (c *Cloud) existingNetwork(ctx context.Context, spec NetworkSpec) (Network, error) {
	if spec.Network == nil {
		return Network{}, classify.Invalid("the spec has neither managedSubnets nor a network")
	}
	n, err := c.pickNetwork(ctx, *spec.Network)
	if err != nil {
		return Network{}, err
	}
	var s *subnets.Subnet
	if spec.Subnet != nil {
		s, err = c.pickSubnet(ctx, n.ID, *spec.Subnet)
	} else {
		var list []subnets.Subnet
		if list, err = c.subnetsOf(ctx, n.ID, ""); err == nil {
			s, err = atMostOne("subnet", "network "+n.Name, list)
		}
	}
	if err != nil {
		return Network{}, err
	}
	if s == nil {
		return Network{}, classify.NotFound("subnet", "of network "+n.Name)
	}
	return Network{n.ID, n.Name, Subnet{s.ID, s.Name, s.CIDR}}, nil
}

// ownNetworks returns the networks that the owner has: one, or none.
func (c *Cloud) ownNetworks(ctx context.Context, o Owner) ([]networks.Network, error) {
	opts := networks.ListOpts{Name: o.name(), ProjectID: c.project}
	list, err := all(ctx, networks.List(c.network.Client, opts), networks.ExtractNetworks)
	if err != nil {
		return nil, c.network.Explain(err, "find the network %s", o.name())
	}
	list = slices.DeleteFunc(list, func(n networks.Network) bool { return n.Name != o.name() || !o.owns(n.Description, n.Tags) })
	return inOrder(list, func(n *networks.Network) (bool, time.Time, string) { return false, n.CreatedAt, n.ID }), nil
}

// ownSubnet returns the subnet that the owner has in a network, or nil.
func (c *Cloud) ownSubnet(ctx context.Context, o Owner, network string) (*subnets.Subnet, error) {
	list, err := c.subnetsOf(ctx, network, o.name())
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(s subnets.Subnet) bool { return s.Name != o.name() || !o.owns(s.Description, s.Tags) })
	return atMostOne("subnet", o.name(), list)
}

// subnetsOf lists the subnets of a network with a name. An empty name means all.
func (c *Cloud) subnetsOf(ctx context.Context, network, name string) ([]subnets.Subnet, error) {
	list, err := all(ctx, subnets.List(c.network.Client, subnets.ListOpts{NetworkID: network, Name: name}), subnets.ExtractSubnets)
	return list, c.network.Explain(err, "list the subnets of network %s", network)
}

// pickNetwork returns the network that a filter selects.
func (c *Cloud) pickNetwork(ctx context.Context, f Filter) (*networks.Network, error) {
	opts := networks.ListOpts{ID: f.ID, Name: f.Name, Tags: strings.Join(f.Tags, ",")}
	list, err := all(ctx, networks.List(c.network.Client, opts), networks.ExtractNetworks)
	if err != nil {
		return nil, c.network.Explain(err, "find the network %s", f)
	}
	return pick("network", f, list, func(n *networks.Network) bool { return f.match(n.ID, n.Name, n.Tags) })
}

// pickSubnet returns the subnet of a network that a filter selects.
func (c *Cloud) pickSubnet(ctx context.Context, network string, f Filter) (*subnets.Subnet, error) {
	list, err := c.subnetsOf(ctx, network, f.Name)
	if err != nil {
		return nil, err
	}
	return pick("subnet", f, list, func(s *subnets.Subnet) bool {
		return f.match(s.ID, s.Name, s.Tags) && (f.CIDR == "" || sameCIDR(f.CIDR, s.CIDR))
	})
}

// ExternalNetwork finds the external network. Without a filter it is the only external network of the
// cloud. It is nil if there is no filter and no external network.
func (c *Cloud) ExternalNetwork(ctx context.Context, f *Filter) (*Ref, error) {
	yes := true
	opts := networks.ListOpts{}
	if f != nil {
		opts = networks.ListOpts{ID: f.ID, Name: f.Name, Tags: strings.Join(f.Tags, ",")}
	}
	list, err := all(ctx, networks.List(c.network.Client, external.ListOptsExt{ListOptsBuilder: opts, External: &yes}), networks.ExtractNetworks)
	if err != nil {
		return nil, c.network.Explain(err, "find the external network")
	}
	var n *networks.Network
	if f != nil {
		n, err = pick("external network", *f, list, func(n *networks.Network) bool { return f.match(n.ID, n.Name, n.Tags) })
	} else {
		n, err = atMostOne("external network", "the cloud", list)
	}
	if err != nil || n == nil {
		return nil, err
	}
	return &Ref{n.ID, n.Name}, nil
}

// single returns the CIDR of one address.
func single(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	return netip.PrefixFrom(ip, ip.BitLen()).String()
}
