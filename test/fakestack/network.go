package fakestack

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// A Network is a network of neutron.
type Network struct {
	meta
	labels
	stamps
	Up           bool     `json:"admin_state_up"`
	MTU          int      `json:"mtu"`
	Status       string   `json:"status"`
	Subnets      []string `json:"subnets"`
	Shared       bool     `json:"shared"`
	External     bool     `json:"router:external"`
	PortSecurity bool     `json:"port_security_enabled"`
	DNSDomain    string   `json:"dns_domain"`
	Zones        []string `json:"availability_zones"`
	ZoneHints    []string `json:"availability_zone_hints"`
}

// An addressRange is a range of addresses of a subnet.
type addressRange struct {
	Start netip.Addr `json:"start"`
	End   netip.Addr `json:"end"`
}

// A Subnet is a subnet of neutron.
type Subnet struct {
	meta
	labels
	stamps
	NetworkID  string         `json:"network_id"`
	IPVersion  int            `json:"ip_version"`
	CIDR       string         `json:"cidr"`
	Gateway    *string        `json:"gateway_ip"`
	DHCP       bool           `json:"enable_dhcp"`
	Ranges     []addressRange `json:"allocation_pools"`
	Nameserver []string       `json:"dns_nameservers"`
	Routes     []any          `json:"host_routes"`
}

// extensions are those of neutron that a provider may look for.
var extensions = []string{"allowed-address-pairs", "external-net", "fip-port-details", "port-security", "provider", "quotas", "router", "security-group", "standard-attr-description", "standard-attr-tag", "trunk"}

func (c *Cloud) routeNetwork() {
	c.mux.Handle("GET /network/{$}", handle(func(c *call) (int, any, error) {
		return http.StatusOK, map[string]any{"versions": []any{map[string]any{"id": "v2.0", "status": "CURRENT", "links": []any{link("self", c.base+"/network/v2.0/")}}}}, nil
	}))
	c.mux.Handle("GET /network/v2.0/extensions", handle(func(*call) (int, any, error) {
		all := []any{}
		for _, alias := range extensions {
			all = append(all, extension(alias))
		}
		return http.StatusOK, map[string]any{"extensions": all}, nil
	}))
	c.mux.Handle("GET /network/v2.0/extensions/{id}", handle(func(c *call) (int, any, error) {
		if !slices.Contains(extensions, c.path("id")) {
			return 0, nil, fail(http.StatusNotFound, "HTTPNotFound", "Extension with alias %s does not exist", c.path("id"))
		}
		return http.StatusOK, map[string]any{"extension": extension(c.path("id"))}, nil
	}))
	c.routeQuota("/network/v2.0/quotas/{id}", "quota", "network", "subnet", "port", "router", "floatingip", "security_group", "security_group_rule")
	shared := func(_ *call, n *Network) bool { return n.Shared || n.External }
	routeNetwork(c, kind[*Network]{one: "network", many: "networks", title: "Network", table: &c.networks, create: createNetwork, remove: removeNetwork, visible: shared})
	routeNetwork(c, kind[*Subnet]{one: "subnet", many: "subnets", title: "Subnet", table: &c.subnets, create: createSubnet, remove: removeSubnet})
	routeNetwork(c, kind[*Port]{one: "port", many: "ports", title: "Port", table: &c.ports, create: createPort, update: updatePort, remove: removePort})
	routeNetwork(c, kind[*Router]{one: "router", many: "routers", title: "Router", table: &c.routers, create: createRouter, update: updateRouter, change: keepGateway, remove: removeRouter})
	routeNetwork(c, kind[*SecurityGroup]{one: "security_group", many: "security-groups", title: "Security group", table: &c.groups, create: createGroup, remove: removeGroup, view: showGroup})
	routeNetwork(c, kind[*SecurityGroupRule]{one: "security_group_rule", many: "security-group-rules", title: "Security group rule", table: &c.rules, create: createRule, remove: removeRule})
	routeNetwork(c, kind[*FloatingIP]{one: "floatingip", many: "floatingips", title: "Floating IP", table: &c.floating, create: createFloating, update: associate, change: keepAddress, remove: removeFloating})
	c.routeInterfaces()
}

