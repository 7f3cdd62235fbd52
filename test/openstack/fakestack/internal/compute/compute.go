// Package compute has nova and glance: servers, flavors, key pairs, server groups and images.
package compute

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/test/openstack/fakestack/internal/network"
	"kstatus.dev/test/openstack/fakestack/internal/rest"
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
	user        *rest.User
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

func (f *Flavor) Identify() *rest.Meta      { return &rest.Meta{ID: f.ID} }
func (k *KeyPair) Identify() *rest.Meta     { return &rest.Meta{ID: k.Name} }
func (g *ServerGroup) Identify() *rest.Meta { return &rest.Meta{ID: g.ID, Project: g.Project} }

// microversion reads the header with the version of nova's API.
func microversion(c *rest.Call) error {
	c.Minor = 1
	if text := c.Request.Header.Get("X-OpenStack-Nova-API-Version"); text != "" {
		major, minor, _ := strings.Cut(text, ".")
		n, err := strconv.Atoi(minor)
		if major != "2" || err != nil || n < 1 || n > newest {
			return rest.Fail(http.StatusNotAcceptable, "", "Version %s is not supported by the API. Minimum is 2.1 and maximum is 2.%d.", text, newest)
		}
		c.Minor = n
	}
	c.Header.Set("X-OpenStack-Nova-API-Version", fmt.Sprint("2.", c.Minor))
	return nil
}

// Options are the options of New.
type Options struct {
	Time  time.Duration // that a server takes to build and to go away
	Zones []string      // the availability zones
}

// A Service is nova with glance. The lock of the API guards it.
type Service struct {
	Options
	api     *rest.API
	network *network.Service

	servers    rest.Table[*Server]
	flavors    rest.Table[*Flavor]
	images     rest.Table[*Image]
	keys       rest.Table[*KeyPair]
	placements rest.Table[*ServerGroup]
}

// New adds nova and glance to an API.
func New(api *rest.API, n *network.Service, o Options) *Service {
	sv := &Service{Options: o, api: api, network: n}
	api.Prepare(rest.Compute, microversion)
	sv.routeCompute()
	sv.routeImages()
	return sv
}

// Snapshot adds the resources of a project to those of all services.
func (sv *Service) Snapshot(all map[string][]string, project string) {
	rest.List(all, "server", project, sv.servers, func(s *Server) string { return s.Name })
	rest.List(all, "server group", project, sv.placements, func(g *ServerGroup) string { return g.Name })
}

