package fakestack

import (
	"net/http"
	"slices"
)

// A FloatingIP is a floating IP of neutron.
type FloatingIP struct {
	meta
	stamps
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Address     string   `json:"floating_ip_address"`
	NetworkID   string   `json:"floating_network_id"`
	RouterID    *string  `json:"router_id"`
	PortID      *string  `json:"port_id"`
	FixedIP     *string  `json:"fixed_ip_address"`
	Status      string   `json:"status"`
	PortDetails any      `json:"port_details"`

	kept string // the address before an update
}

func (f *FloatingIP) tags() *[]string { return &f.Tags }

func (f *FloatingIP) release() {
	f.PortID, f.FixedIP, f.RouterID, f.PortDetails, f.Status = nil, nil, nil, nil, "DOWN"
}

func createFloating(c *call) (*FloatingIP, error) {
	f := &FloatingIP{meta: newMeta(c.project.ID), Tags: []string{}, Status: "DOWN"}
	kept := f.meta
	if err := c.decode("floatingip", f); err != nil {
		return nil, err
	}
	f.meta = kept
	n, err := c.network(f.NetworkID)
	if err != nil {
		return nil, err
	}
	if !n.External {
		return nil, fail(http.StatusBadRequest, "BadRequest", "Bad floatingip request: Network %s is not a valid external network.", n.ID)
	}
	if f.Address != "" && !c.user.admin {
		return nil, fail(http.StatusForbidden, "PolicyNotAuthorized", "(rule:create_floatingip and rule:create_floatingip:floating_ip_address) is disallowed by policy")
	}
	p, err := c.servicePort(n, f.ID, ownedByFloating)
	if err != nil {
		return nil, err
	}
	if len(p.FixedIPs) > 0 {
		f.Address = p.FixedIPs[0].Address
	}
	f.kept = f.Address
	if err := associate(c, f); err != nil {
		c.ports.remove(p.ID)
		return nil, err
	}
	return f, nil
}

// keepAddress keeps the address, which an update cannot change.
func keepAddress(_ *call, f *FloatingIP) error {
	f.kept = f.Address
	return nil
}

// associate connects a floating IP with the port that its fields name.
func associate(c *call, f *FloatingIP) error {
	f.Address = f.kept
	if f.PortID == nil || *f.PortID == "" {
		f.release()
		return nil
	}
	id := *f.PortID
	p, ok := c.ports.get(id)
	if !ok || p.Project != c.project.ID && !c.user.admin || len(p.FixedIPs) == 0 {
		f.release()
		return missing("Port", id)
	}
	for _, other := range c.floating {
		if other != f && other.PortID != nil && *other.PortID == id {
			f.release()
			return fail(http.StatusConflict, "FloatingIPPortAlreadyAssociated", "Cannot associate floating IP %s (%s) with port %s using fixed IP %s, as that fixed IP already has a floating IP on external network %s.",
				f.Address, newID(), id, p.FixedIPs[0].Address, f.NetworkID)
		}
	}
	s := p.FixedIPs[0].SubnetID
	i := slices.IndexFunc(c.routers, func(r *Router) bool {
		return r.Gateway != nil && r.Gateway.NetworkID == f.NetworkID && slices.ContainsFunc(c.interfaces(r), onSubnet(&Subnet{meta: meta{ID: s}}))
	})
	if i < 0 {
		f.release()
		return fail(http.StatusNotFound, "ExternalGatewayForFloatingIPNotFound", "External network %s is not reachable from subnet %s.  Therefore, cannot associate Port %s with a Floating IP.", f.NetworkID, s, id)
	}
	f.RouterID, f.FixedIP, f.Status = &c.routers[i].ID, &p.FixedIPs[0].Address, "ACTIVE"
	f.PortDetails = map[string]any{
		"name": p.Name, "network_id": p.NetworkID, "mac_address": p.MAC, "admin_state_up": p.Up, "status": p.Status, "device_id": p.DeviceID, "device_owner": p.DeviceOwner,
	}
	return nil
}

func removeFloating(c *call, f *FloatingIP) error {
	c.ports = c.ports.where(func(p *Port) bool { return p.DeviceID != f.ID })
	c.floating.remove(f.ID)
	return nil
}
