package network

import (
	"net/http"
	"slices"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// DefaultGroup is the name of the security group that each project has.
const DefaultGroup = "default"

// A SecurityGroup is a security group of neutron. Clients see its rules within it.
type SecurityGroup struct {
	rest.Meta
	rest.Labels
	stamps
	Stateful bool `json:"stateful"`
	Shared   bool `json:"shared"`
}

// A SecurityGroupRule is one rule of a security group.
type SecurityGroupRule struct {
	rest.Meta
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

func (sv *Service) showGroup(g *SecurityGroup) any {
	rules := sv.rules.Where(func(r *SecurityGroupRule) bool { return r.GroupID == g.ID })
	return struct {
		*SecurityGroup
		Rules []*SecurityGroupRule `json:"security_group_rules"`
	}{g, append([]*SecurityGroupRule{}, rules...)}
}

// newGroup returns a security group with the rules that let all traffic out.
func (sv *Service) newGroup(c *rest.Call, name string) *SecurityGroup {
	g := &SecurityGroup{Meta: rest.NewMeta(c.Project.ID), Labels: rest.Labels{Name: name, Tags: []string{}}, Stateful: true}
	for _, version := range []string{"IPv4", "IPv6"} {
		r := &SecurityGroupRule{Meta: rest.NewMeta(c.Project.ID), GroupID: g.ID, Direction: "egress", EtherType: version}
		r.touch()
		sv.rules = append(sv.rules, r)
	}
	return g
}

// defaultGroup returns the security group named default of the project, which it creates at the
// first request to neutron.
func (sv *Service) defaultGroup(c *rest.Call) *SecurityGroup {
	for _, g := range sv.groups {
		if g.Project == c.Project.ID && g.Name == DefaultGroup {
			return g
		}
	}
	g := sv.newGroup(c, DefaultGroup)
	g.Description = "Default security group"
	g.touch()
	for _, version := range []string{"IPv4", "IPv6"} {
		r := &SecurityGroupRule{Meta: rest.NewMeta(c.Project.ID), GroupID: g.ID, Direction: "ingress", EtherType: version, RemoteGroup: &g.ID}
		r.touch()
		sv.rules = append(sv.rules, r)
	}
	sv.groups = append(sv.groups, g)
	return g
}

func (sv *Service) createGroup(c *rest.Call) (*SecurityGroup, error) {
	var in rest.Labels
	if err := c.Decode("security_group", &in); err != nil {
		return nil, err
	}
	if in.Name == DefaultGroup {
		return nil, rest.Fail(http.StatusConflict, "SecurityGroupDefaultAlreadyExists", "Default security group already exists.")
	}
	g := sv.newGroup(c, in.Name)
	g.Description = in.Description
	return g, nil
}

func (sv *Service) removeGroup(c *rest.Call, g *SecurityGroup) error {
	if g.Name == DefaultGroup && !c.User.Admin {
		return rest.Fail(http.StatusConflict, "SecurityGroupCannotRemoveDefault", "Insufficient rights for removing default security group.")
	}
	if slices.ContainsFunc(sv.Ports, func(p *Port) bool { return slices.Contains(p.Groups, g.ID) }) {
		return rest.Fail(http.StatusConflict, "SecurityGroupInUse", "Security Group %s in use.", g.ID)
	}
	sv.rules = sv.rules.Where(func(r *SecurityGroupRule) bool { return r.GroupID != g.ID })
	sv.groups.Remove(g.ID)
	return nil
}

func (sv *Service) createRule(c *rest.Call) (*SecurityGroupRule, error) {
	r := &SecurityGroupRule{Meta: rest.NewMeta(c.Project.ID), EtherType: "IPv4"}
	kept := r.Meta
	if err := c.Decode("security_group_rule", r); err != nil {
		return nil, err
	}
	r.Meta = kept
	if g, ok := sv.groups.Get(r.GroupID); !ok || g.Project != c.Project.ID {
		return nil, missing("Security group", r.GroupID)
	}
	if r.RemoteGroup != nil {
		if _, ok := sv.groups.Get(*r.RemoteGroup); !ok {
			return nil, missing("Security group", *r.RemoteGroup)
		}
	}
	for _, other := range sv.rules {
		if sameRule(r, other) {
			return nil, rest.Fail(http.StatusConflict, "SecurityGroupRuleExists", "Security group rule already exists. Rule id is %s.", other.ID)
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

func (sv *Service) removeRule(c *rest.Call, r *SecurityGroupRule) error {
	sv.rules.Remove(r.ID)
	return nil
}
