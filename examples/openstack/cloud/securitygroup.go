package cloud

import (
	"context"
	"slices"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/rules"

	"kstatus.dev/clusterapi/openstack/classify"
)

// SecurityGroupsSpec are the security groups of control planes and of workers.
type SecurityGroupsSpec struct {
	AllowAllInClusterTraffic bool
	APIPort                  int  // of the API server
	IPv6                     bool // the subnet of the cluster has IPv6 addresses
}

// Ends of the names of the groups.
const (
	controlPlaneGroup = "control-plane"
	workerGroup       = "worker"
)

// EnsureSecurityGroups creates both groups, and the rules that they do not have. It deletes rules that
// it created for another spec. Other rules stay.
func (c *Cloud) EnsureSecurityGroups(ctx context.Context, o Owner, spec SecurityGroupsSpec) (controlPlane, worker Ref, err error) {
	var both [2]*groups.SecGroup
	for i, kind := range []string{controlPlaneGroup, workerGroup} {
		if both[i], err = c.ensureGroup(ctx, o, o.name(kind)); err != nil {
			return Ref{}, Ref{}, err
		}
	}
	for i, want := range spec.rules(both[0].ID, both[1].ID) {
		if err := c.ensureRules(ctx, o, both[i], want); err != nil {
			return Ref{}, Ref{}, err
		}
	}
	return Ref{both[0].ID, both[0].Name}, Ref{both[1].ID, both[1].Name}, nil
}

// FindSecurityGroups returns both groups, and changes nothing. A missing group is a failure
// DependencyNotFound.
func (c *Cloud) FindSecurityGroups(ctx context.Context, o Owner) (controlPlane, worker Ref, err error) {
	var both [2]Ref
	for i, kind := range []string{controlPlaneGroup, workerGroup} {
		own, err := c.ownGroups(ctx, o, o.name(kind))
		if err != nil {
			return Ref{}, Ref{}, err
		}
		g := first(own)
		if g == nil {
			return Ref{}, Ref{}, classify.NotFound("security group", o.name(kind))
		}
		both[i] = Ref{g.ID, g.Name}
	}
	return both[0], both[1], nil
}

// ensureGroup creates a group.
func (c *Cloud) ensureGroup(ctx context.Context, o Owner, name string) (*groups.SecGroup, error) {
	own, err := c.ownGroups(ctx, o, name)
	if err != nil {
		return nil, err
	}
	g, err := keepOne(c.network, "security group", name, own, func(g *groups.SecGroup) error {
		return groups.Delete(ctx, c.network.Client, g.ID).ExtractErr()
	})
	if err != nil {
		return nil, err
	}
	if g == nil {
		if g, err = groups.Create(ctx, c.network.Client, groups.CreateOpts{Name: name, Description: o.Tag()}).Extract(); err != nil {
			return nil, c.network.Explain(err, "create the security group %s", name)
		}
	}
	return g, c.mark(ctx, "security-groups", g.ID, g.Tags, o.tags())
}

// ownGroups returns the groups of a name that the owner has: one, or none.
func (c *Cloud) ownGroups(ctx context.Context, o Owner, name string) ([]groups.SecGroup, error) {
	list, err := all(ctx, groups.List(c.network.Client, groups.ListOpts{Name: name, ProjectID: c.project}), groups.ExtractGroups)
	if err != nil {
		return nil, c.network.Explain(err, "find the security group %s", name)
	}
	list = slices.DeleteFunc(list, func(g groups.SecGroup) bool { return g.Name != name || !o.owns(g.Description, g.Tags) })
	return inOrder(list, func(g *groups.SecGroup) (bool, time.Time, string) { return false, g.CreatedAt, g.ID }), nil
}

// ensureRules creates the rules that a group does not have, and deletes those of the owner that are not
// requested.
func (c *Cloud) ensureRules(ctx context.Context, o Owner, g *groups.SecGroup, want []rules.CreateOpts) error {
	var missing []rules.CreateOpts
	for _, r := range want {
		if !slices.ContainsFunc(g.Rules, func(have rules.SecGroupRule) bool { return sameRule(have, r) }) {
			r.SecGroupID, r.Description = g.ID, o.Tag()
			missing = append(missing, r)
		}
	}
	if len(missing) != 0 {
		if err := c.createRules(ctx, g, missing); err != nil {
			return c.network.Explain(err, "create the rules of security group %s", g.Name)
		}
	}
	for _, have := range g.Rules {
		if have.Description != o.Tag() || slices.ContainsFunc(want, func(r rules.CreateOpts) bool { return sameRule(have, r) }) {
			continue
		}
		if err := rules.Delete(ctx, c.network.Client, have.ID).ExtractErr(); err != nil && !classify.IsNotFound(err) {
			return c.network.Explain(err, "delete a rule of security group %s", g.Name)
		}
	}
	return nil
}

