package network

import (
	"net/http"
	"slices"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// A FloatingIP is a floating IP of neutron.
type FloatingIP struct {
	rest.Meta
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

func (f *FloatingIP) Tagged() *[]string { return &f.Tags }

func (f *FloatingIP) release() {
	f.PortID, f.FixedIP, f.RouterID, f.PortDetails, f.Status = nil, nil, nil, nil, "DOWN"
}

func (sv *Service) createFloating(c *rest.Call) (*FloatingIP, error) {
	f := &FloatingIP{Meta: rest.NewMeta(c.Project.ID), Tags: []string{}, Status: "DOWN"}
	kept := f.Meta
	if err := c.Decode("floatingip", f); err != nil {
		return nil, err
	}
	f.Meta = kept
	n, err := sv.Network(c, f.NetworkID)
	if err != nil {
		return nil, err
	}
	if !n.External {
		return nil, rest.Fail(http.StatusBadRequest, "BadRequest", "Bad floatingip request: Network %s is not a valid external network.", n.ID)
	}
	if f.Address != "" && !c.User.Admin {
		return nil, rest.Fail(http.StatusForbidden, "PolicyNotAuthorized", "(rule:create_floatingip and rule:create_floatingip:floating_ip_address) is disallowed by policy")
	}
	p, err := sv.servicePort(c, n, f.ID, ownedByFloating)
	if err != nil {
		return nil, err
	}
	if len(p.FixedIPs) > 0 {
		f.Address = p.FixedIPs[0].Address
	}
	f.kept = f.Address
	if err := sv.associate(c, f); err != nil {
		sv.Ports.Remove(p.ID)
		return nil, err
	}
	return f, nil
}

// keepAddress keeps the address, which an update cannot change.
func keepAddress(_ *rest.Call, f *FloatingIP) error {
	f.kept = f.Address
	return nil
}

// associate connects a floating IP with the port that its fields name.
func (sv *Service) associate(c *rest.Call, f *FloatingIP) error {
	f.Address = f.kept
	if f.PortID == nil || *f.PortID == "" {
		f.release()
		return nil
	}
	id := *f.PortID
	p, ok := sv.Ports.Get(id)
	if !ok || p.Project != c.Project.ID && !c.User.Admin || len(p.FixedIPs) == 0 {
		f.release()
		return missing("Port", id)
	}
	for _, other := range sv.Floating {
		if other != f && other.PortID != nil && *other.PortID == id {
			f.release()
			return rest.Fail(http.StatusConflict, "FloatingIPPortAlreadyAssociated", "Cannot associate floating IP %s (%s) with port %s using fixed IP %s, as that fixed IP already has a floating IP on external network %s.",
				f.Address, rest.NewID(), id, p.FixedIPs[0].Address, f.NetworkID)
		}
	}
	s := p.FixedIPs[0].SubnetID
	i := slices.IndexFunc(sv.routers, func(r *Router) bool {
		return r.Gateway != nil && r.Gateway.NetworkID == f.NetworkID && slices.ContainsFunc(sv.interfaces(r), onSubnet(&Subnet{Meta: rest.Meta{ID: s}}))
	})
	if i < 0 {
		f.release()
		return rest.Fail(http.StatusNotFound, "ExternalGatewayForFloatingIPNotFound", "External network %s is not reachable from subnet %s.  Therefore, cannot associate Port %s with a Floating IP.", f.NetworkID, s, id)
	}
	f.RouterID, f.FixedIP, f.Status = &sv.routers[i].ID, &p.FixedIPs[0].Address, "ACTIVE"
	f.PortDetails = map[string]any{
		"name": p.Name, "network_id": p.NetworkID, "mac_address": p.MAC, "admin_state_up": p.Up, "status": p.Status, "device_id": p.DeviceID, "device_owner": p.DeviceOwner,
	}
	return nil
}

func (sv *Service) removeFloating(c *rest.Call, f *FloatingIP) error {
	sv.Ports = sv.Ports.Where(func(p *Port) bool { return p.DeviceID != f.ID })
	sv.Floating.Remove(f.ID)
	return nil
}
