package cloud

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/portsecurity"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"

	"kstatus.dev/clusterapi/openstack/classify"
)

// EnsurePorts creates the ports of a machine. It deletes a port in another network, which an earlier spec
// requested, if no server uses it.
func (c *Cloud) EnsurePorts(ctx context.Context, o Owner, machine string, r Resolved) ([]Port, error) {
	existing, err := c.ownPorts(ctx, o, machine)
	if err != nil {
		return nil, err
	}
	var result []Port
	for i, spec := range r.Ports {
		suffix := spec.NameSuffix
		if suffix == "" {
			suffix = strconv.Itoa(i)
		}
		name := o.name(machine, suffix)
		same := slices.DeleteFunc(slices.Clone(existing), func(p ports.Port) bool { return p.Name != name })
		inOrder(same, func(p *ports.Port) (bool, time.Time, string) { return p.DeviceID != "", p.CreatedAt, p.ID })
		found, err := keepOne(c.network, "port", name, same, func(p *ports.Port) error {
			return ports.Delete(ctx, c.network.Client, p.ID).ExtractErr()
		})
		if err != nil {
			return nil, err
		}
		if found != nil && found.NetworkID != spec.Network && found.DeviceID == "" {
			if err := ports.Delete(ctx, c.network.Client, found.ID).ExtractErr(); err != nil && !classify.IsNotFound(err) {
				return nil, c.network.Explain(err, "delete the port %s", name)
			}
			found = nil
		}
		if found == nil {
			if found, err = ports.Create(ctx, c.network.Client, spec.request(o, machine, name)).Extract(); err != nil {
				return nil, c.network.Explain(err, "create the port %s", name)
			}
		}
		if err := c.mark(ctx, "ports", found.ID, found.Tags, o.tags(append([]string{machineMark(machine)}, append(spec.Tags, r.Tags...)...)...)); err != nil {
			return nil, err
		}
		port := Port{ID: found.ID, Name: found.Name, Network: found.NetworkID}
		for _, ip := range found.FixedIPs {
			port.Addresses = append(port.Addresses, ip.IPAddress)
		}
		result = append(result, port)
	}
	return result, nil
}

// request returns the request that creates the port.
func (p ResolvedPort) request(o Owner, machine, name string) ports.CreateOptsBuilder {
	opts := ports.CreateOpts{NetworkID: p.Network, Name: name, Description: o.Tag() + " " + machineMark(machine)}
	if len(p.FixedIPs) != 0 {
		var list []ports.IP
		for _, ip := range p.FixedIPs {
			list = append(list, ports.IP{SubnetID: ip.Subnet, IPAddress: ip.Address})
		}
		opts.FixedIPs = list
	}
	if p.DisablePortSecurity {
		no := false
		opts.SecurityGroups = &[]string{}
		return portsecurity.PortCreateOptsExt{CreateOptsBuilder: opts, PortSecurityEnabled: &no}
	}
	if len(p.SecurityGroups) != 0 {
		opts.SecurityGroups = &p.SecurityGroups
	}
	return opts
}

// ownPorts returns the ports that a machine has, sorted by name. Ports of an earlier spec are in the list, too.
func (c *Cloud) ownPorts(ctx context.Context, o Owner, machine string) ([]ports.Port, error) {
	description := o.Tag() + " " + machineMark(machine)
	found := map[string]ports.Port{}
	for _, opts := range []ports.ListOpts{
		{ProjectID: c.project, Description: description},
		{ProjectID: c.project, Tags: o.Tag() + "," + machineMark(machine)}, // a user may change descriptions
	} {
		list, err := all(ctx, ports.List(c.network.Client, opts), ports.ExtractPorts)
		if err != nil {
			return nil, c.network.Explain(err, "list the ports of machine %s", machine)
		}
		for _, p := range list {
			if p.Description == description || slices.Contains(p.Tags, o.Tag()) && slices.Contains(p.Tags, machineMark(machine)) {
				found[p.ID] = p
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b ports.Port) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) }), nil
}