// createRules creates rules of a group. An earlier request, whose response was lost, may have created
// some of them since the group was read. The service then refuses all, so createRules creates each.
func (c *Cloud) createRules(ctx context.Context, g *groups.SecGroup, missing []rules.CreateOpts) error {
	_, refused := rules.CreateBulk(ctx, c.network.Client, missing).Extract()
	if !gophercloud.ResponseCodeIs(refused, 409) {
		return refused
	}
	for _, r := range missing {
		_, err := rules.Create(ctx, c.network.Client, r).Extract()
		if err != nil && !gophercloud.ResponseCodeIs(err, 409) {
			return err
		}
	}
	now, err := groups.Get(ctx, c.network.Client, g.ID).Extract()
	if err != nil {
		return err
	}
	for _, r := range missing {
		if !slices.ContainsFunc(now.Rules, func(have rules.SecGroupRule) bool { return sameRule(have, r) }) {
			return refused
		}
	}
	return nil
}

// sameRule reports whether a rule is what a request creates.
func sameRule(have rules.SecGroupRule, want rules.CreateOpts) bool {
	prefix := func(s string) string {
		if s == "0.0.0.0/0" || s == "::/0" {
			return ""
		}
		return s
	}
	return have.Direction == string(want.Direction) && have.EtherType == string(want.EtherType) &&
		have.Protocol == string(want.Protocol) && have.PortRangeMin == want.PortRangeMin && have.PortRangeMax == want.PortRangeMax &&
		have.RemoteGroupID == want.RemoteGroupID && prefix(have.RemoteIPPrefix) == prefix(want.RemoteIPPrefix)
}

// Ports that Kubernetes and the usual pod networks need between machines.
var betweenMachines = []struct {
	protocol    rules.RuleProtocol
	first, last int
}{
	{rules.ProtocolTCP, 10250, 10250}, // kubelet
	{rules.ProtocolTCP, 179, 179},     // BGP
	{rules.ProtocolTCP, 4240, 4240},   // health of Cilium
	{rules.ProtocolTCP, 5473, 5473},   // Typha of Calico
	{rules.ProtocolUDP, 4789, 4789},   // VXLAN
	{rules.ProtocolUDP, 6081, 6081},   // Geneve
	{rules.ProtocolUDP, 8472, 8472},   // VXLAN of Flannel and Cilium
	{rules.ProtocolUDP, 51820, 51821}, // WireGuard
	{ipip, 0, 0},
	{rules.ProtocolICMP, 0, 0},
}

// ipip is the protocol of tunnels of Calico, for IPv4 only.
const ipip rules.RuleProtocol = "ipip"

// rules returns the rules of control planes and of workers.
func (s SecurityGroupsSpec) rules(controlPlane, worker string) [2][]rules.CreateOpts {
	family, anywhere, icmp := rules.EtherType4, "0.0.0.0/0", rules.RuleProtocol(rules.ProtocolICMP)
	if s.IPv6 {
		family, anywhere, icmp = rules.EtherType6, "::/0", rules.ProtocolIPv6ICMP
	}
	rule := func(protocol rules.RuleProtocol, first, last int, prefix, group string) rules.CreateOpts {
		return rules.CreateOpts{Direction: rules.DirIngress, EtherType: family, Protocol: protocol, PortRangeMin: first, PortRangeMax: last, RemoteIPPrefix: prefix, RemoteGroupID: group}
	}
	var both [2][]rules.CreateOpts
	for i := range both {
		both[i] = append(both[i], rules.CreateOpts{Direction: rules.DirEgress, EtherType: rules.EtherType4}, rules.CreateOpts{Direction: rules.DirEgress, EtherType: rules.EtherType6})
		for _, from := range []string{controlPlane, worker} {
			if s.AllowAllInClusterTraffic {
				both[i] = append(both[i], rule("", 0, 0, "", from))
				continue
			}
			for _, p := range betweenMachines {
				switch {
				case p.protocol == rules.ProtocolICMP:
					p.protocol = icmp
				case p.protocol == ipip && s.IPv6:
					continue
				}
				both[i] = append(both[i], rule(p.protocol, p.first, p.last, "", from))
			}
		}
	}
	both[0] = append(both[0], rule(rules.ProtocolTCP, s.APIPort, s.APIPort, anywhere, ""))
	if !s.AllowAllInClusterTraffic {
		both[0] = append(both[0], rule(rules.ProtocolTCP, 2379, 2380, "", controlPlane)) // etcd
	}
	for _, protocol := range []rules.RuleProtocol{rules.ProtocolTCP, rules.ProtocolUDP} {
		both[1] = append(both[1], rule(protocol, 30000, 32767, anywhere, "")) // NodePorts
	}
	return both
}
