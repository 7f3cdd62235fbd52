package network

import (
	"encoding/json"
	"net/http"
	"slices"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// A Gateway is the external gateway of a router.
type Gateway struct {
	NetworkID string    `json:"network_id"`
	SNAT      bool      `json:"enable_snat"`
	FixedIPs  []FixedIP `json:"external_fixed_ips"`
}

// A Router is a router of neutron.
type Router struct {
	rest.Meta
	rest.Labels
	stamps
	Up        bool     `json:"admin_state_up"`
	Status    string   `json:"status"`
	Gateway   *Gateway `json:"external_gateway_info"`
	Routes    []any    `json:"routes"`
	Zones     []string `json:"availability_zones"`
	ZoneHints []string `json:"availability_zone_hints"`

	before *Gateway // the gateway before an update
}

func (sv *Service) createRouter(c *rest.Call) (*Router, error) {
	r := &Router{Meta: rest.NewMeta(c.Project.ID), Labels: rest.Labels{Tags: []string{}}, Up: true, Status: "ACTIVE", Routes: []any{}, Zones: []string{}, ZoneHints: []string{}}
	kept := r.Meta
	if err := c.Decode("router", r); err != nil {
		return nil, err
	}
	r.Meta = kept
	return r, sv.updateRouter(c, r)
}

// keepGateway keeps the gateway, so that updateRouter sees whether it changes.
func keepGateway(_ *rest.Call, r *Router) error {
	r.before = nil
	if r.Gateway != nil {
		copied := *r.Gateway
		r.before = &copied
	}
	return nil
}

// updateRouter connects a router with the external network that its fields name.
func (sv *Service) updateRouter(c *rest.Call, r *Router) error {
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
		if sv.serves(r, func(*Subnet) bool { return true }) {
			r.Gateway = before
			return rest.Fail(http.StatusConflict, "RouterExternalGatewayInUseByFloatingIp", "Gateway cannot be updated for router %s, since a gateway to external network %s is required by one or more floating IPs.", r.ID, before.NetworkID)
		}
		sv.Ports = sv.Ports.Where(func(p *Port) bool { return p.DeviceID != r.ID || p.DeviceOwner != ownedByGateway })
	}
	if r.Gateway == nil {
		return nil
	}
	n, err := sv.Network(c, r.Gateway.NetworkID)
	if err != nil {
		return err
	}
	if !n.External {
		return rest.Fail(http.StatusBadRequest, "BadRequest", "Bad router request: Network %s is not an external network.", n.ID)
	}
	p, err := sv.servicePort(c, n, r.ID, ownedByGateway)
	if err != nil {
		return err
	}
	r.Gateway.SNAT, r.Gateway.FixedIPs = true, p.FixedIPs
	return nil
}

// servicePort creates a port that belongs to no project.
func (sv *Service) servicePort(c *rest.Call, n *Network, device, owner string) (*Port, error) {
	p := NewPort(c, n.ID)
	p.Project, p.Tenant, p.PortSecurity = "", "", false
	p.DeviceID, p.DeviceOwner = device, owner
	for _, id := range n.Subnets[:min(1, len(n.Subnets))] {
		p.FixedIPs = []FixedIP{{SubnetID: id}}
	}
	if err := sv.allocateAll(c, p); err != nil {
		return nil, err
	}
	p.touch()
	sv.Ports = append(sv.Ports, p)
	return p, nil
}

// serves reports whether a floating IP needs the router for a port of a subnet.
func (sv *Service) serves(r *Router, subnet func(*Subnet) bool) bool {
	return slices.ContainsFunc(sv.Floating, func(f *FloatingIP) bool {
		if f.RouterID == nil || *f.RouterID != r.ID || f.PortID == nil {
			return false
		}
		p, ok := sv.Ports.Get(*f.PortID)
		return ok && slices.ContainsFunc(p.FixedIPs, func(ip FixedIP) bool {
			s, ok := sv.Subnets.Get(ip.SubnetID)
			return ok && subnet(s)
		})
	})
}

// interfaces returns the ports that connect a router with subnets.
func (sv *Service) interfaces(r *Router) []*Port {
	return sv.Ports.Where(func(p *Port) bool { return p.DeviceID == r.ID && p.DeviceOwner == ownedByRouter })
}

