// Package balancer has octavia: load balancers with listeners, pools, members and monitors.
package balancer

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"kstatus.dev/test/openstack/fakestack/internal/network"
	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// states are the states of a resource of octavia.
type states struct {
	Provisioning string  `json:"provisioning_status"`
	Operating    string  `json:"operating_status"`
	Up           bool    `json:"admin_state_up"`
	Created      string  `json:"created_at"`
	Updated      *string `json:"updated_at"`
}

// newStates returns the states of a new resource.
func newStates(operating string) states {
	return states{Provisioning: "PENDING_CREATE", Operating: operating, Up: true, Created: octaviaTime()}
}

func octaviaTime() string { return time.Now().UTC().Format("2006-01-02T15:04:05") }

// A reference names another resource of octavia.
type reference struct {
	ID string `json:"id"`
}

// A LoadBalancer is a load balancer of octavia.
type LoadBalancer struct {
	rest.Meta
	rest.Labels
	states
	Address   string      `json:"vip_address"`
	PortID    string      `json:"vip_port_id"`
	SubnetID  string      `json:"vip_subnet_id"`
	NetworkID string      `json:"vip_network_id"`
	Provider  string      `json:"provider"`
	Flavor    *string     `json:"flavor_id"`
	Zone      *string     `json:"availability_zone"`
	Listeners []reference `json:"listeners"`
	Pools     []reference `json:"pools"`
}

// ownedByOctavia is the device owner of the ports of load balancers.
const ownedByOctavia = "Octavia"

// A Service is octavia. The lock of the API guards it.
type Service struct {
	api     *rest.API
	network *network.Service
	time    time.Duration // that a load balancer is pending after each change

	balancers rest.Table[*LoadBalancer]
	listeners rest.Table[*Listener]
	pools     rest.Table[*Pool]
	members   rest.Table[*Member]
	monitors  rest.Table[*Monitor]
}

// New adds octavia to an API. A load balancer is pending for a time after each change.
func New(api *rest.API, n *network.Service, pending time.Duration) *Service {
	sv := &Service{api: api, network: n, time: pending}
	sv.routeBalancers()
	sv.routeMembers()
	return sv
}

// Snapshot adds the resources of a project to those of all services.
func (sv *Service) Snapshot(all map[string][]string, project string) {
	rest.List(all, "load balancer", project, sv.balancers, func(l *LoadBalancer) string { return l.Name })
	rest.List(all, "listener", project, sv.listeners, func(l *Listener) string { return l.Name })
	rest.List(all, "pool", project, sv.pools, func(p *Pool) string { return p.Name })
	rest.List(all, "member", project, sv.members, func(m *Member) string { return m.Name })
	rest.List(all, "monitor", project, sv.monitors, func(m *Monitor) string { return m.Name })
}

func (sv *Service) routeBalancers() {
	sv.api.Handle("GET /load-balancer/{$}", func(c *rest.Call) (int, any, error) {
		var all []any
		for _, id := range []string{"v2.0", "v2.5", "v2.26"} {
			all = append(all, map[string]any{"id": id, "status": "SUPPORTED", "updated": "2016-12-11T00:00:00Z", "links": []any{rest.Link("self", c.Base+"/load-balancer/v2")}})
		}
		return http.StatusOK, map[string]any{"versions": all}, nil
	})
	sv.api.Handle("GET /load-balancer/v2.0/lbaas/providers", func(*rest.Call) (int, any, error) {
		return http.StatusOK, map[string]any{"providers": []any{map[string]any{"name": "amphora", "description": "The Octavia Amphora driver."}}}, nil
	})
	// gophercloud uses the first path, the client of OpenStack the second.
	sv.api.RouteQuota("/load-balancer/v2.0/quotas/{id}", "quota", "load_balancer", "listener", "pool", "member", "health_monitor")
	sv.api.RouteQuota("/load-balancer/v2.0/lbaas/quotas/{id}", "quota", "load_balancer", "listener", "pool", "member", "health_monitor")
	route(sv, rest.Kind[*LoadBalancer]{One: "loadbalancer", Many: "loadbalancers", Title: "Load Balancer", Table: &sv.balancers, Create: sv.createBalancer, Change: sv.changeBalancer, Remove: sv.removeBalancer})
	route(sv, rest.Kind[*Listener]{One: "listener", Many: "listeners", Title: "Listener", Table: &sv.listeners, Create: sv.createListener, Change: sv.changeListener, Remove: sv.removeListener})
	route(sv, rest.Kind[*Pool]{One: "pool", Many: "pools", Title: "Pool", Table: &sv.pools, Create: sv.createPool, Change: sv.changePool, Remove: sv.removePool})
	route(sv, rest.Kind[*Monitor]{One: "healthmonitor", Many: "healthmonitors", Title: "Health Monitor", Table: &sv.monitors, Create: sv.createMonitor, Change: sv.changeMonitor, Remove: sv.removeMonitor})
}

// route adds the routes of a kind of octavia.
func route[T rest.Resource](sv *Service, k rest.Kind[T]) {
	k.Path = "/load-balancer/v2.0/lbaas/" + k.Many
	k.Missing = func(id string) error { return rest.NotFound("%s %s not found.", k.Title, id) }
	k.Unknown = func(string) error { return rest.Bad("One or more arguments are either duplicate or invalid") }
	k.Lister = func(_ *rest.Call, all []any) any { return map[string]any{k.Many: all, k.Many + "_links": []any{}} }
	rest.Route(sv.api, k)
}

