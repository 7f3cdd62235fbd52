package calls

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/attributestags"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/rules"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"
)

func join(all []string) string { return strings.Join(all, ", ") }

// The kinds of resources, as the tags of neutron name them.
const (
	networkKind  = "networks"
	subnetKind   = "subnets"
	routerKind   = "routers"
	portKind     = "ports"
	groupKind    = "security-groups"
	floatingKind = "floatingips"
)

// tag replaces the tags of a resource.
func tag(kind, name string, tags ...string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		_, err := attributestags.ReplaceAll(ctx, r.Network, kind, r.ids[name], attributestags.ReplaceAllOpts{Tags: tags}).Extract()
		if err != nil {
			return "", err
		}
		have, err := attributestags.List(ctx, r.Network, kind, r.ids[name]).Extract()
		slices.Sort(have)
		return join(have), err
	}
}

func createNetwork(name string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		n, err := networks.Create(ctx, r.Network, networks.CreateOpts{Name: "n", Description: "a network"}).Extract()
		if err != nil {
			return "", err
		}
		r.ids[name] = n.ID
		return fmt.Sprint(n.Name, " ", n.Status, " ", n.Description, " ", n.Subnets, n.Tags, " ", n.ProjectID == r.Project, n.Shared), nil
	}
}

func findNetworks(o networks.ListOpts) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		pages, err := networks.List(r.Network, o).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := networks.ExtractNetworks(pages)
		var all []string
		for _, n := range found {
			slices.Sort(n.Tags)
			all = append(all, fmt.Sprint(n.Name, n.Tags))
		}
		slices.Sort(all) // neutron has no order
		return join(all), err
	}
}

func createSubnet(network, cidr string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		s, err := subnets.Create(ctx, r.Network, subnets.CreateOpts{NetworkID: r.ids[network], Name: "s", CIDR: cidr, IPVersion: gophercloud.IPv4, DNSNameservers: []string{"192.0.2.53"}}).Extract()
		if err != nil {
			return "", err
		}
		r.ids["subnet"] = s.ID
		return fmt.Sprint(s.CIDR, " ", s.GatewayIP, " ", s.DNSNameservers, s.AllocationPools, s.EnableDHCP), nil
	}
}

func createPort(name string, o ports.CreateOpts) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		o := o
		o.Name = name
		if o.NetworkID == "" {
			o.NetworkID = r.ids["network"]
		}
		p, err := ports.Create(ctx, r.Network, r.fill(o)).Extract()
		if err != nil {
			return "", err
		}
		r.ids[name] = p.ID
		return fmt.Sprint(p.Name, " ", p.Status, " ", len(p.FixedIPs), " ", len(p.SecurityGroups), " ", p.DeviceID+p.DeviceOwner, p.AdminStateUp), nil
	}
}

// fill replaces the names of earlier resources by their IDs.
func (r *Run) fill(o ports.CreateOpts) ports.CreateOpts {
	id := func(name string) string {
		if known := r.ids[name]; known != "" {
			return known
		}
		return name
	}
	o.NetworkID = id(o.NetworkID)
	if ips, ok := o.FixedIPs.([]ports.IP); ok {
		ips = slices.Clone(ips)
		for i := range ips {
			ips[i].SubnetID = id(ips[i].SubnetID)
		}
		o.FixedIPs = ips
	}
	if o.SecurityGroups != nil {
		all := slices.Clone(*o.SecurityGroups)
		for i := range all {
			all[i] = id(all[i])
		}
		o.SecurityGroups = &all
	}
	return o
}

func createRule(group string, o rules.CreateOpts) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		o := o
		if o.SecGroupID = r.ids[group]; o.SecGroupID == "" {
			o.SecGroupID = group
		}
		if o.RemoteGroupID != "" {
			o.RemoteGroupID = r.ids[o.RemoteGroupID]
		}
		rule, err := rules.Create(ctx, r.Network, o).Extract()
		if err != nil {
			return "", err
		}
		r.ids["rule"] = rule.ID
		return fmt.Sprint(rule.Direction, " ", rule.EtherType, " ", rule.Protocol, " ", rule.PortRangeMin, " ", rule.RemoteIPPrefix, " ", rule.RemoteGroupID), nil
	}
}

func portRule(port int) rules.CreateOpts {
	o := apiRule
	o.PortRangeMin, o.PortRangeMax = port, port
	return o
}

// createRules creates all rules or none, in one request.
func createRules(all ...rules.CreateOpts) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		all := slices.Clone(all)
		for i := range all {
			all[i].SecGroupID = r.ids["group"]
		}
		made, err := rules.CreateBulk(ctx, r.Network, all).Extract()
		var have []string
		for _, rule := range made {
			have = append(have, fmt.Sprint(rule.PortRangeMin))
		}
		return join(have), err
	}
}

