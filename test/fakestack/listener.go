package fakestack

import "net/http"

// A Listener is a listener of octavia.
type Listener struct {
	meta
	labels
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
	meta
	labels
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
	meta
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

func (m *Monitor) tags() *[]string { return &m.Tags }

// balancer returns the load balancer that the first reference names.
func (c *Cloud) balancer(refs []reference) *LoadBalancer {
	for _, r := range refs {
		if l, ok := c.balancers.get(r.ID); ok {
			return l
		}
	}
	return &LoadBalancer{states: states{Provisioning: "DELETED"}}
}

func createListener(c *call) (*Listener, error) {
	li := &Listener{meta: newMeta(c.project.ID), labels: labels{Tags: []string{}}, states: newStates("OFFLINE"), Limit: -1, ClientTime: 50000, ConnectTime: 5000, MemberTime: 50000}
	kept := *li
	in := struct {
		*Listener
		Balancer string `json:"loadbalancer_id"`
	}{Listener: li}
	if err := c.decode("listener", &in); err != nil {
		return nil, err
	}
	li.meta, li.states = kept.meta, kept.states
	l, ok := c.balancers.get(in.Balancer)
	if !ok || l.Project != c.project.ID {
		return nil, notFound("Load Balancer %s not found.", in.Balancer)
	}
	for _, r := range l.Listeners {
		if other, ok := c.listeners.get(r.ID); ok && other.Port == li.Port {
			return nil, fail(http.StatusConflict, "", "Another Listener on this Load Balancer is already using protocol %s and protocol_port %d", li.Protocol, li.Port)
		}
	}
	if err := c.lock(l, "Load Balancer", l.ID, func() { li.become("ACTIVE") }); err != nil {
		return nil, err
	}
	li.Balancers = []reference{{l.ID}}
	l.Listeners = append(l.Listeners, reference{li.ID})
	return li, nil
}

func changeListener(c *call, li *Listener) error {
	return c.lock(c.balancer(li.Balancers), "Load Balancer", c.balancer(li.Balancers).ID, func() { li.become("ACTIVE") })
}

func removeListener(c *call, li *Listener) error {
	l := c.balancer(li.Balancers)
	err := c.lock(l, "Load Balancer", l.ID, func() {
		l.Listeners = without(l.Listeners, li.ID)
		for _, p := range c.pools {
			p.Listeners = without(p.Listeners, li.ID)
		}
		c.listeners.remove(li.ID)
	})
	if err == nil {
		li.Provisioning = "PENDING_DELETE"
	}
	return err
}

func createPool(c *call) (*Pool, error) {
	p := &Pool{meta: newMeta(c.project.ID), labels: labels{Tags: []string{}}, states: newStates("OFFLINE"), Listeners: []reference{}, Members: []reference{}}
	kept := *p
	in := struct {
		*Pool
		Balancer string `json:"loadbalancer_id"`
		Listener string `json:"listener_id"`
	}{Pool: p}
	if err := c.decode("pool", &in); err != nil {
		return nil, err
	}
	p.meta, p.states, p.Listeners, p.Members = kept.meta, kept.states, kept.Listeners, kept.Members
	var li *Listener
	if in.Listener != "" {
		var ok bool
		if li, ok = c.listeners.get(in.Listener); !ok || li.Project != c.project.ID {
			return nil, notFound("Listener %s not found.", in.Listener)
		}
		in.Balancer = li.Balancers[0].ID
		if li.DefaultPool != nil {
			return nil, fail(http.StatusConflict, "", "This listener already has a default pool")
		}
	}
	l, ok := c.balancers.get(in.Balancer)
	if !ok || l.Project != c.project.ID {
		return nil, notFound("Load Balancer %s not found.", in.Balancer)
	}
	if err := c.lock(l, "Load Balancer", l.ID, func() { p.become("ACTIVE") }); err != nil {
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

func changePool(c *call, p *Pool) error {
	return c.lock(c.balancer(p.Balancers), "Pool", p.ID, func() { p.become("ACTIVE") })
}

func removePool(c *call, p *Pool) error {
	err := c.lock(c.balancer(p.Balancers), "Load Balancer", c.balancer(p.Balancers).ID, func() { c.dropPool(p.ID) })
	if err == nil {
		p.Provisioning = "PENDING_DELETE"
	}
	return err
}

// dropPool removes a pool with its members and its monitor.
func (c *Cloud) dropPool(id string) {
	p, ok := c.pools.get(id)
	if !ok {
		return
	}
	c.members = c.members.where(func(m *Member) bool { return m.pool != p })
	c.monitors.remove(p.Monitor)
	for _, l := range c.balancers {
		l.Pools = without(l.Pools, id)
	}
	for _, li := range c.listeners {
		if li.DefaultPool != nil && *li.DefaultPool == id {
			li.DefaultPool = nil
		}
	}
	c.pools.remove(id)
}

func createMonitor(c *call) (*Monitor, error) {
	m := &Monitor{meta: newMeta(c.project.ID), Tags: []string{}, states: newStates("OFFLINE"), Down: 3}
	kept := *m
	in := struct {
		*Monitor
		Pool string `json:"pool_id"`
	}{Monitor: m}
	if err := c.decode("healthmonitor", &in); err != nil {
		return nil, err
	}
	m.meta, m.states = kept.meta, kept.states
	p, ok := c.pools.get(in.Pool)
	if !ok || p.Project != c.project.ID {
		return nil, notFound("Pool %s not found.", in.Pool)
	}
	if p.Monitor != "" {
		return nil, fail(http.StatusConflict, "", "This pool already has a health monitor")
	}
	err := c.lock(c.balancer(p.Balancers), "Pool", p.ID, func() {
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

func (c *Cloud) poolOf(m *Monitor) *Pool {
	p, ok := c.pools.get(m.Pools[0].ID)
	if !ok {
		return &Pool{}
	}
	return p
}

func changeMonitor(c *call, m *Monitor) error {
	return c.lock(c.balancer(c.poolOf(m).Balancers), "Health Monitor", m.ID, func() { m.become("ACTIVE") })
}

func removeMonitor(c *call, m *Monitor) error {
	p := c.poolOf(m)
	err := c.lock(c.balancer(p.Balancers), "Health Monitor", m.ID, func() {
		p.Monitor = ""
		c.monitors.remove(m.ID)
	})
	if err == nil {
		m.Provisioning = "PENDING_DELETE"
	}
	return err
}
