package fakestack

import (
	"net/http"
	"slices"
	"strings"
	"time"
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
	meta
	labels
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

func (c *Cloud) routeBalancers() {
	c.mux.Handle("GET /load-balancer/{$}", handle(func(c *call) (int, any, error) {
		var all []any
		for _, id := range []string{"v2.0", "v2.5", "v2.26"} {
			all = append(all, map[string]any{"id": id, "status": "SUPPORTED", "updated": "2016-12-11T00:00:00Z", "links": []any{link("self", c.base+"/load-balancer/v2")}})
		}
		return http.StatusOK, map[string]any{"versions": all}, nil
	}))
	c.mux.Handle("GET /load-balancer/v2.0/lbaas/providers", handle(func(*call) (int, any, error) {
		return http.StatusOK, map[string]any{"providers": []any{map[string]any{"name": "amphora", "description": "The Octavia Amphora driver."}}}, nil
	}))
	// gophercloud uses the first path, the client of OpenStack the second.
	c.routeQuota("/load-balancer/v2.0/quotas/{id}", "quota", "load_balancer", "listener", "pool", "member", "health_monitor")
	c.routeQuota("/load-balancer/v2.0/lbaas/quotas/{id}", "quota", "load_balancer", "listener", "pool", "member", "health_monitor")
	routeBalancing(c, kind[*LoadBalancer]{one: "loadbalancer", many: "loadbalancers", title: "Load Balancer", table: &c.balancers, create: createBalancer, change: changeBalancer, remove: removeBalancer})
	routeBalancing(c, kind[*Listener]{one: "listener", many: "listeners", title: "Listener", table: &c.listeners, create: createListener, change: changeListener, remove: removeListener})
	routeBalancing(c, kind[*Pool]{one: "pool", many: "pools", title: "Pool", table: &c.pools, create: createPool, change: changePool, remove: removePool})
	routeBalancing(c, kind[*Monitor]{one: "healthmonitor", many: "healthmonitors", title: "Health Monitor", table: &c.monitors, create: createMonitor, change: changeMonitor, remove: removeMonitor})
	c.routeMembers()
}

// routeBalancing adds the routes of a kind of octavia.
func routeBalancing[T resource](c *Cloud, k kind[T]) {
	k.path = "/load-balancer/v2.0/lbaas/" + k.many
	k.missing = func(id string) error { return notFound("%s %s not found.", k.title, id) }
	k.unknown = func(string) error { return bad("One or more arguments are either duplicate or invalid") }
	k.lister = func(_ *call, all []any) any { return map[string]any{k.many: all, k.many + "_links": []any{}} }
	route(c, k)
}

func immutable(title, id string) error {
	return fail(http.StatusConflict, "", "%s %s is immutable and cannot be updated.", title, id)
}

func createBalancer(c *call) (*LoadBalancer, error) {
	l := &LoadBalancer{meta: newMeta(c.project.ID), labels: labels{Tags: []string{}}, states: newStates("OFFLINE"), Listeners: []reference{}, Pools: []reference{}}
	kept := *l
	if err := c.decode("loadbalancer", l); err != nil {
		return nil, err
	}
	l.meta, l.states, l.Listeners, l.Pools = kept.meta, kept.states, kept.Listeners, kept.Pools
	if max := c.project.quota["load_balancer"]; max >= 0 && c.balancers.count(c.project.ID) >= max {
		return nil, fail(http.StatusForbidden, "", "Quota has been met for resources: Load Balancer")
	}
	switch l.Provider {
	case "", "octavia", "amphora":
		l.Provider = "amphora"
	default:
		return nil, bad("Provider '%s' is not enabled.", l.Provider)
	}
	if err := c.connect(l); err != nil {
		return nil, err
	}
	c.after(c.options.BalancerTime, func() {
		l.become("ACTIVE")
		if c.fault.Balancer {
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
func (c *call) connect(l *LoadBalancer) error {
	p, exists := c.ports.get(l.PortID)
	switch {
	case l.PortID != "" && !exists:
		return bad("Port %s not found.", l.PortID)
	case exists:
	case l.SubnetID != "":
		s, ok := c.subnets.get(l.SubnetID)
		if !ok {
			return bad("Subnet %s not found.", l.SubnetID)
		}
		p = c.newPort(s.NetworkID)
		p.FixedIPs = []FixedIP{{s.ID, l.Address}}
	case l.NetworkID != "":
		if _, ok := c.networks.get(l.NetworkID); !ok {
			return bad("Network %s not found.", l.NetworkID)
		}
		p = c.newPort(l.NetworkID)
		p.FixedIPs = nil
	default:
		return bad("Validation failure: VIP must contain one of: vip_port_id, vip_network_id, vip_subnet_id.")
	}
	if !exists {
		p.Name, p.DeviceID, p.DeviceOwner, p.Groups = "octavia-lb-"+l.ID, "lb-"+l.ID, ownedByOctavia, nil
		if err := c.complete(p); err != nil {
			return err
		}
		p.touch()
		c.ports = append(c.ports, p)
	}
	l.PortID, l.NetworkID = p.ID, p.NetworkID
	if len(p.FixedIPs) > 0 {
		l.Address, l.SubnetID = p.FixedIPs[0].Address, p.FixedIPs[0].SubnetID
	}
	return nil
}

// lock makes a load balancer pending for a change of one of its children, and afterwards ACTIVE.
// done is called at that time. title and id name what is immutable while it is pending already.
func (c *call) lock(l *LoadBalancer, title, id string, done func()) error {
	if l.Provisioning != "ACTIVE" {
		return immutable(title, id)
	}
	l.Provisioning = "PENDING_UPDATE"
	c.after(c.options.BalancerTime, func() {
		l.become("ACTIVE")
		done()
	})
	return nil
}

func changeBalancer(c *call, l *LoadBalancer) error {
	if l.Provisioning != "ACTIVE" {
		return fail(http.StatusConflict, "", "Invalid state %s of loadbalancer resource %s", l.Provisioning, l.ID)
	}
	return c.lock(l, "Load Balancer", l.ID, func() {})
}

func removeBalancer(c *call, l *LoadBalancer) error {
	if strings.HasPrefix(l.Provisioning, "PENDING_") {
		return fail(http.StatusConflict, "", "Invalid state %s of loadbalancer resource %s", l.Provisioning, l.ID)
	}
	if c.r.URL.Query().Get("cascade") != "true" && len(l.Listeners)+len(l.Pools) > 0 {
		return bad("Validation failure: Cannot delete Load Balancer %s - it has children", l.ID)
	}
	l.Provisioning = "PENDING_DELETE"
	c.after(c.options.BalancerTime, func() {
		for _, p := range l.Pools {
			c.dropPool(p.ID)
		}
		for _, li := range l.Listeners {
			c.listeners.remove(li.ID)
		}
		if p, ok := c.ports.get(l.PortID); ok && p.DeviceOwner == ownedByOctavia {
			c.dropPort(p.ID)
		}
		c.balancers.remove(l.ID)
	})
	return nil
}

// SetBalancerStatus sets the provisioning status of a load balancer, such as ERROR.
func (c *Cloud) SetBalancerStatus(id, status string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.balancers.get(id); ok {
		l.become(status)
	}
}

func without(all []reference, id string) []reference {
	return slices.DeleteFunc(all, func(r reference) bool { return r.ID == id })
}