func (sv *Service) routeCompute() {
	version := func(c *rest.Call) any {
		return map[string]any{"id": "v2.1", "status": "CURRENT", "version": fmt.Sprint("2.", newest), "min_version": "2.1", "links": []any{rest.Link("self", c.Base+"/compute/v2.1/")}}
	}
	const root = "/compute/v2.1"
	for route, serve := range map[string]rest.Handle{
		"GET /compute/{$}": func(c *rest.Call) (int, any, error) {
			return http.StatusOK, map[string]any{"versions": []any{version(c)}}, nil
		},
		"GET " + root + "/{$}": func(c *rest.Call) (int, any, error) {
			return http.StatusOK, map[string]any{"version": version(c)}, nil
		},
		"GET " + root + "/servers":                        sv.listServers(false),
		"GET " + root + "/servers/detail":                 sv.listServers(true),
		"POST " + root + "/servers":                       sv.createServer,
		"GET " + root + "/servers/{id}":                   sv.oneServer(sv.getServer),
		"PUT " + root + "/servers/{id}":                   sv.oneServer(sv.renameServer),
		"DELETE " + root + "/servers/{id}":                sv.oneServer(sv.deleteServer),
		"POST " + root + "/servers/{id}/action":           sv.oneServer(sv.act),
		"GET " + root + "/servers/{id}/os-interface":      sv.oneServer(sv.listInterfaces),
		"GET " + root + "/servers/{id}/metadata":          sv.oneServer(getMetadata),
		"POST " + root + "/servers/{id}/metadata":         sv.oneServer(sv.setMetadata),
		"DELETE " + root + "/servers/{id}/metadata/{key}": sv.oneServer(sv.deleteMetadata),
		"GET " + root + "/flavors":                        sv.listFlavors(false),
		"GET " + root + "/flavors/detail":                 sv.listFlavors(true),
		"GET " + root + "/flavors/{id}":                   sv.getFlavor,
		"POST " + root + "/flavors":                       sv.createFlavor,
		"DELETE " + root + "/flavors/{id}":                sv.deleteFlavor,
		"GET " + root + "/os-keypairs":                    sv.listKeys,
		"POST " + root + "/os-keypairs":                   sv.createKey,
		"GET " + root + "/os-keypairs/{id}": sv.oneKey(func(c *rest.Call, k *KeyPair) (int, any, error) {
			return http.StatusOK, map[string]any{"keypair": k}, nil
		}),
		"DELETE " + root + "/os-keypairs/{id}": sv.oneKey(sv.deleteKey),
		"GET " + root + "/os-server-groups":    sv.listServerGroups,
		"POST " + root + "/os-server-groups":   sv.createServerGroup,
		"GET " + root + "/os-server-groups/{id}": sv.oneServerGroup(func(c *rest.Call, g *ServerGroup) (int, any, error) {
			return http.StatusOK, map[string]any{"server_group": g}, nil
		}),
		"DELETE " + root + "/os-server-groups/{id}": sv.oneServerGroup(sv.deleteServerGroup),
		"GET " + root + "/os-availability-zone":     sv.listZones,
	} {
		sv.api.Handle(route, serve)
	}
	sv.api.RouteQuota(root+"/os-quota-sets/{id}", "quota_set", "instances", "cores", "ram")
	rest.RouteTags(sv.api, root+"/servers", func(c *rest.Call) (*[]string, error) {
		s, err := sv.server(c)
		if err != nil {
			return nil, err
		}
		return &s.Tags, nil
	}, func(tag string) error { return rest.NotFound("Instance has no tag '%s'", tag) })
}

// server returns the server that the path names.
func (sv *Service) server(c *rest.Call) (*Server, error) {
	s, ok := sv.servers.Get(c.Path("id"))
	if !ok || s.Project != c.Project.ID && !c.User.Admin {
		return nil, rest.NotFound("Instance %s could not be found.", c.Path("id"))
	}
	return s, nil
}

func (sv *Service) oneServer(serve func(*rest.Call, *Server) (int, any, error)) rest.Handle {
	return func(c *rest.Call) (int, any, error) {
		s, err := sv.server(c)
		if err != nil {
			return 0, nil, err
		}
		return serve(c, s)
	}
}

func (sv *Service) listServers(detailed bool) rest.Handle {
	return func(c *rest.Call) (int, any, error) {
		policy := "index"
		if detailed {
			policy = "detail"
		}
		found, err := sv.findServers(c, policy)
		views := []any{}
		for _, s := range found {
			if detailed {
				views = append(views, sv.showServer(c, s))
			} else {
				views = append(views, map[string]any{"id": s.ID, "name": s.Name, "links": []any{rest.Link("self", c.Base+"/compute/v2.1/servers/"+s.ID)}})
			}
		}
		return http.StatusOK, map[string]any{"servers": views}, err
	}
}

func (sv *Service) getServer(c *rest.Call, s *Server) (int, any, error) {
	return http.StatusOK, map[string]any{"server": sv.showServer(c, s)}, nil
}

func (sv *Service) renameServer(c *rest.Call, s *Server) (int, any, error) {
	if err := c.Decode("server", &struct{ Name *string }{&s.Name}); err != nil {
		return 0, nil, err
	}
	return sv.getServer(c, s)
}

