package fakestack

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

type user struct {
	id, name, password string
	admin              bool
	projects           []string // names
	credentials        []credential
}

// credential is an application credential.
type credential struct{ id, name, secret, project string }

type project struct {
	ID, Name string
	quota    map[string]int
}

// A session belongs to a token: it is a user in a project.
type session struct {
	user    *user
	project *project
}

// quotas are the quotas of a new project, by the names of the services. -1 means any number.
var quotas = map[string]int{
	"instances": 10, "cores": 20, "ram": 51200,
	"network": 100, "subnet": 100, "port": 500, "router": 10, "floatingip": 50, "security_group": 10, "security_group_rule": 100,
	"load_balancer": -1, "listener": -1, "pool": -1, "member": -1, "health_monitor": -1,
}

// AddAccount lets a user work in a project, and creates both where they do not exist. It returns
// the ID of the project.
func (c *Cloud) AddAccount(name, password, projectName string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.userNamed(name)
	if u == nil {
		u = &user{id: newHex(), name: name}
		c.users = append(c.users, u)
	}
	u.password = password
	u.projects = append(u.projects, projectName)
	p := c.projectNamed(projectName)
	if p == nil {
		p = &project{ID: newHex(), Name: projectName, quota: map[string]int{}}
		for resource, n := range quotas {
			p.quota[resource] = n
		}
		c.projects = append(c.projects, p)
	}
	return p.ID
}

// SetPassword changes the password of a user, and makes all tokens invalid.
func (c *Cloud) SetPassword(name, password string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if u := c.userNamed(name); u != nil {
		u.password = password
	}
	clear(c.tokens)
}

// SetQuota sets one quota of a project, such as instances, port, floatingip or load_balancer.
func (c *Cloud) SetQuota(projectID, resource string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.projects {
		if p.ID == projectID {
			p.quota[resource] = n
		}
	}
}

func (c *Cloud) userNamed(name string) *user {
	i := slices.IndexFunc(c.users, func(u *user) bool { return u.name == name || u.id == name })
	if i < 0 || name == "" {
		return nil
	}
	return c.users[i]
}

func (c *Cloud) projectNamed(name string) *project {
	i := slices.IndexFunc(c.projects, func(p *project) bool { return p.Name == name || p.ID == name })
	if i < 0 || name == "" {
		return nil
	}
	return c.projects[i]
}

var errUnauthorized = &apiError{http.StatusUnauthorized, "", "The request you have made requires authentication."}

// tokenRequest is a request for a token. Fields that the fake does not read are absent.
type tokenRequest struct {
	Auth struct {
		Identity struct {
			Password struct {
				User struct{ ID, Name, Password string }
			}
			Credential struct {
				ID, Name, Secret string
				User             struct{ ID, Name string }
			} `json:"application_credential"`
		}
		Scope struct {
			Project struct{ ID, Name string }
		}
	}
}

// tokenAnswer is the body of an answer with a token. The ID of the token is in a header.
type tokenAnswer struct {
	Token map[string]any `json:"token"`
	id    string
}

func (c *Cloud) routeIdentity() {
	c.mux.Handle("GET /identity/{$}", handle(func(c *call) (int, any, error) {
		return http.StatusMultipleChoices, map[string]any{"versions": map[string]any{"values": []any{c.identityVersion()}}}, nil
	}))
	c.mux.Handle("GET /identity/v3/{$}", handle(func(c *call) (int, any, error) {
		return http.StatusOK, map[string]any{"version": c.identityVersion()}, nil
	}))
	c.mux.Handle("POST /identity/v3/auth/tokens", handle(createToken))
	c.mux.Handle("POST /identity/v3/users/{id}/application_credentials", handle(createCredential))
}

func (c *call) identityVersion() any {
	return map[string]any{"id": "v3.14", "status": "stable", "updated": "2020-04-07T00:00:00Z", "links": []any{link("self", c.base+"/identity/v3/")}}
}

func link(rel, url string) any { return map[string]any{"rel": rel, "href": url} }

