package cloud

import (
	"context"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/flavors"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servergroups"
	"github.com/gophercloud/gophercloud/v2/openstack/image/v2/images"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"

	"kstatus.dev/clusterapi/openstack/classify"
)

// ResolveMachine finds everything that a machine refers to, before anything is created. It returns a
// failure DependencyNotFound or AmbiguousReference for the first one that it cannot find.
func (c *Cloud) ResolveMachine(ctx context.Context, spec MachineSpec) (r Resolved, err error) {
	r = Resolved{SSHKeyName: spec.SSHKeyName, Zone: spec.Zone, Metadata: spec.Metadata, Tags: spec.Tags, ConfigDrive: spec.ConfigDrive}
	if r.Image, err = c.resolveImage(ctx, spec.Image); err != nil {
		return Resolved{}, err
	}
	if r.Flavor, r.FlavorName, err = c.resolveFlavor(ctx, spec.Flavor); err != nil {
		return Resolved{}, err
	}
	if spec.ServerGroup != nil {
		if r.ServerGroup, err = c.resolveServerGroup(ctx, *spec.ServerGroup); err != nil {
			return Resolved{}, err
		}
	}
	if spec.SSHKeyName != "" {
		_, err := keypairs.Get(ctx, c.compute.Client, spec.SSHKeyName, nil).Extract()
		if classify.IsNotFound(err) {
			return Resolved{}, classify.NotFound("key pair", spec.SSHKeyName)
		}
		if err != nil {
			return Resolved{}, c.compute.Explain(err, "find the key pair %s", spec.SSHKeyName)
		}
	}
	shared, err := c.resolveGroups(ctx, spec.SecurityGroups)
	if err != nil {
		return Resolved{}, err
	}
	for _, g := range spec.ManagedGroups {
		shared = append(shared, g.ID)
	}
	list := spec.Ports
	if len(list) == 0 {
		list = []PortSpec{{}}
	}
	for _, p := range list {
		resolved, err := c.resolvePort(ctx, spec.Network, p, unique(shared))
		if err != nil {
			return Resolved{}, err
		}
		r.Ports = append(r.Ports, resolved)
	}
	return r, nil
}

// resolveImage returns the ID of an image.
func (c *Cloud) resolveImage(ctx context.Context, f Filter) (string, error) {
	var list []images.Image
	var err error
	if f.ID != "" {
		var found *images.Image
		if found, err = images.Get(ctx, c.image.Client, f.ID).Extract(); err == nil {
			list = []images.Image{*found}
		}
	} else if !f.empty() {
		list, err = all(ctx, images.List(c.image.Client, images.ListOpts{Name: f.Name, Tags: f.Tags}), images.ExtractImages)
	}
	if err != nil && !classify.IsNotFound(err) {
		return "", c.image.Explain(err, "find the image %s", f)
	}
	found, err := pick("image", f, list, func(i *images.Image) bool {
		return i.Status == images.ImageStatusActive && f.match(i.ID, i.Name, i.Tags)
	})
	if err != nil {
		return "", err
	}
	return found.ID, nil
}

// resolveFlavor returns the ID and the name of a flavor.
func (c *Cloud) resolveFlavor(ctx context.Context, f Filter) (id, name string, err error) {
	list, err := all(ctx, flavors.ListDetail(c.compute.Client, flavors.ListOpts{AccessType: flavors.AllAccess}), flavors.ExtractFlavors)
	if err != nil {
		return "", "", c.compute.Explain(err, "find the flavor %s", f)
	}
	found, err := pick("flavor", f, list, func(l *flavors.Flavor) bool { return f.match(l.ID, l.Name, nil) })
	if err != nil {
		return "", "", err
	}
	return found.ID, found.Name, nil
}

// resolveServerGroup returns the ID of a server group.
func (c *Cloud) resolveServerGroup(ctx context.Context, f Filter) (string, error) {
	list, err := all(ctx, servergroups.List(c.compute.Client, nil), servergroups.ExtractServerGroups)
	if err != nil {
		return "", c.compute.Explain(err, "find the server group %s", f)
	}
	found, err := pick("server group", f, list, func(g *servergroups.ServerGroup) bool { return f.match(g.ID, g.Name, nil) })
	if err != nil {
		return "", err
	}
	return found.ID, nil
}

// resolveGroups returns the IDs of security groups.
func (c *Cloud) resolveGroups(ctx context.Context, filters []Filter) (ids []string, err error) {
	for _, f := range filters {
		list, err := all(ctx, groups.List(c.network.Client, groups.ListOpts{ID: f.ID, Name: f.Name}), groups.ExtractGroups)
		if err != nil {
			return nil, c.network.Explain(err, "find the security group %s", f)
		}
		g, err := pick("security group", f, list, func(g *groups.SecGroup) bool { return f.match(g.ID, g.Name, g.Tags) })
		if err != nil {
			return nil, err
		}
		ids = append(ids, g.ID)
	}
	return ids, nil
}

// resolvePort finds what a port refers to. A port without a network is in the network of the cluster, and
// one without groups has those of the machine.
func (c *Cloud) resolvePort(ctx context.Context, cluster Network, p PortSpec, shared []string) (r ResolvedPort, err error) {
	r = ResolvedPort{NameSuffix: p.NameSuffix, Network: cluster.ID, DisablePortSecurity: p.DisablePortSecurity, Tags: p.Tags, SecurityGroups: shared}
	if p.Network != nil {
		n, err := c.pickNetwork(ctx, *p.Network)
		if err != nil {
			return r, err
		}
		r.Network = n.ID
	} else if len(p.FixedIPs) == 0 {
		r.FixedIPs = []ResolvedIP{{Subnet: cluster.Subnet.ID}}
	}
	for _, ip := range p.FixedIPs {
		resolved := ResolvedIP{Address: ip.Address}
		if ip.Subnet != nil {
			s, err := c.pickSubnet(ctx, r.Network, *ip.Subnet)
			if err != nil {
				return r, err
			}
			resolved.Subnet = s.ID
		}
		r.FixedIPs = append(r.FixedIPs, resolved)
	}
	switch {
	case p.DisablePortSecurity:
		r.SecurityGroups = nil
	case len(p.SecurityGroups) != 0:
		r.SecurityGroups, err = c.resolveGroups(ctx, p.SecurityGroups)
	}
	return r, err
}
