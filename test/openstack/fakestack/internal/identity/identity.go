// Package identity has keystone: tokens, application credentials and the catalog.
package identity

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

var errUnauthorized = rest.Fail(http.StatusUnauthorized, "", "The request you have made requires authentication.")

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

type service struct{ api *rest.API }

// Add adds keystone to an API.
func Add(api *rest.API) {
	sv := service{api}
	api.Handle("GET /identity/{$}", func(c *rest.Call) (int, any, error) {
		return http.StatusMultipleChoices, map[string]any{"versions": map[string]any{"values": []any{identityVersion(c)}}}, nil
	})
	api.Handle("GET /identity/v3/{$}", func(c *rest.Call) (int, any, error) {
		return http.StatusOK, map[string]any{"version": identityVersion(c)}, nil
	})
	api.Handle("POST /identity/v3/auth/tokens", sv.createToken)
	api.Handle("POST /identity/v3/users/{id}/application_credentials", createCredential)
}

func identityVersion(c *rest.Call) any {
	return map[string]any{"id": "v3.14", "status": "stable", "updated": "2020-04-07T00:00:00Z", "links": []any{rest.Link("self", c.Base+"/identity/v3/")}}
}

func (sv service) createToken(c *rest.Call) (int, any, error) {
	var request tokenRequest
	if err := json.Unmarshal(c.Body, &request); err != nil {
		return 0, nil, rest.Fail(http.StatusBadRequest, "", "The request body is not an object: %v", err)
	}
	s, method := sv.authenticate(request)
	if s == nil {
		return 0, nil, errUnauthorized
	}
	id := "gAAAAA" + rest.NewHex() + rest.NewHex()
	sv.api.AddToken(id, s)
	domain := map[string]any{"id": "default", "name": "Default"}
	role := "member"
	if s.User.Admin {
		role = "admin"
	}
	token := map[string]any{
		"methods":    []string{method},
		"user":       map[string]any{"id": s.User.ID, "name": s.User.Name, "domain": domain, "password_expires_at": nil},
		"project":    map[string]any{"id": s.Project.ID, "name": s.Project.Name, "domain": domain},
		"roles":      []any{map[string]any{"id": rest.NewHex(), "name": role}},
		"is_domain":  false,
		"audit_ids":  []string{rest.NewHex()[:22]},
		"issued_at":  time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
		"expires_at": time.Now().Add(24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000000Z"),
		"catalog":    catalog(c),
	}
	c.Header.Set("X-Subject-Token", id)
	return http.StatusCreated, map[string]any{"token": token}, nil
}

// authenticate returns the session that a request has the right to, nil for none.
func (sv service) authenticate(request tokenRequest) (s *rest.Session, method string) {
	a := request.Auth.Identity.Credential
	if a.Secret != "" {
		for _, u := range sv.api.Users() {
			for _, known := range u.Credentials {
				mine := u == sv.api.UserNamed(cmp.Or(a.User.ID, a.User.Name)) && known.Name == a.Name
				if known.Secret == a.Secret && (known.ID == a.ID || mine) {
					return &rest.Session{User: u, Project: sv.api.ProjectNamed(known.Project)}, "application_credential"
				}
			}
		}
		return nil, ""
	}
	p := request.Auth.Identity.Password.User
	u := sv.api.UserNamed(cmp.Or(p.ID, p.Name))
	in := sv.api.ProjectNamed(cmp.Or(request.Auth.Scope.Project.ID, request.Auth.Scope.Project.Name))
	if u == nil || in == nil || u.Password != p.Password || !slices.Contains(u.Projects, in.Name) {
		return nil, ""
	}
	return &rest.Session{User: u, Project: in}, "password"
}

// catalog lists the URLs of all services.
func catalog(c *rest.Call) []any {
	var all []any
	for _, s := range [][3]string{
		{rest.Identity, "keystone", "/identity/v3"},
		{rest.Compute, "nova", "/compute/v2.1"},
		{rest.NetworkAPI, "neutron", "/network"},
		{rest.ImageAPI, "glance", "/image"},
		{rest.LoadBalancing, "octavia", "/load-balancer"},
	} {
		var endpoints []any
		for _, i := range []string{"public", "internal", "admin"} {
			endpoints = append(endpoints, map[string]any{"id": rest.NewHex(), "interface": i, "region": rest.Region, "region_id": rest.Region, "url": c.Base + s[2]})
		}
		all = append(all, map[string]any{"id": rest.NewHex(), "type": s[0], "name": s[1], "endpoints": endpoints})
	}
	return all
}

func createCredential(c *rest.Call) (int, any, error) {
	var in struct{ Name, Description, Secret string }
	if err := c.Decode("application_credential", &in); err != nil {
		return 0, nil, err
	}
	if c.Path("id") != c.User.ID {
		return 0, nil, rest.Fail(http.StatusForbidden, "", "You are not authorized to perform the requested action: identity:create_application_credential.")
	}
	if slices.ContainsFunc(c.User.Credentials, func(k rest.Credential) bool { return k.Name == in.Name }) {
		return 0, nil, rest.Fail(http.StatusConflict, "", "Conflict occurred attempting to store application_credential - Duplicate entry found with name %s.", in.Name)
	}
	made := rest.Credential{ID: rest.NewHex(), Name: in.Name, Secret: cmp.Or(in.Secret, rest.NewHex()), Project: c.Project.ID}
	c.User.Credentials = append(c.User.Credentials, made)
	return http.StatusCreated, map[string]any{"application_credential": map[string]any{
		"id": made.ID, "name": made.Name, "secret": made.Secret, "project_id": made.Project, "description": in.Description,
		"expires_at": nil, "unrestricted": false, "roles": []any{map[string]any{"id": rest.NewHex(), "name": "member", "domain_id": nil}},
	}}, nil
}