func extension(alias string) any {
	return map[string]any{"alias": alias, "name": alias, "description": "", "updated": "2012-07-23T10:00:00-00:00", "links": []any{}}
}

// routeNetwork adds the routes of a kind of neutron, and those of its tags.
func routeNetwork[T resource](c *Cloud, k kind[T]) {
	k.path = "/network/v2.0/" + k.many
	k.many = strings.ReplaceAll(k.many, "-", "_")
	k.missing = func(id string) error { return missing(k.title, id) }
	k.unknown = func(key string) error {
		return fail(http.StatusBadRequest, "HTTPBadRequest", "['%s'] is invalid attribute for filtering", key)
	}
	update := k.update
	k.update = func(c *call, r T) error {
		if update != nil {
			if err := update(c, r); err != nil {
				return err
			}
		}
		any(r).(interface{ touch() }).touch()
		return nil
	}
	create := k.create
	k.create = func(c *call) (T, error) {
		c.defaultGroup()
		if err := c.withinQuota(k.one, k.table.count(c.project.ID)); err != nil {
			var none T
			return none, err
		}
		r, err := create(c)
		if err == nil {
			any(r).(interface{ touch() }).touch()
		}
		return r, err
	}
	route(c, k)
	routeTags(c, k.path, func(c *call) (*[]string, error) {
		r, ok := k.table.get(c.path("id"))
		t, has := any(r).(tagged)
		if !ok || !has || !k.sees(c, r) {
			return nil, fail(http.StatusNotFound, "TagResourceNotFound", "Resource %s %s could not be found.", strings.ReplaceAll(k.many, "_", "-"), c.path("id"))
		}
		return t.tags(), nil
	}, func(tag string) error {
		return fail(http.StatusNotFound, "TagNotFound", "Tag %s could not be found.", tag)
	})
}

// routeTags adds the routes of the tags of a resource.
func routeTags(c *Cloud, path string, find func(*call) (*[]string, error), missing func(tag string) error) {
	path += "/{id}/tags"
	c.mux.Handle("GET "+path, handle(func(c *call) (int, any, error) {
		tags, err := find(c)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, map[string]any{"tags": *tags}, nil
	}))
	c.mux.Handle("PUT "+path, handle(func(c *call) (int, any, error) {
		tags, err := find(c)
		if err == nil {
			err = c.decode("tags", tags)
		}
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, map[string]any{"tags": *tags}, nil
	}))
	c.mux.Handle("DELETE "+path, handle(func(c *call) (int, any, error) {
		tags, err := find(c)
		if err == nil {
			*tags = []string{}
		}
		return http.StatusNoContent, nil, err
	}))
	one := func(c *call) (*[]string, int, error) {
		tags, err := find(c)
		if err != nil {
			return nil, 0, err
		}
		return tags, slices.Index(*tags, c.path("tag")), nil
	}
	path += "/{tag}"
	c.mux.Handle("GET "+path, handle(func(c *call) (int, any, error) {
		_, i, err := one(c)
		if err == nil && i < 0 {
			err = missing(c.path("tag"))
		}
		return http.StatusNoContent, nil, err
	}))
	c.mux.Handle("PUT "+path, handle(func(c *call) (int, any, error) {
		tags, i, err := one(c)
		if err == nil && i < 0 {
			*tags = append(*tags, c.path("tag"))
		}
		return http.StatusCreated, nil, err
	}))
	c.mux.Handle("DELETE "+path, handle(func(c *call) (int, any, error) {
		tags, i, err := one(c)
		if err == nil && i < 0 {
			err = missing(c.path("tag"))
		}
		if err == nil {
			*tags = slices.Delete(*tags, i, i+1)
		}
		return http.StatusNoContent, nil, err
	}))
}