// remove deletes an earlier resource, or an unknown one.
func remove(name string, delete func(context.Context, *gophercloud.ServiceClient, string) error) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		id := r.ids[name]
		if id == "" {
			id = unknown
		}
		return "deleted", delete(ctx, r.Network, id)
	}
}

func deleteNetwork(ctx context.Context, c *gophercloud.ServiceClient, id string) error {
	return networks.Delete(ctx, c, id).ExtractErr()
}

func deleteSubnet(ctx context.Context, c *gophercloud.ServiceClient, id string) error {
	return subnets.Delete(ctx, c, id).ExtractErr()
}

func deletePort(ctx context.Context, c *gophercloud.ServiceClient, id string) error {
	return ports.Delete(ctx, c, id).ExtractErr()
}

func deleteGroup(ctx context.Context, c *gophercloud.ServiceClient, id string) error {
	return groups.Delete(ctx, c, id).ExtractErr()
}

func deleteRule(ctx context.Context, c *gophercloud.ServiceClient, id string) error {
	return rules.Delete(ctx, c, id).ExtractErr()
}

var apiRule = rules.CreateOpts{Direction: rules.DirIngress, EtherType: rules.EtherType4, Protocol: rules.ProtocolTCP, PortRangeMin: 6443, PortRangeMax: 6443, RemoteIPPrefix: "0.0.0.0/0"}

