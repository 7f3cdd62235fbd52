package network

import (
	"net/http"
	"slices"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// A FixedIP is an address of a port.
type FixedIP struct {
	SubnetID string `json:"subnet_id"`
	Address  string `json:"ip_address"`
}

// A Port is a port of neutron.
type Port struct {
	rest.Meta
	rest.Labels
	stamps
	NetworkID    string    `json:"network_id"`
	MAC          string    `json:"mac_address"`
	Up           bool      `json:"admin_state_up"`
	Status       string    `json:"status"`
	DeviceID     string    `json:"device_id"`
	DeviceOwner  string    `json:"device_owner"`
	FixedIPs     []FixedIP `json:"fixed_ips"`
	Pairs        []any     `json:"allowed_address_pairs"`
	Groups       []string  `json:"security_groups"`
	PortSecurity bool      `json:"port_security_enabled"`
	VNICType     string    `json:"binding:vnic_type"`
}

// The device owners of ports that are not of users.
const (
	ownedByRouter   = "network:router_interface"
	ownedByGateway  = "network:router_gateway"
	ownedByFloating = "network:floatingip"
)

// NewPort returns a port that no table has yet.
func NewPort(c *rest.Call, networkID string) *Port {
	id := rest.NewID()
	return &Port{
		Meta: rest.Meta{ID: id, Project: c.Project.ID, Tenant: c.Project.ID}, Labels: rest.Labels{Tags: []string{}}, NetworkID: networkID,
		MAC: "fa:16:3e:" + id[:2] + ":" + id[2:4] + ":" + id[4:6], Up: true, Status: "DOWN", FixedIPs: []FixedIP{},
		Pairs: []any{}, Groups: []string{}, PortSecurity: true, VNICType: "normal",
	}
}

func (sv *Service) createPort(c *rest.Call) (*Port, error) {
	p := NewPort(c, "")
	p.FixedIPs, p.Groups = nil, nil
	kept := p.Meta
	if err := c.Decode("port", p); err != nil {
		return nil, err
	}
	p.Meta = kept
	return p, sv.complete(c, p)
}

// AddPort completes a new port and adds it.
func (sv *Service) AddPort(c *rest.Call, p *Port) error {
	if err := sv.complete(c, p); err != nil {
		return err
	}
	p.touch()
	sv.Ports = append(sv.Ports, p)
	return nil
}

// complete checks a new port, and gives it addresses and security groups.
func (sv *Service) complete(c *rest.Call, p *Port) error {
	n, err := sv.Network(c, p.NetworkID)
	if err != nil {
		return err
	}
	if p.FixedIPs == nil && len(n.Subnets) > 0 {
		p.FixedIPs = []FixedIP{{SubnetID: n.Subnets[0]}}
	}
	if err := sv.allocateAll(c, p); err != nil {
		return err
	}
	if p.Groups == nil && p.PortSecurity && len(p.FixedIPs) > 0 {
		p.Groups = []string{sv.defaultGroup(c).ID}
	}
	return sv.checkGroups(c, p)
}

// allocateAll completes the requested addresses of a port.
func (sv *Service) allocateAll(c *rest.Call, p *Port) error {
	wanted := p.FixedIPs
	p.FixedIPs = []FixedIP{}
	for _, f := range wanted {
		subnet := f.SubnetID
		if subnet == "" {
			n, _ := sv.Networks.Get(p.NetworkID)
			subnet = slices.Concat(n.Subnets, []string{""})[0]
		}
		s, ok := sv.Subnets.Get(subnet)
		if !ok {
			return missing("Subnet", subnet)
		}
		if s.NetworkID != p.NetworkID {
			return invalid("Failed to create port on network %s, because fixed_ips included invalid subnet %s.", p.NetworkID, subnet)
		}
		ip, err := sv.allocate(s, f.Address)
		if err != nil {
			return err
		}
		p.FixedIPs = append(p.FixedIPs, ip)
	}
	return nil
}

func (sv *Service) checkGroups(c *rest.Call, p *Port) error {
	if p.Groups == nil {
		p.Groups = []string{}
	}
	if len(p.Groups) > 0 && (!p.PortSecurity || len(p.FixedIPs) == 0) {
		return rest.Fail(http.StatusBadRequest, "PortSecurityAndIPRequiredForSecurityGroups", "Port security must be enabled and port must have an IP address in order to use security groups.")
	}
	for _, id := range p.Groups {
		if g, ok := sv.groups.Get(id); !ok || g.Project != p.Project {
			return missing("Security group", id)
		}
	}
	return nil
}

func (sv *Service) updatePort(c *rest.Call, p *Port) error { return sv.checkGroups(c, p) }

func (sv *Service) removePort(c *rest.Call, p *Port) error {
	switch p.DeviceOwner {
	case ownedByRouter, ownedByGateway, ownedByFloating:
		return rest.Fail(http.StatusConflict, "ServicePortInUse", "Port %s cannot be deleted directly via the port API: has device owner %s.", p.ID, p.DeviceOwner)
	}
	sv.DropPort(p.ID)
	return nil
}

// DropPort removes a port. Its floating IP stays, without a port.
func (sv *Service) DropPort(id string) {
	for _, f := range sv.Floating {
		if f.PortID != nil && *f.PortID == id {
			f.release()
		}
	}
	sv.Ports.Remove(id)
}