func createToken(c *call) (int, any, error) {
	var request tokenRequest
	if err := json.Unmarshal(c.body, &request); err != nil {
		return 0, nil, fail(http.StatusBadRequest, "", "The request body is not an object: %v", err)
	}
	s, method := c.authenticate(request)
	if s == nil {
		return 0, nil, errUnauthorized
	}
	id := "gAAAAA" + newHex() + newHex()
	c.tokens[id] = s
	domain := map[string]any{"id": "default", "name": "Default"}
	role := "member"
	if s.user.admin {
		role = "admin"
	}
	token := map[string]any{
		"methods":    []string{method},
		"user":       map[string]any{"id": s.user.id, "name": s.user.name, "domain": domain, "password_expires_at": nil},
		"project":    map[string]any{"id": s.project.ID, "name": s.project.Name, "domain": domain},
		"roles":      []any{map[string]any{"id": newHex(), "name": role}},
		"is_domain":  false,
		"audit_ids":  []string{newHex()[:22]},
		"issued_at":  time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
		"expires_at": time.Now().Add(24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000000Z"),
		"catalog":    c.catalog(),
	}
	return http.StatusCreated, tokenAnswer{token, id}, nil
}

// authenticate returns the session that a request has the right to, nil for none.
func (c *call) authenticate(request tokenRequest) (s *session, method string) {
	a := request.Auth.Identity.Credential
	if a.Secret != "" {
		for _, u := range c.users {
			for _, known := range u.credentials {
				mine := u == c.userNamed(cmp.Or(a.User.ID, a.User.Name)) && known.name == a.Name
				if known.secret == a.Secret && (known.id == a.ID || mine) {
					return &session{u, c.projectNamed(known.project)}, "application_credential"
				}
			}
		}
		return nil, ""
	}
	p := request.Auth.Identity.Password.User
	u := c.userNamed(cmp.Or(p.ID, p.Name))
	in := c.projectNamed(cmp.Or(request.Auth.Scope.Project.ID, request.Auth.Scope.Project.Name))
	if u == nil || in == nil || u.password != p.Password || !slices.Contains(u.projects, in.Name) {
		return nil, ""
	}
	return &session{u, in}, "password"
}

// catalog lists the URLs of all services.
func (c *call) catalog() []any {
	var catalog []any
	for _, s := range [][3]string{
		{Identity, "keystone", "/identity/v3"},
		{Compute, "nova", "/compute/v2.1"},
		{NetworkAPI, "neutron", "/network"},
		{ImageAPI, "glance", "/image"},
		{LoadBalancing, "octavia", "/load-balancer"},
	} {
		var endpoints []any
		for _, i := range []string{"public", "internal", "admin"} {
			endpoints = append(endpoints, map[string]any{"id": newHex(), "interface": i, "region": Region, "region_id": Region, "url": c.base + s[2]})
		}
		catalog = append(catalog, map[string]any{"id": newHex(), "type": s[0], "name": s[1], "endpoints": endpoints})
	}
	return catalog
}

func createCredential(c *call) (int, any, error) {
	var in struct{ Name, Description, Secret string }
	if err := c.decode("application_credential", &in); err != nil {
		return 0, nil, err
	}
	if c.path("id") != c.user.id {
		return 0, nil, fail(http.StatusForbidden, "", "You are not authorized to perform the requested action: identity:create_application_credential.")
	}
	if slices.ContainsFunc(c.user.credentials, func(k credential) bool { return k.name == in.Name }) {
		return 0, nil, fail(http.StatusConflict, "", "Conflict occurred attempting to store application_credential - Duplicate entry found with name %s.", in.Name)
	}
	made := credential{newHex(), in.Name, cmp.Or(in.Secret, newHex()), c.project.ID}
	c.user.credentials = append(c.user.credentials, made)
	return http.StatusCreated, map[string]any{"application_credential": map[string]any{
		"id": made.id, "name": made.name, "secret": made.secret, "project_id": made.project, "description": in.Description,
		"expires_at": nil, "unrestricted": false, "roles": []any{map[string]any{"id": newHex(), "name": "member", "domain_id": nil}},
	}}, nil
}