var networkCalls = []Call{
	{"a network", createNetwork("network"), "n ACTIVE a network [] [] true false"},
	{"a network of the same name", createNetwork("second network"), "n ACTIVE a network [] [] true false"},
	{"tags of a network", tag(networkKind, "network", "b", "a"), "a, b"},
	{"tags of an unknown network", func(ctx context.Context, r *Run) (string, error) {
		return "", attributestags.Add(ctx, r.Network, networkKind, unknown, "a").ExtractErr()
	}, "404 TagResourceNotFound: Resource networks ID could not be found."},
	{"a missing tag", func(ctx context.Context, r *Run) (string, error) {
		return "", attributestags.Delete(ctx, r.Network, networkKind, r.ids["network"], "c").ExtractErr()
	}, "404 TagNotFound: Tag c could not be found."},
	{"networks by name", findNetworks(networks.ListOpts{Name: "n"}), "n[], n[a b]"},
	{"networks by name and tags", findNetworks(networks.ListOpts{Name: "n", Tags: "a,b"}), "n[a b]"},
	{"networks by any tag", findNetworks(networks.ListOpts{TagsAny: "a,c"}), "n[a b]"},
	{"networks by too many tags", findNetworks(networks.ListOpts{Tags: "a,c"}), ""},
	{"networks without a tag", findNetworks(networks.ListOpts{Name: "n", NotTags: "a"}), "n[]"},
	{"a list by an unknown field", func(ctx context.Context, r *Run) (string, error) {
		_, err := r.Network.Get(ctx, r.Network.ServiceURL("networks")+"?bogus=1", nil, nil)
		return "", err
	}, "400 HTTPBadRequest: ['bogus'] is invalid attribute for filtering"},
	{"an unknown network", func(ctx context.Context, r *Run) (string, error) {
		_, err := networks.Get(ctx, r.Network, unknown).Extract()
		return "", err
	}, "404 NetworkNotFound: Network ID could not be found."},
	{"the second network goes", remove("second network", deleteNetwork), "deleted"},
	{"a subnet", createSubnet("network", "10.6.0.0/24"), "10.6.0.0/24 10.6.0.1 [192.0.2.53] [{10.6.0.2 10.6.0.254}] true"},
	{"a subnet with the same addresses", createSubnet("network", "10.6.0.0/24"), "400 InvalidInput: Invalid input for operation: Requested subnet with cidr: 10.6.0.0/24 for network: ID overlaps with another subnet."},
	{"a subnet with an invalid range", createSubnet("network", "bogus"), "400 InvalidInput: Invalid input for operation: bogus is not in a CIDR format."},
	{"the subnets of the network", func(ctx context.Context, r *Run) (string, error) {
		pages, err := subnets.List(r.Network, subnets.ListOpts{NetworkID: r.ids["network"], CIDR: "10.6.0.0/24"}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := one(subnets.ExtractSubnets(pages))
		return fmt.Sprint(found.Name), err
	}, "s"},
	{"a security group", func(ctx context.Context, r *Run) (string, error) {
		g, err := groups.Create(ctx, r.Network, groups.CreateOpts{Name: "g", Description: "a group"}).Extract()
		if err != nil {
			return "", err
		}
		r.ids["group"] = g.ID
		return fmt.Sprint(g.Name, " ", g.Description, " ", len(g.Rules), g.Tags, " ", g.Rules[0].Direction), nil
	}, "g a group 2 [] egress"},
	{"the name of the default security group", func(ctx context.Context, r *Run) (string, error) {
		_, err := groups.Create(ctx, r.Network, groups.CreateOpts{Name: "default"}).Extract()
		return "", err
	}, "409 SecurityGroupDefaultAlreadyExists: Default security group already exists."},
	{"tags of a security group", tag(groupKind, "group", "a"), "a"},
	{"a rule", createRule("group", apiRule), "ingress IPv4 tcp 6443 0.0.0.0/0 "},
	{"the same rule", createRule("group", apiRule), "409 SecurityGroupRuleExists: Security group rule already exists. Rule id is ID."},
	{"a rule for a group", createRule("group", rules.CreateOpts{Direction: rules.DirIngress, EtherType: rules.EtherType4, RemoteGroupID: "group"}), "ingress IPv4  0  ID"},
	{"a rule of an unknown group", createRule(unknown, apiRule), "404 SecurityGroupNotFound: Security group ID does not exist"},
	{"several rules, of which one exists", createRules(apiRule, portRule(443)), "409 SecurityGroupRuleExists: Security group rule already exists. Rule id is ID."},
	{"several rules", createRules(portRule(443), portRule(80)), "443, 80"},
	{"a rule goes", remove("rule", deleteRule), "deleted"},
	{"a rule that has gone", remove("rule", deleteRule), "404 SecurityGroupRuleNotFound: Security group rule ID does not exist"},
	{"security groups by name and tag", func(ctx context.Context, r *Run) (string, error) {
		pages, err := groups.List(r.Network, groups.ListOpts{Name: "g", Tags: "a"}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := one(groups.ExtractGroups(pages))
		return fmt.Sprint(len(found.Rules)), err
	}, "5"},
	{"a port", createPort("port", ports.CreateOpts{SecurityGroups: &[]string{"group"}, FixedIPs: []ports.IP{{SubnetID: "subnet"}}}), "port DOWN 1 1 true"},
	{"a port with the default group", createPort("second port", ports.CreateOpts{}), "second port DOWN 1 1 true"},
	{"a port with an address", createPort("third port", ports.CreateOpts{FixedIPs: []ports.IP{{SubnetID: "subnet", IPAddress: "10.6.0.77"}}}), "third port DOWN 1 1 true"},
	{"a port with the same address", createPort("x", ports.CreateOpts{FixedIPs: []ports.IP{{SubnetID: "subnet", IPAddress: "10.6.0.77"}}}), "409 IpAddressAlreadyAllocated: IP address 10.6.0.77 already allocated in subnet ID"},
	{"a port with an address of another subnet", createPort("x", ports.CreateOpts{FixedIPs: []ports.IP{{SubnetID: "subnet", IPAddress: "10.9.0.1"}}}), "400 InvalidIpForSubnet: IP address 10.9.0.1 is not a valid IP for the specified subnet."},
	{"a port with an unknown group", createPort("x", ports.CreateOpts{SecurityGroups: &[]string{unknown}}), "404 SecurityGroupNotFound: Security group ID does not exist"},
	{"a port of an unknown network", createPort("x", ports.CreateOpts{NetworkID: unknown}), "404 NetworkNotFound: Network ID could not be found."},
	{"a port of an unknown subnet", createPort("x", ports.CreateOpts{FixedIPs: []ports.IP{{SubnetID: unknown}}}), "404 SubnetNotFound: Subnet ID could not be found."},
	{"tags of a port", tag(portKind, "port", "a", "b"), "a, b"},
	{"ports by name and tag", findPorts(ports.ListOpts{Name: "port", Tags: "a"}), "port"},
	{"ports by address", findPorts(ports.ListOpts{FixedIPs: []ports.FixedIPOpts{{IPAddress: "10.6.0.77"}}}), "third port"},
	{"a port changes", func(ctx context.Context, r *Run) (string, error) {
		text := "changed"
		p, err := ports.Update(ctx, r.Network, r.ids["third port"], ports.UpdateOpts{Description: &text, SecurityGroups: &[]string{r.ids["group"]}}).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(p.Description, " ", p.SecurityGroups, " ", p.Name), nil
	}, "changed [ID] third port"},
	{"a port goes", remove("third port", deletePort), "deleted"},
	{"a port that has gone", remove("third port", deletePort), "404 PortNotFound: Port ID could not be found."},
	{"a group in use", remove("group", deleteGroup), "409 SecurityGroupInUse: Security Group ID in use."},
	{"a subnet in use", remove("subnet", deleteSubnet), "409 SubnetInUse: Unable to complete operation on subnet ID: One or more ports have an IP allocation from this subnet."},
}

func findPorts(o ports.ListOpts) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		pages, err := ports.List(r.Network, o).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := ports.ExtractPorts(pages)
		var all []string
		for _, p := range found {
			all = append(all, p.Name)
		}
		return join(all), err
	}
}
