package fakestack

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// newest is the newest minor version of nova's API.
const newest = 93

// A Flavor is a flavor of nova.
type Flavor struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	VCPUs int     `json:"vcpus"`
	RAM   int     `json:"ram"`
	Disk  int     `json:"disk"`
	Swap  any     `json:"swap"` // depends on the microversion
	Ratio float64 `json:"rxtx_factor"`
	Open  bool    `json:"os-flavor-access:is_public"`
}

// A KeyPair is a key pair of a user.
type KeyPair struct {
	Name        string `json:"name"`
	PublicKey   string `json:"public_key"`
	Fingerprint string `json:"fingerprint"`
	UserID      string `json:"user_id"`
	user        *user
}

// A ServerGroup says how servers share hosts.
type ServerGroup struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Project string   `json:"project_id"`
	User    string   `json:"user_id"`
	Policy  string   `json:"policy"`
	Members []string `json:"members"`
	Rules   struct{} `json:"rules"`
}

func (f *Flavor) self() *meta      { return &meta{ID: f.ID} }
func (k *KeyPair) self() *meta     { return &meta{ID: k.Name} }
func (g *ServerGroup) self() *meta { return &meta{ID: g.ID, Project: g.Project} }

// microversion reads the header with the version of nova's API.
func (c *call) microversion(service string, h http.Header) error {
	if service != Compute {
		return nil
	}
	c.minor = 1
	if text := c.r.Header.Get("X-OpenStack-Nova-API-Version"); text != "" {
		major, minor, _ := strings.Cut(text, ".")
		n, err := strconv.Atoi(minor)
		if major != "2" || err != nil || n < 1 || n > newest {
			return fail(http.StatusNotAcceptable, "", "Version %s is not supported by the API. Minimum is 2.1 and maximum is 2.%d.", text, newest)
		}
		c.minor = n
	}
	h.Set("X-OpenStack-Nova-API-Version", fmt.Sprint("2.", c.minor))
	return nil
}

func notFound(format string, arguments ...any) error {
	return fail(http.StatusNotFound, "", format, arguments...)
}

func (c *Cloud) routeCompute() {
	version := func(c *call) any {
		return map[string]any{"id": "v2.1", "status": "CURRENT", "version": fmt.Sprint("2.", newest), "min_version": "2.1", "links": []any{link("self", c.base+"/compute/v2.1/")}}
	}
	const root = "/compute/v2.1"
	for route, serve := range map[string]handle{
		"GET /compute/{$}": func(c *call) (int, any, error) {
			return http.StatusOK, map[string]any{"versions": []any{version(c)}}, nil
		},
		"GET " + root + "/{$}": func(c *call) (int, any, error) {
			return http.StatusOK, map[string]any{"version": version(c)}, nil
		},
		"GET " + root + "/servers":                        listServers(false),
		"GET " + root + "/servers/detail":                 listServers(true),
		"POST " + root + "/servers":                       createServer,
		"GET " + root + "/servers/{id}":                   oneServer(getServer),
		"PUT " + root + "/servers/{id}":                   oneServer(renameServer),
		"DELETE " + root + "/servers/{id}":                oneServer(deleteServer),
		"POST " + root + "/servers/{id}/action":           oneServer(act),
		"GET " + root + "/servers/{id}/os-interface":      oneServer(listInterfaces),
		"GET " + root + "/servers/{id}/metadata":          oneServer(getMetadata),
		"POST " + root + "/servers/{id}/metadata":         oneServer(setMetadata),
		"DELETE " + root + "/servers/{id}/metadata/{key}": oneServer(deleteMetadata),
		"GET " + root + "/flavors":                        listFlavors(false),
		"GET " + root + "/flavors/detail":                 listFlavors(true),
		"GET " + root + "/flavors/{id}":                   getFlavor,
		"POST " + root + "/flavors":                       createFlavor,
		"DELETE " + root + "/flavors/{id}":                deleteFlavor,
		"GET " + root + "/os-keypairs":                    listKeys,
		"POST " + root + "/os-keypairs":                   createKey,
		"GET " + root + "/os-keypairs/{id}":               oneKey(func(c *call, k *KeyPair) (int, any, error) { return http.StatusOK, map[string]any{"keypair": k}, nil }),
		"DELETE " + root + "/os-keypairs/{id}":            oneKey(deleteKey),
		"GET " + root + "/os-server-groups":               listServerGroups,
		"POST " + root + "/os-server-groups":              createServerGroup,
		"GET " + root + "/os-server-groups/{id}": oneServerGroup(func(c *call, g *ServerGroup) (int, any, error) {
			return http.StatusOK, map[string]any{"server_group": g}, nil
		}),
		"DELETE " + root + "/os-server-groups/{id}": oneServerGroup(deleteServerGroup),
		"GET " + root + "/os-availability-zone":     listZones,
	} {
		c.mux.Handle(route, serve)
	}
	c.routeQuota(root+"/os-quota-sets/{id}", "quota_set", "instances", "cores", "ram")
	routeTags(c, root+"/servers", func(c *call) (*[]string, error) {
		s, err := c.server()
		if err != nil {
			return nil, err
		}
		return &s.Tags, nil
	}, func(tag string) error { return notFound("Instance has no tag '%s'", tag) })
}