// actions are the actions on servers: the state that each needs, and the one to which it leads.
var actions = map[string]struct{ verb, from, state, status string }{
	"os-stop":  {"stop", "active", "stopped", "SHUTOFF"},
	"os-start": {"start", "stopped", "active", "ACTIVE"},
}

func (sv *Service) act(c *rest.Call, s *Server) (int, any, error) {
	for name, a := range actions {
		var ignored any
		if !strings.Contains(string(c.Body), `"`+name+`"`) {
			continue
		}
		if err := c.Decode(name, &ignored); err != nil {
			return 0, nil, err
		}
		if s.State != a.from {
			return 0, nil, rest.Fail(http.StatusConflict, "", "Cannot '%s' instance %s while it is in vm_state %s", a.verb, s.ID, s.State)
		}
		sv.api.After(sv.Time, func() { s.State, s.Status = a.state, a.status })
		return http.StatusAccepted, nil, nil
	}
	return 0, nil, rest.Bad("There is no such action: %s", c.Body)
}

func (sv *Service) listInterfaces(c *rest.Call, s *Server) (int, any, error) {
	all := []any{}
	for _, p := range sv.portsOf(s) {
		all = append(all, map[string]any{"net_id": p.NetworkID, "port_id": p.ID, "mac_addr": p.MAC, "port_state": p.Status, "fixed_ips": p.FixedIPs})
	}
	return http.StatusOK, map[string]any{"interfaceAttachments": all}, nil
}

func getMetadata(_ *rest.Call, s *Server) (int, any, error) {
	return http.StatusOK, map[string]any{"metadata": s.Metadata}, nil
}

func (sv *Service) setMetadata(c *rest.Call, s *Server) (int, any, error) {
	more := map[string]string{}
	if err := c.Decode("metadata", &more); err != nil {
		return 0, nil, err
	}
	maps.Copy(s.Metadata, more)
	return getMetadata(c, s)
}

func (sv *Service) deleteMetadata(c *rest.Call, s *Server) (int, any, error) {
	if _, ok := s.Metadata[c.Path("key")]; !ok {
		return 0, nil, rest.NotFound("Metadata item was not found")
	}
	delete(s.Metadata, c.Path("key"))
	return http.StatusNoContent, nil, nil
}

func (sv *Service) listFlavors(detailed bool) rest.Handle {
	return func(c *rest.Call) (int, any, error) {
		views := []any{}
		for _, f := range rest.Page(sv.flavors, c.Request.URL.Query()) {
			if detailed {
				views = append(views, f.show(c))
			} else {
				views = append(views, map[string]any{"id": f.ID, "name": f.Name, "links": []any{rest.Link("self", c.Base+"/compute/v2.1/flavors/"+f.ID)}})
			}
		}
		return http.StatusOK, map[string]any{"flavors": views}, nil
	}
}

func (sv *Service) getFlavor(c *rest.Call) (int, any, error) {
	f, ok := sv.flavors.Get(c.Path("id"))
	if !ok {
		return 0, nil, rest.NotFound("Flavor %s could not be found.", c.Path("id"))
	}
	return http.StatusOK, map[string]any{"flavor": f.show(c)}, nil
}

// show returns a flavor as clients of a microversion see it.
func (f *Flavor) show(c *rest.Call) Flavor {
	shown := *f
	if shown.Swap = ""; c.Minor >= 75 {
		shown.Swap = 0
	}
	return shown
}

func (sv *Service) createFlavor(c *rest.Call) (int, any, error) {
	if !c.User.Admin {
		return 0, nil, rest.Fail(http.StatusForbidden, "", "Policy doesn't allow os_compute_api:os-flavor-manage:create to be performed.")
	}
	f := &Flavor{Ratio: 1, Open: true}
	if err := c.Decode("flavor", f); err != nil {
		return 0, nil, err
	}
	if f.ID == "" {
		f.ID = rest.NewID()
	}
	sv.flavors = append(sv.flavors, f)
	return http.StatusOK, map[string]any{"flavor": f.show(c)}, nil
}