func immutable(title, id string) error {
	return rest.Fail(http.StatusConflict, "", "%s %s is immutable and cannot be updated.", title, id)
}

func (sv *Service) createBalancer(c *rest.Call) (*LoadBalancer, error) {
	l := &LoadBalancer{Meta: rest.NewMeta(c.Project.ID), Labels: rest.Labels{Tags: []string{}}, states: newStates("OFFLINE"), Listeners: []reference{}, Pools: []reference{}}
	kept := *l
	if err := c.Decode("loadbalancer", l); err != nil {
		return nil, err
	}
	l.Meta, l.states, l.Listeners, l.Pools = kept.Meta, kept.states, kept.Listeners, kept.Pools
	if max := c.Project.Quota["load_balancer"]; max >= 0 && sv.balancers.Count(c.Project.ID) >= max {
		return nil, rest.Fail(http.StatusForbidden, "", "Quota has been met for resources: Load Balancer")
	}
	switch l.Provider {
	case "", "octavia", "amphora":
		l.Provider = "amphora"
	default:
		return nil, rest.Bad("Provider '%s' is not enabled.", l.Provider)
	}
	if err := sv.connect(c, l); err != nil {
		return nil, err
	}
	sv.api.After(sv.time, func() {
		l.become("ACTIVE")
		if c.Fault.Balancer {
			l.become("ERROR")
		}
	})
	return l, nil
}

// become sets the provisioning status.
func (s *states) become(status string) {
	updated := octaviaTime()
	s.Provisioning, s.Updated = status, &updated
}

// connect gives a load balancer a port.
func (sv *Service) connect(c *rest.Call, l *LoadBalancer) error {
	p, exists := sv.network.Ports.Get(l.PortID)
	switch {
	case l.PortID != "" && !exists:
		return rest.Bad("Port %s not found.", l.PortID)
	case exists:
	case l.SubnetID != "":
		s, ok := sv.network.Subnets.Get(l.SubnetID)
		if !ok {
			return rest.Bad("Subnet %s not found.", l.SubnetID)
		}
		p = network.NewPort(c, s.NetworkID)
		p.FixedIPs = []network.FixedIP{{SubnetID: s.ID, Address: l.Address}}
	case l.NetworkID != "":
		if _, ok := sv.network.Networks.Get(l.NetworkID); !ok {
			return rest.Bad("Network %s not found.", l.NetworkID)
		}
		p = network.NewPort(c, l.NetworkID)
		p.FixedIPs = nil
	default:
		return rest.Bad("Validation failure: VIP must contain one of: vip_port_id, vip_network_id, vip_subnet_id.")
	}
	if !exists {
		p.Name, p.DeviceID, p.DeviceOwner, p.Groups = "octavia-lb-"+l.ID, "lb-"+l.ID, ownedByOctavia, nil
		if err := sv.network.AddPort(c, p); err != nil {
			return err
		}
	}
	l.PortID, l.NetworkID = p.ID, p.NetworkID
	if len(p.FixedIPs) > 0 {
		l.Address, l.SubnetID = p.FixedIPs[0].Address, p.FixedIPs[0].SubnetID
	}
	return nil
}

// lock makes a load balancer pending for a change of one of its children, and afterwards ACTIVE.
// done is called at that time. title and id name what is immutable while it is pending already.
func (sv *Service) lock(l *LoadBalancer, title, id string, done func()) error {
	if l.Provisioning != "ACTIVE" {
		return immutable(title, id)
	}
	l.Provisioning = "PENDING_UPDATE"
	sv.api.After(sv.time, func() {
		l.become("ACTIVE")
		done()
	})
	return nil
}

func (sv *Service) changeBalancer(c *rest.Call, l *LoadBalancer) error {
	if l.Provisioning != "ACTIVE" {
		return rest.Fail(http.StatusConflict, "", "Invalid state %s of loadbalancer resource %s", l.Provisioning, l.ID)
	}
	return sv.lock(l, "Load Balancer", l.ID, func() {})
}

func (sv *Service) removeBalancer(c *rest.Call, l *LoadBalancer) error {
	if strings.HasPrefix(l.Provisioning, "PENDING_") {
		return rest.Fail(http.StatusConflict, "", "Invalid state %s of loadbalancer resource %s", l.Provisioning, l.ID)
	}
	if c.Request.URL.Query().Get("cascade") != "true" && len(l.Listeners)+len(l.Pools) > 0 {
		return rest.Bad("Validation failure: Cannot delete Load Balancer %s - it has children", l.ID)
	}
	l.Provisioning = "PENDING_DELETE"
	sv.api.After(sv.time, func() {
		for _, p := range l.Pools {
			sv.dropPool(p.ID)
		}
		for _, li := range l.Listeners {
			sv.listeners.Remove(li.ID)
		}
		if p, ok := sv.network.Ports.Get(l.PortID); ok && p.DeviceOwner == ownedByOctavia {
			sv.network.DropPort(p.ID)
		}
		sv.balancers.Remove(l.ID)
	})
	return nil
}

// SetStatus sets the provisioning status of a load balancer, such as ERROR.
func (sv *Service) SetStatus(id, status string) {
	sv.api.Lock()
	defer sv.api.Unlock()
	if l, ok := sv.balancers.Get(id); ok {
		l.become(status)
	}
}

func without(all []reference, id string) []reference {
	return slices.DeleteFunc(all, func(r reference) bool { return r.ID == id })
}
