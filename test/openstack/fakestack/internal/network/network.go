// Package network has neutron: networks, subnets, ports, routers, security groups and floating IPs.
package network

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// A Network is a network of neutron.
type Network struct {
	rest.Meta
	rest.Labels
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
	rest.Meta
	rest.Labels
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

// A Service is neutron. The lock of the API guards it.
type Service struct {
	api *rest.API

	// Other services read these.
	Networks rest.Table[*Network]
	Subnets  rest.Table[*Subnet]
	Ports    rest.Table[*Port]
	Floating rest.Table[*FloatingIP]

	routers rest.Table[*Router]
	groups  rest.Table[*SecurityGroup]
	rules   rest.Table[*SecurityGroupRule]
}

// New adds neutron to an API.
func New(api *rest.API) *Service {
	sv := &Service{api: api}
	sv.routeVersions()
	sv.routeKinds()
	sv.routeInterfaces()
	return sv
}

// Snapshot adds the resources of a project to those of all services. The security group named
// default is absent.
func (sv *Service) Snapshot(all map[string][]string, project string) {
	rest.List(all, "network", project, sv.Networks, func(n *Network) string { return n.Name })
	rest.List(all, "subnet", project, sv.Subnets, func(s *Subnet) string { return s.Name })
	rest.List(all, "port", project, sv.Ports, func(p *Port) string { return p.Name })
	rest.List(all, "router", project, sv.routers, func(r *Router) string { return r.Name })
	groups := rest.Table[*SecurityGroup](sv.groups.Where(func(g *SecurityGroup) bool { return g.Name != DefaultGroup }))
	rest.List(all, "security group", project, groups, func(g *SecurityGroup) string { return g.Name })
	rest.List(all, "floating IP", project, sv.Floating, func(f *FloatingIP) string { return f.Address })
}

func (sv *Service) routeVersions() {
	sv.api.Handle("GET /network/{$}", func(c *rest.Call) (int, any, error) {
		return http.StatusOK, map[string]any{"versions": []any{map[string]any{"id": "v2.0", "status": "CURRENT", "links": []any{rest.Link("self", c.Base+"/network/v2.0/")}}}}, nil
	})
	sv.api.Handle("GET /network/v2.0/extensions", func(*rest.Call) (int, any, error) {
		all := []any{}
		for _, alias := range extensions {
			all = append(all, extension(alias))
		}
		return http.StatusOK, map[string]any{"extensions": all}, nil
	})
	sv.api.Handle("GET /network/v2.0/extensions/{id}", func(c *rest.Call) (int, any, error) {
		if !slices.Contains(extensions, c.Path("id")) {
			return 0, nil, rest.Fail(http.StatusNotFound, "HTTPNotFound", "Extension with alias %s does not exist", c.Path("id"))
		}
		return http.StatusOK, map[string]any{"extension": extension(c.Path("id"))}, nil
	})
}

func (sv *Service) routeKinds() {
	sv.api.RouteQuota("/network/v2.0/quotas/{id}", "quota", "network", "subnet", "port", "router", "floatingip", "security_group", "security_group_rule")
	shared := func(_ *rest.Call, n *Network) bool { return n.Shared || n.External }
	route(sv, rest.Kind[*Network]{One: "network", Many: "networks", Title: "Network", Table: &sv.Networks, Create: sv.createNetwork, Remove: sv.removeNetwork, Visible: shared})
	route(sv, rest.Kind[*Subnet]{One: "subnet", Many: "subnets", Title: "Subnet", Table: &sv.Subnets, Create: sv.createSubnet, Remove: sv.removeSubnet})
	route(sv, rest.Kind[*Port]{One: "port", Many: "ports", Title: "Port", Table: &sv.Ports, Create: sv.createPort, Update: sv.updatePort, Remove: sv.removePort})
	route(sv, rest.Kind[*Router]{One: "router", Many: "routers", Title: "Router", Table: &sv.routers, Create: sv.createRouter, Update: sv.updateRouter, Change: keepGateway, Remove: sv.removeRouter})
	route(sv, rest.Kind[*SecurityGroup]{One: "security_group", Many: "security-groups", Title: "Security group", Table: &sv.groups, Create: sv.createGroup, Remove: sv.removeGroup, View: sv.showGroup})
	route(sv, rest.Kind[*SecurityGroupRule]{One: "security_group_rule", Many: "security-group-rules", Title: "Security group rule", Table: &sv.rules, Create: sv.createRule, Remove: sv.removeRule})
	route(sv, rest.Kind[*FloatingIP]{One: "floatingip", Many: "floatingips", Title: "Floating IP", Table: &sv.Floating, Create: sv.createFloating, Update: sv.associate, Change: keepAddress, Remove: sv.removeFloating})
}

func extension(alias string) any {
	return map[string]any{"alias": alias, "name": alias, "description": "", "updated": "2012-07-23T10:00:00-00:00", "links": []any{}}
}

// route adds the routes of a kind of neutron, and those of its tags.
func route[T rest.Resource](sv *Service, k rest.Kind[T]) {
	k.Path = "/network/v2.0/" + k.Many
	k.Many = strings.ReplaceAll(k.Many, "-", "_")
	k.Missing = func(id string) error { return missing(k.Title, id) }
	k.Unknown = func(key string) error {
		return rest.Fail(http.StatusBadRequest, "HTTPBadRequest", "['%s'] is invalid attribute for filtering", key)
	}
	update := k.Update
	k.Update = func(c *rest.Call, r T) error {
		if update != nil {
			if err := update(c, r); err != nil {
				return err
			}
		}
		any(r).(interface{ touch() }).touch()
		return nil
	}
	create := k.Create
	k.Create = func(c *rest.Call) (T, error) {
		sv.defaultGroup(c)
		if err := sv.withinQuota(c, k.One, k.Table.Count(c.Project.ID)); err != nil {
			var none T
			return none, err
		}
		r, err := create(c)
		if err == nil {
			any(r).(interface{ touch() }).touch()
		}
		return r, err
	}
	rest.Route(sv.api, k)
	rest.RouteTags(sv.api, k.Path, func(c *rest.Call) (*[]string, error) {
		r, ok := k.Table.Get(c.Path("id"))
		t, has := any(r).(rest.Tagged)
		if !ok || !has || !k.Sees(c, r) {
			return nil, rest.Fail(http.StatusNotFound, "TagResourceNotFound", "Resource %s %s could not be found.", strings.ReplaceAll(k.Many, "_", "-"), c.Path("id"))
		}
		return t.Tagged(), nil
	}, func(tag string) error {
		return rest.Fail(http.StatusNotFound, "TagNotFound", "Tag %s could not be found.", tag)
	})
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
		return rest.Fail(http.StatusNotFound, strings.Join(words, "")+"NotFound", "%s %s does not exist", title, id)
	case "Router", "Floating IP":
		return rest.Fail(http.StatusNotFound, kind, "%s %s could not be found", title, id)
	}
	return rest.Fail(http.StatusNotFound, kind, "%s %s could not be found.", title, id)
}