// missing returns neutron's error for a resource that does not exist. Each kind has a sentence of its own.
func missing(title, id string) error {
	kind := strings.ReplaceAll(title, " ", "") + "NotFound"
	switch title {
	case "Security group", "Security group rule":
		words := strings.Fields(title)
		for i, w := range words {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
		return fail(http.StatusNotFound, strings.Join(words, "")+"NotFound", "%s %s does not exist", title, id)
	case "Router", "Floating IP":
		return fail(http.StatusNotFound, kind, "%s %s could not be found", title, id)
	}
	return fail(http.StatusNotFound, kind, "%s %s could not be found.", title, id)
}

func invalid(format string, arguments ...any) error {
	return fail(http.StatusBadRequest, "InvalidInput", "Invalid input for operation: "+format, arguments...)
}

// withinQuota returns neutron's error if a project may not have more of a resource.
func (c *call) withinQuota(resource string, have int) error {
	if max, limited := c.project.quota[resource]; limited && max >= 0 && have >= max {
		return fail(http.StatusConflict, "OverQuota", "Quota exceeded for resources: ['%s'].", resource)
	}
	return nil
}

// routeQuota adds the routes of the quotas of one service.
func (c *Cloud) routeQuota(path, name string, resources ...string) {
	answer := func(p *project) any {
		q := map[string]int{}
		for _, r := range resources {
			q[r] = p.quota[r]
		}
		return map[string]any{name: q}
	}
	find := func(c *call) (*project, error) {
		p := c.projectNamed(c.path("id"))
		if p == nil || p != c.project && !c.user.admin {
			return nil, fail(http.StatusForbidden, "PolicyNotAuthorized", "rule:get_quota is disallowed by policy")
		}
		return p, nil
	}
	c.mux.Handle("GET "+path, handle(func(c *call) (int, any, error) {
		p, err := find(c)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, answer(p), nil
	}))
	c.mux.Handle("PUT "+path, handle(func(c *call) (int, any, error) {
		p, err := find(c)
		if err == nil && !c.user.admin {
			err = fail(http.StatusForbidden, "PolicyNotAuthorized", "rule:update_quota is disallowed by policy")
		}
		if err == nil {
			err = c.decode(name, &p.quota)
		}
		if n, old := p.quota["loadbalancer"]; old { // octavia takes this name too
			p.quota["load_balancer"] = n
			delete(p.quota, "loadbalancer")
		}
		if err != nil {
			return 0, nil, err
		}
		if strings.HasPrefix(path, "/load-balancer") {
			return http.StatusAccepted, answer(p), nil
		}
		return http.StatusOK, answer(p), nil
	}))
}

func createNetwork(c *call) (*Network, error) {
	n := &Network{meta: newMeta(c.project.ID), labels: labels{Tags: []string{}}, Up: true, MTU: 1450, Status: "ACTIVE", Subnets: []string{}, PortSecurity: true, Zones: []string{}, ZoneHints: []string{}}
	kept := n.meta
	if err := c.decode("network", n); err != nil {
		return nil, err
	}
	n.meta = kept
	if n.External && !c.user.admin {
		return nil, fail(http.StatusForbidden, "PolicyNotAuthorized", "(rule:create_network and rule:create_network:router:external) is disallowed by policy")
	}
	return n, nil
}

func removeNetwork(c *call, n *Network) error {
	if n.Project != c.project.ID && !c.user.admin {
		return fail(http.StatusForbidden, "PolicyNotAuthorized", "rule:delete_network is disallowed by policy")
	}
	if ids := idsOf(c.ports.where(func(p *Port) bool { return p.NetworkID == n.ID })); len(ids) > 0 {
		return fail(http.StatusConflict, "NetworkInUse", "Unable to complete operation on network %s. There are one or more ports still in use on the network, id for these ports is: %s.", n.ID, strings.Join(ids, ","))
	}
	for _, id := range n.Subnets {
		c.subnets.remove(id)
	}
	c.networks.remove(n.ID)
	return nil
}

func idsOf[T resource](all []T) []string {
	var ids []string
	for _, r := range all {
		ids = append(ids, r.self().ID)
	}
	return ids
}

// network returns a network that a project sees.
func (c *call) network(id string) (*Network, error) {
	n, ok := c.networks.get(id)
	if !ok || !(c.user.admin || n.Project == c.project.ID || n.Shared || n.External) {
		return nil, missing("Network", id)
	}
	return n, nil
}

func createSubnet(c *call) (*Subnet, error) {
	s := &Subnet{meta: newMeta(c.project.ID), labels: labels{Tags: []string{}}, DHCP: true, Nameserver: []string{}, Routes: []any{}}
	kept := s.meta
	var none string
	s.Gateway = &none
	if err := c.decode("subnet", s); err != nil {
		return nil, err
	}
	s.meta = kept
	n, err := c.network(s.NetworkID)
	if err != nil {
		return nil, err
	}
	cidr, err := netip.ParsePrefix(s.CIDR)
	if err != nil {
		return nil, invalid("%s is not in a CIDR format.", s.CIDR)
	}
	for _, id := range n.Subnets {
		if other, ok := c.subnets.get(id); ok && netip.MustParsePrefix(other.CIDR).Overlaps(cidr) {
			return nil, invalid("Requested subnet with cidr: %s for network: %s overlaps with another subnet.", s.CIDR, n.ID)
		}
	}
	first := cidr.Masked().Addr().Next()
	if s.Gateway == &none && none == "" {
		none = first.String()
	}
	if len(s.Ranges) == 0 {
		s.Ranges = []addressRange{{first.Next(), lastOf(cidr)}}
	}
	n.Subnets = append(n.Subnets, s.ID)
	return s, nil
}

// lastOf returns the last address of a range that is not the broadcast address.
func lastOf(cidr netip.Prefix) netip.Addr {
	last := cidr.Masked().Addr().AsSlice()
	for bit := cidr.Bits(); bit < len(last)*8; bit++ {
		last[bit/8] |= 1 << (7 - bit%8)
	}
	a, _ := netip.AddrFromSlice(last)
	return a.Prev()
}

func removeSubnet(c *call, s *Subnet) error {
	for _, p := range c.ports {
		if slices.ContainsFunc(p.FixedIPs, func(f FixedIP) bool { return f.SubnetID == s.ID }) {
			return fail(http.StatusConflict, "SubnetInUse", "Unable to complete operation on subnet %s: One or more ports have an IP allocation from this subnet.", s.ID)
		}
	}
	if n, ok := c.networks.get(s.NetworkID); ok {
		n.Subnets = slices.DeleteFunc(n.Subnets, func(id string) bool { return id == s.ID })
	}
	c.subnets.remove(s.ID)
	return nil
}

// allocate returns a fixed IP of a subnet: the requested one, or else the first that is free.
func (c *Cloud) allocate(s *Subnet, wanted string) (FixedIP, error) {
	used := map[string]bool{}
	for _, p := range c.ports {
		for _, f := range p.FixedIPs {
			used[f.SubnetID+" "+f.Address] = true
		}
	}
	if wanted != "" {
		a, err := netip.ParseAddr(wanted)
		switch {
		case err != nil || !netip.MustParsePrefix(s.CIDR).Contains(a):
			return FixedIP{}, fail(http.StatusBadRequest, "InvalidIpForSubnet", "IP address %s is not a valid IP for the specified subnet.", wanted)
		case used[s.ID+" "+wanted]:
			return FixedIP{}, fail(http.StatusConflict, "IpAddressAlreadyAllocated", "IP address %s already allocated in subnet %s", wanted, s.ID)
		}
		return FixedIP{s.ID, wanted}, nil
	}
	for _, r := range s.Ranges {
		for a := r.Start; a.Compare(r.End) <= 0; a = a.Next() {
			if !used[fmt.Sprint(s.ID, " ", a)] {
				return FixedIP{s.ID, a.String()}, nil
			}
		}
	}
	return FixedIP{}, fail(http.StatusConflict, "IpAddressGenerationFailure", "No more IP addresses available on network %s.", s.NetworkID)
}
