package balancer

import (
	"net/http"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// A Member is a member of a pool.
type Member struct {
	rest.Meta
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

func (m *Member) Tagged() *[]string { return &m.Tags }

// routeMembers adds the routes of members. Their path has the ID of the pool.
func (sv *Service) routeMembers() {
	const path = "/load-balancer/v2.0/lbaas/pools/{pool}/members"
	sv.api.Handle("GET "+path, func(c *rest.Call) (int, any, error) {
		p, err := sv.memberPool(c)
		if err != nil {
			return 0, nil, err
		}
		found := []any{}
		for _, m := range sv.members {
			if m.pool != p {
				continue
			}
			if ok, unknown := rest.Matches(rest.FieldsOf(m), c.Request.URL.Query()); unknown != "" {
				return 0, nil, rest.Bad("One or more arguments are either duplicate or invalid")
			} else if ok {
				found = append(found, m)
			}
		}
		return http.StatusOK, map[string]any{"members": found, "members_links": []any{}}, nil
	})
	sv.api.Handle("POST "+path, sv.createMember)
	one := func(serve func(*rest.Call, *Member) (int, any, error)) rest.Handle {
		return func(c *rest.Call) (int, any, error) {
			p, err := sv.memberPool(c)
			if err != nil {
				return 0, nil, err
			}
			m, ok := sv.members.Get(c.Path("id"))
			if !ok || m.pool != p {
				return 0, nil, rest.NotFound("Member %s not found.", c.Path("id"))
			}
			return serve(c, m)
		}
	}
	show := func(_ *rest.Call, m *Member) (int, any, error) {
		return http.StatusOK, map[string]any{"member": m}, nil
	}
	sv.api.Handle("GET "+path+"/{id}", one(show))
	sv.api.Handle("PUT "+path+"/{id}", one(func(c *rest.Call, m *Member) (int, any, error) {
		if err := sv.lock(sv.balancer(m.pool.Balancers), "Pool", m.pool.ID, func() { m.become("ACTIVE") }); err != nil {
			return 0, nil, err
		}
		if err := c.Decode("member", m); err != nil {
			return 0, nil, err
		}
		return show(c, m)
	}))
	sv.api.Handle("DELETE "+path+"/{id}", one(func(c *rest.Call, m *Member) (int, any, error) {
		err := sv.lock(sv.balancer(m.pool.Balancers), "Pool", m.pool.ID, func() {
			m.pool.Members = without(m.pool.Members, m.ID)
			sv.members.Remove(m.ID)
		})
		if err == nil {
			m.Provisioning = "PENDING_DELETE"
		}
		return http.StatusNoContent, nil, err
	}))
}

func (sv *Service) memberPool(c *rest.Call) (*Pool, error) {
	p, ok := sv.pools.Get(c.Path("pool"))
	if !ok || p.Project != c.Project.ID && !c.User.Admin {
		return nil, rest.NotFound("Pool %s not found.", c.Path("pool"))
	}
	return p, nil
}

func (sv *Service) createMember(c *rest.Call) (int, any, error) {
	p, err := sv.memberPool(c)
	if err != nil {
		return 0, nil, err
	}
	m := &Member{Meta: rest.NewMeta(c.Project.ID), Tags: []string{}, states: newStates("NO_MONITOR"), Weight: 1, pool: p}
	kept := *m
	if err := c.Decode("member", m); err != nil {
		return 0, nil, err
	}
	m.Meta, m.states = kept.Meta, kept.states
	for _, other := range sv.members {
		if other.pool == p && other.Address == m.Address && other.Port == m.Port {
			return 0, nil, rest.Fail(http.StatusConflict, "", "Another member on this pool is already using ip %s on protocol_port %d", m.Address, m.Port)
		}
	}
	if err := sv.lock(sv.balancer(p.Balancers), "Pool", p.ID, func() { m.become("ACTIVE") }); err != nil {
		return 0, nil, err
	}
	p.Members = append(p.Members, reference{m.ID})
	sv.members = append(sv.members, m)
	return http.StatusCreated, map[string]any{"member": m}, nil
}