func invalid(format string, arguments ...any) error {
	return rest.Fail(http.StatusBadRequest, "InvalidInput", "Invalid input for operation: "+format, arguments...)
}

// withinQuota returns neutron's error if a project may not have more of a resource.
func (sv *Service) withinQuota(c *rest.Call, resource string, have int) error {
	if max, limited := c.Project.Quota[resource]; limited && max >= 0 && have >= max {
		return rest.Fail(http.StatusConflict, "OverQuota", "Quota exceeded for resources: ['%s'].", resource)
	}
	return nil
}

func (sv *Service) createNetwork(c *rest.Call) (*Network, error) {
	n := &Network{Meta: rest.NewMeta(c.Project.ID), Labels: rest.Labels{Tags: []string{}}, Up: true, MTU: 1450, Status: "ACTIVE", Subnets: []string{}, PortSecurity: true, Zones: []string{}, ZoneHints: []string{}}
	kept := n.Meta
	if err := c.Decode("network", n); err != nil {
		return nil, err
	}
	n.Meta = kept
	if n.External && !c.User.Admin {
		return nil, rest.Fail(http.StatusForbidden, "PolicyNotAuthorized", "(rule:create_network and rule:create_network:router:external) is disallowed by policy")
	}
	return n, nil
}

func (sv *Service) removeNetwork(c *rest.Call, n *Network) error {
	if n.Project != c.Project.ID && !c.User.Admin {
		return rest.Fail(http.StatusForbidden, "PolicyNotAuthorized", "rule:delete_network is disallowed by policy")
	}
	if ids := idsOf(sv.Ports.Where(func(p *Port) bool { return p.NetworkID == n.ID })); len(ids) > 0 {
		return rest.Fail(http.StatusConflict, "NetworkInUse", "Unable to complete operation on network %s. There are one or more ports still in use on the network, id for these ports is: %s.", n.ID, strings.Join(ids, ","))
	}
	for _, id := range n.Subnets {
		sv.Subnets.Remove(id)
	}
	sv.Networks.Remove(n.ID)
	return nil
}

