package rest

import (
	"net/http"
	"strings"
)

// RouteQuota adds the routes of the quotas of one service.
func (a *API) RouteQuota(path, name string, resources ...string) {
	answer := func(p *Project) any {
		q := map[string]int{}
		for _, r := range resources {
			q[r] = p.Quota[r]
		}
		return map[string]any{name: q}
	}
	find := func(c *Call) (*Project, error) {
		p := a.ProjectNamed(c.Path("id"))
		if p == nil || p != c.Project && !c.User.Admin {
			return nil, Fail(http.StatusForbidden, "PolicyNotAuthorized", "rule:get_quota is disallowed by policy")
		}
		return p, nil
	}
	a.Handle("GET "+path, func(c *Call) (int, any, error) {
		p, err := find(c)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, answer(p), nil
	})
	a.Handle("PUT "+path, func(c *Call) (int, any, error) {
		p, err := find(c)
		if err == nil && !c.User.Admin {
			err = Fail(http.StatusForbidden, "PolicyNotAuthorized", "rule:update_quota is disallowed by policy")
		}
		if err == nil {
			err = c.Decode(name, &p.Quota)
		}
		if n, old := p.Quota["loadbalancer"]; old { // octavia takes this name too
			p.Quota["load_balancer"] = n
			delete(p.Quota, "loadbalancer")
		}
		if err != nil {
			return 0, nil, err
		}
		if strings.HasPrefix(path, "/load-balancer") {
			return http.StatusAccepted, answer(p), nil
		}
		return http.StatusOK, answer(p), nil
	})
}