func (sv *Service) removeRouter(c *rest.Call, r *Router) error {
	if attached := sv.interfaces(r); len(attached) > 0 {
		return rest.Fail(http.StatusConflict, "RouterInUse", "Router %s has ports still attached: %s", r.ID, idsOf(attached)[0])
	}
	sv.Ports = sv.Ports.Where(func(p *Port) bool { return p.DeviceID != r.ID })
	sv.routers.Remove(r.ID)
	return nil
}

func (sv *Service) routeInterfaces() {
	serve := func(change func(*rest.Call, *Router, *Subnet) (*Port, error)) rest.Handle {
		return func(c *rest.Call) (int, any, error) {
			r, ok := sv.routers.Get(c.Path("id"))
			if !ok || r.Project != c.Project.ID && !c.User.Admin {
				return 0, nil, missing("Router", c.Path("id"))
			}
			s, err := sv.requestedSubnet(c)
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
	sv.api.Handle("PUT /network/v2.0/routers/{id}/add_router_interface", serve(sv.addInterface))
	sv.api.Handle("PUT /network/v2.0/routers/{id}/remove_router_interface", serve(sv.removeInterface))
}

// requestedSubnet returns the subnet of a request, which names it or one of its ports.
func (sv *Service) requestedSubnet(c *rest.Call) (*Subnet, error) {
	var in struct {
		Subnet string `json:"subnet_id"`
		Port   string `json:"port_id"`
	}
	if err := json.Unmarshal(c.Body, &in); err != nil {
		return nil, rest.Fail(http.StatusBadRequest, "HTTPBadRequest", "The request body is not an object: %v", err)
	}
	if in.Port != "" {
		p, ok := sv.Ports.Get(in.Port)
		if !ok || len(p.FixedIPs) == 0 {
			return nil, missing("Port", in.Port)
		}
		in.Subnet = p.FixedIPs[0].SubnetID
	}
	s, ok := sv.Subnets.Get(in.Subnet)
	if !ok || s.Project != c.Project.ID && !c.User.Admin {
		return nil, missing("Subnet", in.Subnet)
	}
	return s, nil
}

func onSubnet(s *Subnet) func(*Port) bool {
	return func(p *Port) bool {
		return slices.ContainsFunc(p.FixedIPs, func(f FixedIP) bool { return f.SubnetID == s.ID })
	}
}

func (sv *Service) addInterface(c *rest.Call, r *Router, s *Subnet) (*Port, error) {
	if slices.ContainsFunc(sv.interfaces(r), onSubnet(s)) {
		return nil, rest.Fail(http.StatusBadRequest, "BadRequest", "Bad router request: Router already has a port on subnet %s.", s.ID)
	}
	if s.Gateway == nil {
		return nil, rest.Fail(http.StatusBadRequest, "BadRequest", "Bad router request: Subnet for router interface must have a gateway IP.")
	}
	p := NewPort(c, s.NetworkID)
	p.PortSecurity = false
	p.FixedIPs = []FixedIP{{s.ID, *s.Gateway}}
	if err := sv.allocateAll(c, p); err != nil {
		return nil, err
	}
	p.DeviceID, p.DeviceOwner, p.Status = r.ID, ownedByRouter, "ACTIVE"
	p.touch()
	sv.Ports = append(sv.Ports, p)
	return p, nil
}

func (sv *Service) removeInterface(c *rest.Call, r *Router, s *Subnet) (*Port, error) {
	i := slices.IndexFunc(sv.interfaces(r), onSubnet(s))
	if i < 0 {
		return nil, rest.Fail(http.StatusNotFound, "RouterInterfaceNotFoundForSubnet", "Router %s has no interface on subnet %s", r.ID, s.ID)
	}
	if sv.serves(r, func(other *Subnet) bool { return other == s }) {
		return nil, rest.Fail(http.StatusConflict, "RouterInterfaceInUseByFloatingIP", "Router interface for subnet %s on router %s cannot be deleted, as it is required by one or more floating IPs.", s.ID, r.ID)
	}
	p := sv.interfaces(r)[i]
	sv.Ports.Remove(p.ID)
	return p, nil
}
