package fakestack

import (
	"net/http"
	"slices"
)

// A FixedIP is an address of a port.
type FixedIP struct {
	SubnetID string `json:"subnet_id"`
	Address  string `json:"ip_address"`
}

// A Port is a port of neutron.
type Port struct {
	meta
	labels
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
	ownedByOctavia  = "Octavia"
)

func (c *call) newPort(networkID string) *Port {
	id := newID()
	return &Port{
		meta: meta{id, c.project.ID, c.project.ID}, labels: labels{Tags: []string{}}, NetworkID: networkID,
		MAC: "fa:16:3e:" + id[:2] + ":" + id[2:4] + ":" + id[4:6], Up: true, Status: "DOWN", FixedIPs: []FixedIP{},
		Pairs: []any{}, Groups: []string{}, PortSecurity: true, VNICType: "normal",
	}
}

func createPort(c *call) (*Port, error) {
	p := c.newPort("")
	p.FixedIPs, p.Groups = nil, nil
	kept := p.meta
	if err := c.decode("port", p); err != nil {
		return nil, err
	}
	p.meta = kept
	return p, c.complete(p)
}

// complete checks a new port, and gives it addresses and security groups.
func (c *call) complete(p *Port) error {
	n, err := c.network(p.NetworkID)
	if err != nil {
		return err
	}
	if p.FixedIPs == nil && len(n.Subnets) > 0 {
		p.FixedIPs = []FixedIP{{SubnetID: n.Subnets[0]}}
	}
	if err := c.allocateAll(p); err != nil {
		return err
	}
	if p.Groups == nil && p.PortSecurity && len(p.FixedIPs) > 0 {
		p.Groups = []string{c.defaultGroup().ID}
	}
	return c.checkGroups(p)
}

// allocateAll completes the requested addresses of a port.
func (c *call) allocateAll(p *Port) error {
	wanted := p.FixedIPs
	p.FixedIPs = []FixedIP{}
	for _, f := range wanted {
		subnet := f.SubnetID
		if subnet == "" {
			n, _ := c.networks.get(p.NetworkID)
			subnet = slices.Concat(n.Subnets, []string{""})[0]
		}
		s, ok := c.subnets.get(subnet)
		if !ok {
			return missing("Subnet", subnet)
		}
		if s.NetworkID != p.NetworkID {
			return invalid("Failed to create port on network %s, because fixed_ips included invalid subnet %s.", p.NetworkID, subnet)
		}
		ip, err := c.allocate(s, f.Address)
		if err != nil {
			return err
		}
		p.FixedIPs = append(p.FixedIPs, ip)
	}
	return nil
}

func (c *call) checkGroups(p *Port) error {
	if p.Groups == nil {
		p.Groups = []string{}
	}
	if len(p.Groups) > 0 && (!p.PortSecurity || len(p.FixedIPs) == 0) {
		return fail(http.StatusBadRequest, "PortSecurityAndIPRequiredForSecurityGroups", "Port security must be enabled and port must have an IP address in order to use security groups.")
	}
	for _, id := range p.Groups {
		if g, ok := c.groups.get(id); !ok || g.Project != p.Project {
			return missing("Security group", id)
		}
	}
	return nil
}

func updatePort(c *call, p *Port) error { return c.checkGroups(p) }

func removePort(c *call, p *Port) error {
	switch p.DeviceOwner {
	case ownedByRouter, ownedByGateway, ownedByFloating:
		return fail(http.StatusConflict, "ServicePortInUse", "Port %s cannot be deleted directly via the port API: has device owner %s.", p.ID, p.DeviceOwner)
	}
	c.dropPort(p.ID)
	return nil
}

// dropPort removes a port. Its floating IP stays, without a port.
func (c *Cloud) dropPort(id string) {
	for _, f := range c.floating {
		if f.PortID != nil && *f.PortID == id {
			f.release()
		}
	}
	c.ports.remove(id)
}