// server returns the server that the path names.
func (c *call) server() (*Server, error) {
	s, ok := c.servers.get(c.path("id"))
	if !ok || s.Project != c.project.ID && !c.user.admin {
		return nil, notFound("Instance %s could not be found.", c.path("id"))
	}
	return s, nil
}

func oneServer(serve func(*call, *Server) (int, any, error)) handle {
	return func(c *call) (int, any, error) {
		s, err := c.server()
		if err != nil {
			return 0, nil, err
		}
		return serve(c, s)
	}
}

func listServers(detailed bool) handle {
	return func(c *call) (int, any, error) {
		policy := "index"
		if detailed {
			policy = "detail"
		}
		found, err := c.findServers(policy)
		views := []any{}
		for _, s := range found {
			if detailed {
				views = append(views, c.showServer(s))
			} else {
				views = append(views, map[string]any{"id": s.ID, "name": s.Name, "links": []any{link("self", c.base+"/compute/v2.1/servers/"+s.ID)}})
			}
		}
		return http.StatusOK, map[string]any{"servers": views}, err
	}
}

func getServer(c *call, s *Server) (int, any, error) {
	return http.StatusOK, map[string]any{"server": c.showServer(s)}, nil
}

func renameServer(c *call, s *Server) (int, any, error) {
	if err := c.decode("server", &struct{ Name *string }{&s.Name}); err != nil {
		return 0, nil, err
	}
	return getServer(c, s)
}

// actions are the actions on servers: the state that each needs, and the one to which it leads.
var actions = map[string]struct{ verb, from, state, status string }{
	"os-stop":  {"stop", "active", "stopped", "SHUTOFF"},
	"os-start": {"start", "stopped", "active", "ACTIVE"},
}

func act(c *call, s *Server) (int, any, error) {
	for name, a := range actions {
		var ignored any
		if !strings.Contains(string(c.body), `"`+name+`"`) {
			continue
		}
		if err := c.decode(name, &ignored); err != nil {
			return 0, nil, err
		}
		if s.State != a.from {
			return 0, nil, fail(http.StatusConflict, "", "Cannot '%s' instance %s while it is in vm_state %s", a.verb, s.ID, s.State)
		}
		c.after(c.options.ServerTime, func() { s.State, s.Status = a.state, a.status })
		return http.StatusAccepted, nil, nil
	}
	return 0, nil, bad("There is no such action: %s", c.body)
}

func listInterfaces(c *call, s *Server) (int, any, error) {
	all := []any{}
	for _, p := range c.portsOf(s) {
		all = append(all, map[string]any{"net_id": p.NetworkID, "port_id": p.ID, "mac_addr": p.MAC, "port_state": p.Status, "fixed_ips": p.FixedIPs})
	}
	return http.StatusOK, map[string]any{"interfaceAttachments": all}, nil
}

func getMetadata(_ *call, s *Server) (int, any, error) {
	return http.StatusOK, map[string]any{"metadata": s.Metadata}, nil
}

func setMetadata(c *call, s *Server) (int, any, error) {
	more := map[string]string{}
	if err := c.decode("metadata", &more); err != nil {
		return 0, nil, err
	}
	maps.Copy(s.Metadata, more)
	return getMetadata(c, s)
}

func deleteMetadata(c *call, s *Server) (int, any, error) {
	if _, ok := s.Metadata[c.path("key")]; !ok {
		return 0, nil, notFound("Metadata item was not found")
	}
	delete(s.Metadata, c.path("key"))
	return http.StatusNoContent, nil, nil
}

func listFlavors(detailed bool) handle {
	return func(c *call) (int, any, error) {
		views := []any{}
		for _, f := range page(c.flavors, c.r.URL.Query()) {
			if detailed {
				views = append(views, f.show(c))
			} else {
				views = append(views, map[string]any{"id": f.ID, "name": f.Name, "links": []any{link("self", c.base+"/compute/v2.1/flavors/"+f.ID)}})
			}
		}
		return http.StatusOK, map[string]any{"flavors": views}, nil
	}
}

