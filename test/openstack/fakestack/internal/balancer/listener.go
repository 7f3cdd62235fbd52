package balancer

import (
	"net/http"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// A Listener is a listener of octavia.
type Listener struct {
	rest.Meta
	rest.Labels
	states
	Balancers    []reference `json:"loadbalancers"`
	Protocol     string      `json:"protocol"`
	Port         int         `json:"protocol_port"`
	DefaultPool  *string     `json:"default_pool_id"`
	AllowedCIDRs []string    `json:"allowed_cidrs"`
	Limit        int         `json:"connection_limit"`
	ClientTime   int         `json:"timeout_client_data"`
	ConnectTime  int         `json:"timeout_member_connect"`
	MemberTime   int         `json:"timeout_member_data"`
}

// A Pool is a pool of octavia.
type Pool struct {
	rest.Meta
	rest.Labels
	states
	Balancers []reference `json:"loadbalancers"`
	Listeners []reference `json:"listeners"`
	Protocol  string      `json:"protocol"`
	Algorithm string      `json:"lb_algorithm"`
	Monitor   string      `json:"healthmonitor_id,omitempty"`
	Members   []reference `json:"members"`
}

// A Monitor checks the members of a pool.
type Monitor struct {
	rest.Meta
	Name string   `json:"name"`
	Tags []string `json:"tags"`
	states
	Pools   []reference `json:"pools"`
	Type    string      `json:"type"`
	Delay   int         `json:"delay"`
	Timeout int         `json:"timeout"`
	Up      int         `json:"max_retries"`
	Down    int         `json:"max_retries_down"`
}

func (m *Monitor) Tagged() *[]string { return &m.Tags }

// balancer returns the load balancer that the first reference names.
func (sv *Service) balancer(refs []reference) *LoadBalancer {
	for _, r := range refs {
		if l, ok := sv.balancers.Get(r.ID); ok {
			return l
		}
	}
	return &LoadBalancer{states: states{Provisioning: "DELETED"}}
}

func (sv *Service) createListener(c *rest.Call) (*Listener, error) {
	li := &Listener{Meta: rest.NewMeta(c.Project.ID), Labels: rest.Labels{Tags: []string{}}, states: newStates("OFFLINE"), Limit: -1, ClientTime: 50000, ConnectTime: 5000, MemberTime: 50000}
	kept := *li
	in := struct {
		*Listener
		Balancer string `json:"loadbalancer_id"`
	}{Listener: li}
	if err := c.Decode("listener", &in); err != nil {
		return nil, err
	}
	li.Meta, li.states = kept.Meta, kept.states
	l, ok := sv.balancers.Get(in.Balancer)
	if !ok || l.Project != c.Project.ID {
		return nil, rest.NotFound("Load Balancer %s not found.", in.Balancer)
	}
	for _, r := range l.Listeners {
		if other, ok := sv.listeners.Get(r.ID); ok && other.Port == li.Port {
			return nil, rest.Fail(http.StatusConflict, "", "Another Listener on this Load Balancer is already using protocol %s and protocol_port %d", li.Protocol, li.Port)
		}
	}
	if err := sv.lock(l, "Load Balancer", l.ID, func() { li.become("ACTIVE") }); err != nil {
		return nil, err
	}
	li.Balancers = []reference{{l.ID}}
	l.Listeners = append(l.Listeners, reference{li.ID})
	return li, nil
}

func (sv *Service) changeListener(c *rest.Call, li *Listener) error {
	return sv.lock(sv.balancer(li.Balancers), "Load Balancer", sv.balancer(li.Balancers).ID, func() { li.become("ACTIVE") })
}

func (sv *Service) removeListener(c *rest.Call, li *Listener) error {
	l := sv.balancer(li.Balancers)
	err := sv.lock(l, "Load Balancer", l.ID, func() {
		l.Listeners = without(l.Listeners, li.ID)
		for _, p := range sv.pools {
			p.Listeners = without(p.Listeners, li.ID)
		}
		sv.listeners.Remove(li.ID)
	})
	if err == nil {
		li.Provisioning = "PENDING_DELETE"
	}
	return err
}

func (sv *Service) createPool(c *rest.Call) (*Pool, error) {
	p := &Pool{Meta: rest.NewMeta(c.Project.ID), Labels: rest.Labels{Tags: []string{}}, states: newStates("OFFLINE"), Listeners: []reference{}, Members: []reference{}}
	kept := *p
	in := struct {
		*Pool
		Balancer string `json:"loadbalancer_id"`
		Listener string `json:"listener_id"`
	}{Pool: p}
	if err := c.Decode("pool", &in); err != nil {
		return nil, err
	}
	p.Meta, p.states, p.Listeners, p.Members = kept.Meta, kept.states, kept.Listeners, kept.Members
	var li *Listener
	if in.Listener != "" {
		var ok bool
		if li, ok = sv.listeners.Get(in.Listener); !ok || li.Project != c.Project.ID {
			return nil, rest.NotFound("Listener %s not found.", in.Listener)
		}
		in.Balancer = li.Balancers[0].ID
		if li.DefaultPool != nil {
			return nil, rest.Fail(http.StatusConflict, "", "This listener already has a default pool")
		}
	}
	l, ok := sv.balancers.Get(in.Balancer)
	if !ok || l.Project != c.Project.ID {
		return nil, rest.NotFound("Load Balancer %s not found.", in.Balancer)
	}
	if err := sv.lock(l, "Load Balancer", l.ID, func() { p.become("ACTIVE") }); err != nil {
		return nil, err
	}
	p.Balancers = []reference{{l.ID}}
	if li != nil {
		li.DefaultPool = &p.ID
		p.Listeners = append(p.Listeners, reference{li.ID})
	}
	l.Pools = append(l.Pools, reference{p.ID})
	return p, nil
}

func (sv *Service) changePool(c *rest.Call, p *Pool) error {
	return sv.lock(sv.balancer(p.Balancers), "Pool", p.ID, func() { p.become("ACTIVE") })
}

func (sv *Service) removePool(c *rest.Call, p *Pool) error {
	err := sv.lock(sv.balancer(p.Balancers), "Load Balancer", sv.balancer(p.Balancers).ID, func() { sv.dropPool(p.ID) })
	if err == nil {
		p.Provisioning = "PENDING_DELETE"
	}
	return err
}

// dropPool removes a pool with its members and its monitor.
func (sv *Service) dropPool(id string) {
	p, ok := sv.pools.Get(id)
	if !ok {
		return
	}
	sv.members = sv.members.Where(func(m *Member) bool { return m.pool != p })
	sv.monitors.Remove(p.Monitor)
	for _, l := range sv.balancers {
		l.Pools = without(l.Pools, id)
	}
	for _, li := range sv.listeners {
		if li.DefaultPool != nil && *li.DefaultPool == id {
			li.DefaultPool = nil
		}
	}
	sv.pools.Remove(id)
}

func (sv *Service) createMonitor(c *rest.Call) (*Monitor, error) {
	m := &Monitor{Meta: rest.NewMeta(c.Project.ID), Tags: []string{}, states: newStates("OFFLINE"), Down: 3}
	kept := *m
	in := struct {
		*Monitor
		Pool string `json:"pool_id"`
	}{Monitor: m}
	if err := c.Decode("healthmonitor", &in); err != nil {
		return nil, err
	}
	m.Meta, m.states = kept.Meta, kept.states
	p, ok := sv.pools.Get(in.Pool)
	if !ok || p.Project != c.Project.ID {
		return nil, rest.NotFound("Pool %s not found.", in.Pool)
	}
	if p.Monitor != "" {
		return nil, rest.Fail(http.StatusConflict, "", "This pool already has a health monitor")
	}
	err := sv.lock(sv.balancer(p.Balancers), "Pool", p.ID, func() {
		m.become("ACTIVE")
		m.Operating = "ONLINE"
	})
	if err != nil {
		return nil, err
	}
	p.Monitor = m.ID
	m.Pools = []reference{{p.ID}}
	return m, nil
}

func (sv *Service) poolOf(m *Monitor) *Pool {
	p, ok := sv.pools.Get(m.Pools[0].ID)
	if !ok {
		return &Pool{}
	}
	return p
}

func (sv *Service) changeMonitor(c *rest.Call, m *Monitor) error {
	return sv.lock(sv.balancer(sv.poolOf(m).Balancers), "Health Monitor", m.ID, func() { m.become("ACTIVE") })
}

func (sv *Service) removeMonitor(c *rest.Call, m *Monitor) error {
	p := sv.poolOf(m)
	err := sv.lock(sv.balancer(p.Balancers), "Health Monitor", m.ID, func() {
		p.Monitor = ""
		sv.monitors.Remove(m.ID)
	})
	if err == nil {
		m.Provisioning = "PENDING_DELETE"
	}
	return err
}
