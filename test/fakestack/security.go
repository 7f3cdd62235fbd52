package fakestack

import (
	"net/http"
	"slices"
)

// defaultGroup is the name of the security group that each project has.
const defaultGroup = "default"

// A SecurityGroup is a security group of neutron. Clients see its rules within it.
type SecurityGroup struct {
	meta
	labels
	stamps
	Stateful bool `json:"stateful"`
	Shared   bool `json:"shared"`
}

// A SecurityGroupRule is one rule of a security group.
type SecurityGroupRule struct {
	meta
	stamps
	Description string  `json:"description"`
	GroupID     string  `json:"security_group_id"`
	Direction   string  `json:"direction"`
	EtherType   string  `json:"ethertype"`
	Protocol    *string `json:"protocol"`
	Min         *int    `json:"port_range_min"`
	Max         *int    `json:"port_range_max"`
	RemoteCIDR  *string `json:"remote_ip_prefix"`
	RemoteGroup *string `json:"remote_group_id"`
}

func showGroup(c *Cloud, g *SecurityGroup) any {
	rules := c.rules.where(func(r *SecurityGroupRule) bool { return r.GroupID == g.ID })
	return struct {
		*SecurityGroup
		Rules []*SecurityGroupRule `json:"security_group_rules"`
	}{g, append([]*SecurityGroupRule{}, rules...)}
}

// newGroup returns a security group with the rules that let all traffic out.
func (c *call) newGroup(name string) *SecurityGroup {
	g := &SecurityGroup{meta: newMeta(c.project.ID), labels: labels{Name: name, Tags: []string{}}, Stateful: true}
	for _, version := range []string{"IPv4", "IPv6"} {
		r := &SecurityGroupRule{meta: newMeta(c.project.ID), GroupID: g.ID, Direction: "egress", EtherType: version}
		r.touch()
		c.rules = append(c.rules, r)
	}
	return g
}

// defaultGroup returns the security group named default of the project, which it creates at the
// first request to neutron.
func (c *call) defaultGroup() *SecurityGroup {
	for _, g := range c.groups {
		if g.Project == c.project.ID && g.Name == defaultGroup {
			return g
		}
	}
	g := c.newGroup(defaultGroup)
	g.Description = "Default security group"
	g.touch()
	for _, version := range []string{"IPv4", "IPv6"} {
		r := &SecurityGroupRule{meta: newMeta(c.project.ID), GroupID: g.ID, Direction: "ingress", EtherType: version, RemoteGroup: &g.ID}
		r.touch()
		c.rules = append(c.rules, r)
	}
	c.groups = append(c.groups, g)
	return g
}

func createGroup(c *call) (*SecurityGroup, error) {
	var in labels
	if err := c.decode("security_group", &in); err != nil {
		return nil, err
	}
	if in.Name == defaultGroup {
		return nil, fail(http.StatusConflict, "SecurityGroupDefaultAlreadyExists", "Default security group already exists.")
	}
	g := c.newGroup(in.Name)
	g.Description = in.Description
	return g, nil
}

func removeGroup(c *call, g *SecurityGroup) error {
	if g.Name == defaultGroup && !c.user.admin {
		return fail(http.StatusConflict, "SecurityGroupCannotRemoveDefault", "Insufficient rights for removing default security group.")
	}
	if slices.ContainsFunc(c.ports, func(p *Port) bool { return slices.Contains(p.Groups, g.ID) }) {
		return fail(http.StatusConflict, "SecurityGroupInUse", "Security Group %s in use.", g.ID)
	}
	c.rules = c.rules.where(func(r *SecurityGroupRule) bool { return r.GroupID != g.ID })
	c.groups.remove(g.ID)
	return nil
}

func createRule(c *call) (*SecurityGroupRule, error) {
	r := &SecurityGroupRule{meta: newMeta(c.project.ID), EtherType: "IPv4"}
	kept := r.meta
	if err := c.decode("security_group_rule", r); err != nil {
		return nil, err
	}
	r.meta = kept
	if g, ok := c.groups.get(r.GroupID); !ok || g.Project != c.project.ID {
		return nil, missing("Security group", r.GroupID)
	}
	if r.RemoteGroup != nil {
		if _, ok := c.groups.get(*r.RemoteGroup); !ok {
			return nil, missing("Security group", *r.RemoteGroup)
		}
	}
	for _, other := range c.rules {
		if sameRule(r, other) {
			return nil, fail(http.StatusConflict, "SecurityGroupRuleExists", "Security group rule already exists. Rule id is %s.", other.ID)
		}
	}
	return r, nil
}

func sameRule(a, b *SecurityGroupRule) bool {
	return a.GroupID == b.GroupID && a.Direction == b.Direction && a.EtherType == b.EtherType && same(a.Protocol, b.Protocol) && same(a.Min, b.Min) &&
		same(a.Max, b.Max) && same(a.RemoteCIDR, b.RemoteCIDR) && same(a.RemoteGroup, b.RemoteGroup)
}

func same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func removeRule(c *call, r *SecurityGroupRule) error {
	c.rules.remove(r.ID)
	return nil
}
