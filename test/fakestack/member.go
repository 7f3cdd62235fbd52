package fakestack

import "net/http"

// A Member is a member of a pool.
type Member struct {
	meta
	Name string   `json:"name"`
	Tags []string `json:"tags"`
	states
	Address  string  `json:"address"`
	Port     int     `json:"protocol_port"`
	SubnetID *string `json:"subnet_id"`
	Weight   int     `json:"weight"`
	Backup   bool    `json:"backup"`

	pool *Pool
}

func (m *Member) tags() *[]string { return &m.Tags }

// routeMembers adds the routes of members. Their path has the ID of the pool.
func (c *Cloud) routeMembers() {
	const path = "/load-balancer/v2.0/lbaas/pools/{pool}/members"
	c.mux.Handle("GET "+path, handle(func(c *call) (int, any, error) {
		p, err := c.memberPool()
		if err != nil {
			return 0, nil, err
		}
		found := []any{}
		for _, m := range c.members {
			if m.pool != p {
				continue
			}
			if ok, unknown := matches(fieldsOf(m), c.r.URL.Query()); unknown != "" {
				return 0, nil, bad("One or more arguments are either duplicate or invalid")
			} else if ok {
				found = append(found, m)
			}
		}
		return http.StatusOK, map[string]any{"members": found, "members_links": []any{}}, nil
	}))
	c.mux.Handle("POST "+path, handle(createMember))
	one := func(serve func(*call, *Member) (int, any, error)) handle {
		return func(c *call) (int, any, error) {
			p, err := c.memberPool()
			if err != nil {
				return 0, nil, err
			}
			m, ok := c.members.get(c.path("id"))
			if !ok || m.pool != p {
				return 0, nil, notFound("Member %s not found.", c.path("id"))
			}
			return serve(c, m)
		}
	}
	show := func(_ *call, m *Member) (int, any, error) {
		return http.StatusOK, map[string]any{"member": m}, nil
	}
	c.mux.Handle("GET "+path+"/{id}", one(show))
	c.mux.Handle("PUT "+path+"/{id}", one(func(c *call, m *Member) (int, any, error) {
		if err := c.lock(c.balancer(m.pool.Balancers), "Pool", m.pool.ID, func() { m.become("ACTIVE") }); err != nil {
			return 0, nil, err
		}
		if err := c.decode("member", m); err != nil {
			return 0, nil, err
		}
		return show(c, m)
	}))
	c.mux.Handle("DELETE "+path+"/{id}", one(func(c *call, m *Member) (int, any, error) {
		err := c.lock(c.balancer(m.pool.Balancers), "Pool", m.pool.ID, func() {
			m.pool.Members = without(m.pool.Members, m.ID)
			c.members.remove(m.ID)
		})
		if err == nil {
			m.Provisioning = "PENDING_DELETE"
		}
		return http.StatusNoContent, nil, err
	}))
}

func (c *call) memberPool() (*Pool, error) {
	p, ok := c.pools.get(c.path("pool"))
	if !ok || p.Project != c.project.ID && !c.user.admin {
		return nil, notFound("Pool %s not found.", c.path("pool"))
	}
	return p, nil
}

func createMember(c *call) (int, any, error) {
	p, err := c.memberPool()
	if err != nil {
		return 0, nil, err
	}
	m := &Member{meta: newMeta(c.project.ID), Tags: []string{}, states: newStates("NO_MONITOR"), Weight: 1, pool: p}
	kept := *m
	if err := c.decode("member", m); err != nil {
		return 0, nil, err
	}
	m.meta, m.states = kept.meta, kept.states
	for _, other := range c.members {
		if other.pool == p && other.Address == m.Address && other.Port == m.Port {
			return 0, nil, fail(http.StatusConflict, "", "Another member on this pool is already using ip %s on protocol_port %d", m.Address, m.Port)
		}
	}
	if err := c.lock(c.balancer(p.Balancers), "Pool", p.ID, func() { m.become("ACTIVE") }); err != nil {
		return 0, nil, err
	}
	p.Members = append(p.Members, reference{m.ID})
	c.members = append(c.members, m)
	return http.StatusCreated, map[string]any{"member": m}, nil
}