func getFlavor(c *call) (int, any, error) {
	f, ok := c.flavors.get(c.path("id"))
	if !ok {
		return 0, nil, notFound("Flavor %s could not be found.", c.path("id"))
	}
	return http.StatusOK, map[string]any{"flavor": f.show(c)}, nil
}

// show returns a flavor as clients of a microversion see it.
func (f *Flavor) show(c *call) Flavor {
	shown := *f
	if shown.Swap = ""; c.minor >= 75 {
		shown.Swap = 0
	}
	return shown
}

func createFlavor(c *call) (int, any, error) {
	if !c.user.admin {
		return 0, nil, fail(http.StatusForbidden, "", "Policy doesn't allow os_compute_api:os-flavor-manage:create to be performed.")
	}
	f := &Flavor{Ratio: 1, Open: true}
	if err := c.decode("flavor", f); err != nil {
		return 0, nil, err
	}
	if f.ID == "" {
		f.ID = newID()
	}
	c.flavors = append(c.flavors, f)
	return http.StatusOK, map[string]any{"flavor": f.show(c)}, nil
}

func deleteFlavor(c *call) (int, any, error) {
	c.flavors.remove(c.path("id"))
	return http.StatusAccepted, nil, nil
}

func listKeys(c *call) (int, any, error) {
	all := []any{}
	for _, k := range c.keys {
		if k.user == c.user {
			all = append(all, map[string]any{"keypair": map[string]any{"name": k.Name, "public_key": k.PublicKey, "fingerprint": k.Fingerprint}})
		}
	}
	return http.StatusOK, map[string]any{"keypairs": all}, nil
}

func createKey(c *call) (int, any, error) {
	k := &KeyPair{Fingerprint: "3f:66:84:a1:b6:be:09:d3:01:9e:f8:66:72:a8:7c:37", UserID: c.user.id, user: c.user}
	if err := c.decode("keypair", k); err != nil {
		return 0, nil, err
	}
	if slices.ContainsFunc(c.keys, func(o *KeyPair) bool { return o.user == c.user && o.Name == k.Name }) {
		return 0, nil, fail(http.StatusConflict, "", "Key pair '%s' already exists.", k.Name)
	}
	c.keys = append(c.keys, k)
	if c.minor >= 2 {
		return http.StatusCreated, map[string]any{"keypair": k}, nil
	}
	return http.StatusOK, map[string]any{"keypair": k}, nil
}

func oneKey(serve func(*call, *KeyPair) (int, any, error)) handle {
	return func(c *call) (int, any, error) {
		for _, k := range c.keys {
			if k.user == c.user && k.Name == c.path("id") {
				return serve(c, k)
			}
		}
		return 0, nil, notFound("Keypair %s not found for user %s", c.path("id"), c.user.id)
	}
}

func deleteKey(c *call, k *KeyPair) (int, any, error) {
	c.keys = c.keys.where(func(o *KeyPair) bool { return o != k })
	if c.minor >= 2 {
		return http.StatusNoContent, nil, nil
	}
	return http.StatusAccepted, nil, nil
}

func listServerGroups(c *call) (int, any, error) {
	mine := c.placements.where(func(g *ServerGroup) bool { return g.Project == c.project.ID })
	return http.StatusOK, map[string]any{"server_groups": append([]*ServerGroup{}, mine...)}, nil
}

func createServerGroup(c *call) (int, any, error) {
	g := &ServerGroup{ID: newID(), Project: c.project.ID, User: c.user.id, Members: []string{}}
	if err := c.decode("server_group", g); err != nil {
		return 0, nil, err
	}
	c.placements = append(c.placements, g)
	return http.StatusOK, map[string]any{"server_group": g}, nil
}

func oneServerGroup(serve func(*call, *ServerGroup) (int, any, error)) handle {
	return func(c *call) (int, any, error) {
		g, ok := c.placements.get(c.path("id"))
		if !ok || g.Project != c.project.ID {
			return 0, nil, notFound("Instance group %s could not be found.", c.path("id"))
		}
		return serve(c, g)
	}
}

func deleteServerGroup(c *call, g *ServerGroup) (int, any, error) {
	c.placements.remove(g.ID)
	return http.StatusNoContent, nil, nil
}

func listZones(c *call) (int, any, error) {
	var all []any
	for _, z := range c.options.Zones {
		all = append(all, map[string]any{"zoneName": z, "zoneState": map[string]any{"available": true}, "hosts": nil})
	}
	return http.StatusOK, map[string]any{"availabilityZoneInfo": all}, nil
}