func idsOf[T rest.Resource](all []T) []string {
	var ids []string
	for _, r := range all {
		ids = append(ids, r.Identify().ID)
	}
	return ids
}

// Network returns a network that a project sees.
func (sv *Service) Network(c *rest.Call, id string) (*Network, error) {
	n, ok := sv.Networks.Get(id)
	if !ok || !(c.User.Admin || n.Project == c.Project.ID || n.Shared || n.External) {
		return nil, missing("Network", id)
	}
	return n, nil
}

func (sv *Service) createSubnet(c *rest.Call) (*Subnet, error) {
	s := &Subnet{Meta: rest.NewMeta(c.Project.ID), Labels: rest.Labels{Tags: []string{}}, DHCP: true, Nameserver: []string{}, Routes: []any{}}
	kept := s.Meta
	var none string
	s.Gateway = &none
	if err := c.Decode("subnet", s); err != nil {
		return nil, err
	}
	s.Meta = kept
	n, err := sv.Network(c, s.NetworkID)
	if err != nil {
		return nil, err
	}
	cidr, err := netip.ParsePrefix(s.CIDR)
	if err != nil {
		return nil, invalid("%s is not in a CIDR format.", s.CIDR)
	}
	for _, id := range n.Subnets {
		if other, ok := sv.Subnets.Get(id); ok && netip.MustParsePrefix(other.CIDR).Overlaps(cidr) {
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

func (sv *Service) removeSubnet(c *rest.Call, s *Subnet) error {
	for _, p := range sv.Ports {
		if slices.ContainsFunc(p.FixedIPs, func(f FixedIP) bool { return f.SubnetID == s.ID }) {
			return rest.Fail(http.StatusConflict, "SubnetInUse", "Unable to complete operation on subnet %s: One or more ports have an IP allocation from this subnet.", s.ID)
		}
	}
	if n, ok := sv.Networks.Get(s.NetworkID); ok {
		n.Subnets = slices.DeleteFunc(n.Subnets, func(id string) bool { return id == s.ID })
	}
	sv.Subnets.Remove(s.ID)
	return nil
}

// allocate returns a fixed IP of a subnet: the requested one, or else the first that is free.
func (sv *Service) allocate(s *Subnet, wanted string) (FixedIP, error) {
	used := map[string]bool{}
	for _, p := range sv.Ports {
		for _, f := range p.FixedIPs {
			used[f.SubnetID+" "+f.Address] = true
		}
	}
	if wanted != "" {
		a, err := netip.ParseAddr(wanted)
		switch {
		case err != nil || !netip.MustParsePrefix(s.CIDR).Contains(a):
			return FixedIP{}, rest.Fail(http.StatusBadRequest, "InvalidIpForSubnet", "IP address %s is not a valid IP for the specified subnet.", wanted)
		case used[s.ID+" "+wanted]:
			return FixedIP{}, rest.Fail(http.StatusConflict, "IpAddressAlreadyAllocated", "IP address %s already allocated in subnet %s", wanted, s.ID)
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
	return FixedIP{}, rest.Fail(http.StatusConflict, "IpAddressGenerationFailure", "No more IP addresses available on network %s.", s.NetworkID)
}