func (sv *Service) deleteFlavor(c *rest.Call) (int, any, error) {
	sv.flavors.Remove(c.Path("id"))
	return http.StatusAccepted, nil, nil
}

func (sv *Service) listKeys(c *rest.Call) (int, any, error) {
	all := []any{}
	for _, k := range sv.keys {
		if k.user == c.User {
			all = append(all, map[string]any{"keypair": map[string]any{"name": k.Name, "public_key": k.PublicKey, "fingerprint": k.Fingerprint}})
		}
	}
	return http.StatusOK, map[string]any{"keypairs": all}, nil
}

func (sv *Service) createKey(c *rest.Call) (int, any, error) {
	k := &KeyPair{Fingerprint: "3f:66:84:a1:b6:be:09:d3:01:9e:f8:66:72:a8:7c:37", UserID: c.User.ID, user: c.User}
	if err := c.Decode("keypair", k); err != nil {
		return 0, nil, err
	}
	if slices.ContainsFunc(sv.keys, func(o *KeyPair) bool { return o.user == c.User && o.Name == k.Name }) {
		return 0, nil, rest.Fail(http.StatusConflict, "", "Key pair '%s' already exists.", k.Name)
	}
	sv.keys = append(sv.keys, k)
	if c.Minor >= 2 {
		return http.StatusCreated, map[string]any{"keypair": k}, nil
	}
	return http.StatusOK, map[string]any{"keypair": k}, nil
}

func (sv *Service) oneKey(serve func(*rest.Call, *KeyPair) (int, any, error)) rest.Handle {
	return func(c *rest.Call) (int, any, error) {
		for _, k := range sv.keys {
			if k.user == c.User && k.Name == c.Path("id") {
				return serve(c, k)
			}
		}
		return 0, nil, rest.NotFound("Keypair %s not found for user %s", c.Path("id"), c.User.ID)
	}
}

func (sv *Service) deleteKey(c *rest.Call, k *KeyPair) (int, any, error) {
	sv.keys = sv.keys.Where(func(o *KeyPair) bool { return o != k })
	if c.Minor >= 2 {
		return http.StatusNoContent, nil, nil
	}
	return http.StatusAccepted, nil, nil
}

func (sv *Service) listServerGroups(c *rest.Call) (int, any, error) {
	mine := sv.placements.Where(func(g *ServerGroup) bool { return g.Project == c.Project.ID })
	return http.StatusOK, map[string]any{"server_groups": append([]*ServerGroup{}, mine...)}, nil
}

func (sv *Service) createServerGroup(c *rest.Call) (int, any, error) {
	g := &ServerGroup{ID: rest.NewID(), Project: c.Project.ID, User: c.User.ID, Members: []string{}}
	if err := c.Decode("server_group", g); err != nil {
		return 0, nil, err
	}
	sv.placements = append(sv.placements, g)
	return http.StatusOK, map[string]any{"server_group": g}, nil
}

func (sv *Service) oneServerGroup(serve func(*rest.Call, *ServerGroup) (int, any, error)) rest.Handle {
	return func(c *rest.Call) (int, any, error) {
		g, ok := sv.placements.Get(c.Path("id"))
		if !ok || g.Project != c.Project.ID {
			return 0, nil, rest.NotFound("Instance group %s could not be found.", c.Path("id"))
		}
		return serve(c, g)
	}
}

func (sv *Service) deleteServerGroup(c *rest.Call, g *ServerGroup) (int, any, error) {
	sv.placements.Remove(g.ID)
	return http.StatusNoContent, nil, nil
}

func (sv *Service) listZones(c *rest.Call) (int, any, error) {
	var all []any
	for _, z := range sv.Zones {
		all = append(all, map[string]any{"zoneName": z, "zoneState": map[string]any{"available": true}, "hosts": nil})
	}
	return http.StatusOK, map[string]any{"availabilityZoneInfo": all}, nil
}
