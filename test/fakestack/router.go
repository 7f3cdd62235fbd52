package fakestack

import (
	"encoding/json"
	"net/http"
	"slices"
)

// A Gateway is the external gateway of a router.
type Gateway struct {
	NetworkID string    `json:"network_id"`
	SNAT      bool      `json:"enable_snat"`
	FixedIPs  []FixedIP `json:"external_fixed_ips"`
}

// A Router is a router of neutron.
type Router struct {
	meta
	labels
	stamps
	Up        bool     `json:"admin_state_up"`
	Status    string   `json:"status"`
	Gateway   *Gateway `json:"external_gateway_info"`
	Routes    []any    `json:"routes"`
	Zones     []string `json:"availability_zones"`
	ZoneHints []string `json:"availability_zone_hints"`

	before *Gateway // the gateway before an update
}

func createRouter(c *call) (*Router, error) {
	r := &Router{meta: newMeta(c.project.ID), labels: labels{Tags: []string{}}, Up: true, Status: "ACTIVE", Routes: []any{}, Zones: []string{}, ZoneHints: []string{}}
	kept := r.meta
	if err := c.decode("router", r); err != nil {
		return nil, err
	}
	r.meta = kept
	return r, updateRouter(c, r)
}

// keepGateway keeps the gateway, so that updateRouter sees whether it changes.
func keepGateway(_ *call, r *Router) error {
	r.before = nil
	if r.Gateway != nil {
		copied := *r.Gateway
		r.before = &copied
	}
	return nil
}

// updateRouter connects a router with the external network that its fields name.
func updateRouter(c *call, r *Router) error {
	before := r.before
	r.before = nil
	if r.Gateway != nil && r.Gateway.NetworkID == "" {
		r.Gateway = nil
	}
	if r.Gateway != nil && before != nil && r.Gateway.NetworkID == before.NetworkID {
		r.Gateway = before
		return nil
	}
	if before != nil {
		if c.serves(r, func(*Subnet) bool { return true }) {
			r.Gateway = before
			return fail(http.StatusConflict, "RouterExternalGatewayInUseByFloatingIp", "Gateway cannot be updated for router %s, since a gateway to external network %s is required by one or more floating IPs.", r.ID, before.NetworkID)
		}
		c.ports = c.ports.where(func(p *Port) bool { return p.DeviceID != r.ID || p.DeviceOwner != ownedByGateway })
	}
	if r.Gateway == nil {
		return nil
	}
	n, err := c.network(r.Gateway.NetworkID)
	if err != nil {
		return err
	}
	if !n.External {
		return fail(http.StatusBadRequest, "BadRequest", "Bad router request: Network %s is not an external network.", n.ID)
	}
	p, err := c.servicePort(n, r.ID, ownedByGateway)
	if err != nil {
		return err
	}
	r.Gateway.SNAT, r.Gateway.FixedIPs = true, p.FixedIPs
	return nil
}

// servicePort creates a port that belongs to no project.
func (c *call) servicePort(n *Network, device, owner string) (*Port, error) {
	p := c.newPort(n.ID)
	p.Project, p.Tenant, p.PortSecurity = "", "", false
	p.DeviceID, p.DeviceOwner = device, owner
	for _, id := range n.Subnets[:min(1, len(n.Subnets))] {
		p.FixedIPs = []FixedIP{{SubnetID: id}}
	}
	if err := c.allocateAll(p); err != nil {
		return nil, err
	}
	p.touch()
	c.ports = append(c.ports, p)
	return p, nil
}

// serves reports whether a floating IP needs the router for a port of a subnet.
func (c *Cloud) serves(r *Router, subnet func(*Subnet) bool) bool {
	return slices.ContainsFunc(c.floating, func(f *FloatingIP) bool {
		if f.RouterID == nil || *f.RouterID != r.ID || f.PortID == nil {
			return false
		}
		p, ok := c.ports.get(*f.PortID)
		return ok && slices.ContainsFunc(p.FixedIPs, func(ip FixedIP) bool {
			s, ok := c.subnets.get(ip.SubnetID)
			return ok && subnet(s)
		})
	})
}

// interfaces returns the ports that connect a router with subnets.
func (c *Cloud) interfaces(r *Router) []*Port {
	return c.ports.where(func(p *Port) bool { return p.DeviceID == r.ID && p.DeviceOwner == ownedByRouter })
}

func removeRouter(c *call, r *Router) error {
	if attached := c.interfaces(r); len(attached) > 0 {
		return fail(http.StatusConflict, "RouterInUse", "Router %s has ports still attached: %s", r.ID, idsOf(attached)[0])
	}
	c.ports = c.ports.where(func(p *Port) bool { return p.DeviceID != r.ID })
	c.routers.remove(r.ID)
	return nil
}

func (c *Cloud) routeInterfaces() {
	serve := func(change func(*call, *Router, *Subnet) (*Port, error)) handle {
		return func(c *call) (int, any, error) {
			r, ok := c.routers.get(c.path("id"))
			if !ok || r.Project != c.project.ID && !c.user.admin {
				return 0, nil, missing("Router", c.path("id"))
			}
			s, err := c.requestedSubnet()
			if err != nil {
				return 0, nil, err
			}
			p, err := change(c, r, s)
			if err != nil {
				return 0, nil, err
			}
			r.touch()
			return http.StatusOK, map[string]any{
				"id": r.ID, "tenant_id": r.Project, "port_id": p.ID, "network_id": p.NetworkID, "subnet_id": s.ID, "subnet_ids": []string{s.ID},
			}, nil
		}
	}
	c.mux.Handle("PUT /network/v2.0/routers/{id}/add_router_interface", serve(addInterface))
	c.mux.Handle("PUT /network/v2.0/routers/{id}/remove_router_interface", serve(removeInterface))
}

// requestedSubnet returns the subnet of a request, which names it or one of its ports.
func (c *call) requestedSubnet() (*Subnet, error) {
	var in struct {
		Subnet string `json:"subnet_id"`
		Port   string `json:"port_id"`
	}
	if err := json.Unmarshal(c.body, &in); err != nil {
		return nil, fail(http.StatusBadRequest, "HTTPBadRequest", "The request body is not an object: %v", err)
	}
	if in.Port != "" {
		p, ok := c.ports.get(in.Port)
		if !ok || len(p.FixedIPs) == 0 {
			return nil, missing("Port", in.Port)
		}
		in.Subnet = p.FixedIPs[0].SubnetID
	}
	s, ok := c.subnets.get(in.Subnet)
	if !ok || s.Project != c.project.ID && !c.user.admin {
		return nil, missing("Subnet", in.Subnet)
	}
	return s, nil
}

func onSubnet(s *Subnet) func(*Port) bool {
	return func(p *Port) bool {
		return slices.ContainsFunc(p.FixedIPs, func(f FixedIP) bool { return f.SubnetID == s.ID })
	}
}

func addInterface(c *call, r *Router, s *Subnet) (*Port, error) {
	if slices.ContainsFunc(c.interfaces(r), onSubnet(s)) {
		return nil, fail(http.StatusBadRequest, "BadRequest", "Bad router request: Router already has a port on subnet %s.", s.ID)
	}
	if s.Gateway == nil {
		return nil, fail(http.StatusBadRequest, "BadRequest", "Bad router request: Subnet for router interface must have a gateway IP.")
	}
	p := c.newPort(s.NetworkID)
	p.PortSecurity = false
	p.FixedIPs = []FixedIP{{s.ID, *s.Gateway}}
	if err := c.allocateAll(p); err != nil {
		return nil, err
	}
	p.DeviceID, p.DeviceOwner, p.Status = r.ID, ownedByRouter, "ACTIVE"
	p.touch()
	c.ports = append(c.ports, p)
	return p, nil
}

func removeInterface(c *call, r *Router, s *Subnet) (*Port, error) {
	i := slices.IndexFunc(c.interfaces(r), onSubnet(s))
	if i < 0 {
		return nil, fail(http.StatusNotFound, "RouterInterfaceNotFoundForSubnet", "Router %s has no interface on subnet %s", r.ID, s.ID)
	}
	if c.serves(r, func(other *Subnet) bool { return other == s }) {
		return nil, fail(http.StatusConflict, "RouterInterfaceInUseByFloatingIP", "Router interface for subnet %s on router %s cannot be deleted, as it is required by one or more floating IPs.", s.ID, r.ID)
	}
	p := c.interfaces(r)[i]
	c.ports.remove(p.ID)
	return p, nil
}
