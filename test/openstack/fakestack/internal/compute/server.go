package compute

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"

	"kstatus.dev/test/openstack/fakestack/internal/network"
	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// A Server is a server of nova.
type Server struct {
	ID, Name, Project, User string
	Status, State           string // such as ACTIVE and active
	Task                    *string
	Power                   int
	Fault                   *ServerFault
	ImageID                 string
	Flavor                  *Flavor
	Metadata                map[string]string
	Tags                    []string
	Key                     *string
	Zone                    string
	ConfigDrive             bool
	Created, Updated        string
	UserData                string // as it was sent, in base64

	own    []string // the ports that nova has created
	groups []string // names of security groups
}

// A ServerFault is why a server is in the state ERROR.
type ServerFault struct {
	Code    int    `json:"code"`
	Created string `json:"created"`
	Message string `json:"message"`
}

func (s *Server) Identify() *rest.Meta { return &rest.Meta{ID: s.ID, Project: s.Project} }
func (s *Server) Tagged() *[]string    { return &s.Tags }

// serverRequest is the body of a request to create a server.
type serverRequest struct {
	Name             string
	ImageRef         string
	FlavorRef        string
	Networks         json.RawMessage
	Metadata         map[string]string
	Tags             []string
	KeyName          *string                 `json:"key_name"`
	AvailabilityZone string                  `json:"availability_zone"`
	UserData         string                  `json:"user_data"`
	ConfigDrive      bool                    `json:"config_drive"`
	SecurityGroups   []struct{ Name string } `json:"security_groups"`
}

func (sv *Service) createServer(c *rest.Call) (int, any, error) {
	var in serverRequest
	if err := c.Decode("server", &in); err != nil {
		return 0, nil, err
	}
	s := &Server{
		ID: rest.NewID(), Name: in.Name, Project: c.Project.ID, User: c.User.ID, Status: "BUILD", State: "building", Task: new("scheduling"), ImageID: in.ImageRef,
		Metadata: in.Metadata, Tags: slices.Concat([]string{}, in.Tags), Key: in.KeyName, Zone: in.AvailabilityZone, ConfigDrive: in.ConfigDrive,
		Created: rest.Now(), Updated: rest.Now(), UserData: in.UserData,
	}
	if s.Metadata == nil {
		s.Metadata = map[string]string{}
	}
	for _, g := range in.SecurityGroups {
		s.groups = append(s.groups, g.Name)
	}
	group, err := sv.checkServer(c, s, in)
	if err != nil {
		return 0, nil, err
	}
	ports, err := sv.requestedPorts(c, in.Networks)
	if err != nil {
		return 0, nil, err
	}
	if err := sv.checkServerQuota(c, s); err != nil {
		return 0, nil, err
	}
	sv.servers = append(sv.servers, s)
	if group != nil {
		group.Members = append(group.Members, s.ID)
	}
	sv.build(c, s, ports)
	return http.StatusAccepted, map[string]any{"server": map[string]any{
		"id": s.ID, "links": []any{rest.Link("self", c.Base+"/compute/v2.1/servers/"+s.ID)}, "OS-DCF:diskConfig": "MANUAL",
		"security_groups": []any{map[string]any{"name": network.DefaultGroup}}, "adminPass": rest.NewHex()[:12],
	}}, nil
}

// checkServer checks what a request for a server names, and returns its server group.
func (sv *Service) checkServer(c *rest.Call, s *Server, in serverRequest) (*ServerGroup, error) {
	switch {
	case in.Name == "":
		return nil, rest.Bad("Invalid input for field/attribute name. Value: . '' is too short")
	case len(in.Tags) > 0 && c.Minor < 52:
		return nil, rest.Bad("Additional properties are not allowed ('tags' was unexpected)")
	case len(in.Networks) == 0 && c.Minor >= 37:
		return nil, rest.Bad("Invalid input for field/attribute server. 'networks' is a required property")
	case s.Zone == "":
		s.Zone = sv.Zones[0]
	case !slices.Contains(sv.Zones, s.Zone):
		return nil, rest.Bad("The requested availability zone is not available")
	}
	var ok bool
	if s.Flavor, ok = sv.flavors.Get(in.FlavorRef); !ok {
		return nil, rest.Bad("Flavor %s could not be found.", in.FlavorRef)
	}
	if i, ok := sv.images.Get(in.ImageRef); !ok || !i.isVisible(c) {
		return nil, rest.Bad("Can not find requested image")
	}
	if s.Key != nil && !slices.ContainsFunc(sv.keys, func(k *KeyPair) bool { return k.user == c.User && k.Name == *s.Key }) {
		return nil, rest.Bad("Invalid key_name provided.")
	}
	var hints struct {
		A, B struct{ Group string }
	}
	var envelope map[string]json.RawMessage
	if json.Unmarshal(c.Body, &envelope) == nil && envelope["os:scheduler_hints"] != nil {
		if err := json.Unmarshal(envelope["os:scheduler_hints"], &hints.A); err != nil {
			return nil, rest.Bad("Invalid input for field/attribute os:scheduler_hints.")
		}
	}
	if hints.A.Group == "" {
		return nil, nil
	}
	g, ok := sv.placements.Get(hints.A.Group)
	if !ok || g.Project != c.Project.ID {
		return nil, rest.Bad("Instance group %s could not be found.", hints.A.Group)
	}
	return g, nil
}

// A nic is a network interface of a new server: a port, or a network in which nova creates one.
type nic struct{ Port, UUID string }

// requestedPorts checks the networks of a request for a server.
func (sv *Service) requestedPorts(c *rest.Call, networks json.RawMessage) ([]nic, error) {
	if len(networks) == 0 || string(networks) == `"none"` || string(networks) == `"auto"` {
		return nil, nil
	}
	var nics []nic
	if err := json.Unmarshal(networks, &nics); err != nil {
		return nil, rest.Bad("Invalid input for field/attribute networks.")
	}
	for _, n := range nics {
		if n.Port == "" {
			if _, err := sv.network.Network(c, n.UUID); err != nil {
				return nil, rest.Bad("%s", err.Error())
			}
			continue
		}
		p, ok := sv.network.Ports.Get(n.Port)
		switch {
		case !ok || p.Project != c.Project.ID:
			return nil, rest.Bad("Port id %s could not be found.", n.Port)
		case p.DeviceID != "":
			return nil, rest.Fail(http.StatusConflict, "", "Port %s is still in use.", n.Port)
		}
	}
	return nics, nil
}

func (sv *Service) checkServerQuota(c *rest.Call, s *Server) error {
	mine := sv.servers.Where(func(o *Server) bool { return o.Project == c.Project.ID })
	cores, ram := 0, 0
	for _, o := range mine {
		cores, ram = cores+o.Flavor.VCPUs, ram+o.Flavor.RAM
	}
	for _, q := range []struct {
		name       string
		used, more int
	}{{"instances", len(mine), 1}, {"cores", cores, s.Flavor.VCPUs}, {"ram", ram, s.Flavor.RAM}} {
		if max := c.Project.Quota[q.name]; max >= 0 && q.used+q.more > max {
			return rest.Fail(http.StatusForbidden, "", "Quota exceeded for %s: Requested %d, but already used %d of %d %s", q.name, q.more, q.used, max, q.name)
		}
	}
	return nil
}

// most is the number of virtual processors that a host has.
const most = 4000

// build connects a server with its ports and lets it become ACTIVE, or ERROR.
func (sv *Service) build(c *rest.Call, s *Server, nics []nic) {
	message := c.Fault.Server
	if s.Flavor.VCPUs > most {
		message = rest.NoValidHost
	}
	if message == "" {
		for _, n := range nics {
			p, ok := sv.network.Ports.Get(n.Port)
			if !ok {
				p = network.NewPort(c, n.UUID)
				p.FixedIPs, p.Groups = nil, nil
				if err := sv.network.AddPort(c, p); err != nil {
					message = err.Error()
					break
				}
				s.own = append(s.own, p.ID)
			}
			p.DeviceID, p.DeviceOwner = s.ID, "compute:"+s.Zone
		}
	}
	sv.api.After(sv.Time, func() {
		if _, exists := sv.servers.Get(s.ID); !exists {
			return
		}
		s.Task, s.Updated = nil, rest.Now()
		if message != "" {
			s.Status, s.State, s.Fault = "ERROR", "error", &ServerFault{http.StatusInternalServerError, rest.Now(), message}
			return
		}
		s.Status, s.State, s.Power = "ACTIVE", "active", 1
		for _, p := range sv.portsOf(s) {
			p.Status = "ACTIVE"
		}
	})
}

// portsOf returns the ports of a server.
func (sv *Service) portsOf(s *Server) []*network.Port {
	return sv.network.Ports.Where(func(p *network.Port) bool { return p.DeviceID == s.ID })
}

func (sv *Service) deleteServer(c *rest.Call, s *Server) (int, any, error) {
	s.Task = new("deleting")
	sv.api.After(sv.Time, func() {
		for _, p := range sv.portsOf(s) {
			p.DeviceID, p.DeviceOwner, p.Status = "", "", "DOWN"
			if slices.Contains(s.own, p.ID) {
				sv.network.DropPort(p.ID)
			}
		}
		sv.servers.Remove(s.ID)
		for _, g := range sv.placements {
			g.Members = slices.DeleteFunc(g.Members, func(id string) bool { return id == s.ID })
		}
	})
	return http.StatusNoContent, nil, nil
}

// SetError lets a running server go to ERROR, or with an empty message back to ACTIVE.
func (sv *Service) SetError(id, message string) {
	sv.api.Lock()
	defer sv.api.Unlock()
	s, ok := sv.servers.Get(id)
	switch {
	case !ok:
	case message == "":
		s.Status, s.State, s.Fault = "ACTIVE", "active", nil
	default:
		s.Status, s.State, s.Fault = "ERROR", "error", &ServerFault{http.StatusInternalServerError, rest.Now(), message}
	}
}

// showServer returns a server as clients of a microversion see it.
func (sv *Service) showServer(c *rest.Call, s *Server) any {
	addresses := map[string]any{}
	for _, p := range sv.portsOf(s) {
		if n, ok := sv.network.Networks.Get(p.NetworkID); ok && s.Status != "BUILD" {
			before, _ := addresses[n.Name].([]any)
			addresses[n.Name] = append(before, sv.addresses(p)...)
		}
	}
	groups := []any{}
	for _, name := range s.groups {
		groups = append(groups, map[string]any{"name": name})
	}
	drive := ""
	if s.ConfigDrive {
		drive = "True"
	}
	v := map[string]any{
		"id": s.ID, "name": s.Name, "status": s.Status, "tenant_id": s.Project, "user_id": s.User, "metadata": s.Metadata, "hostId": "",
		"image": map[string]any{"id": s.ImageID, "links": []any{rest.Link("bookmark", c.Base+"/compute/images/"+s.ImageID)}}, "created": s.Created, "updated": s.Updated,
		"addresses": addresses, "accessIPv4": "", "accessIPv6": "", "links": []any{rest.Link("self", c.Base+"/compute/v2.1/servers/"+s.ID)}, "OS-DCF:diskConfig": "MANUAL",
		"progress": 0, "OS-EXT-AZ:availability_zone": s.Zone, "config_drive": drive, "key_name": s.Key, "OS-EXT-STS:task_state": s.Task, "OS-EXT-STS:vm_state": s.State,
		"OS-EXT-STS:power_state": s.Power, "os-extended-volumes:volumes_attached": []any{},
	}
	if len(groups) > 0 {
		v["security_groups"] = groups
	}
	if s.Fault != nil {
		v["fault"] = s.Fault
	}
	if c.Minor >= 26 {
		v["tags"] = s.Tags
	}
	v["flavor"] = map[string]any{"id": s.Flavor.ID, "links": []any{rest.Link("bookmark", c.Base+"/compute/flavors/"+s.Flavor.ID)}}
	if c.Minor >= 47 {
		v["flavor"] = map[string]any{"original_name": s.Flavor.Name, "vcpus": s.Flavor.VCPUs, "ram": s.Flavor.RAM, "disk": s.Flavor.Disk, "ephemeral": 0, "swap": 0, "extra_specs": map[string]any{}}
	}
	return v
}

// addresses returns the addresses of a port as nova shows them.
func (sv *Service) addresses(p *network.Port) []any {
	var all []any
	add := func(address, kind string) {
		all = append(all, map[string]any{"version": 4, "addr": address, "OS-EXT-IPS:type": kind, "OS-EXT-IPS-MAC:mac_addr": p.MAC})
	}
	for _, f := range p.FixedIPs {
		add(f.Address, "fixed")
	}
	for _, f := range sv.network.Floating {
		if f.PortID != nil && *f.PortID == p.ID {
			add(f.Address, "floating")
		}
	}
	return all
}

// serverFilters are the parameters of a list of servers, with the field of Server that each
// selects. nova's name is a regular expression.
var serverFilters = map[string]func(*Server) string{
	"name":              nil,
	"status":            func(s *Server) string { return s.Status },
	"image":             func(s *Server) string { return s.ImageID },
	"flavor":            func(s *Server) string { return s.Flavor.ID },
	"availability_zone": func(s *Server) string { return s.Zone },
	"all_tenants":       nil,
}

// findServers returns the servers that a query selects, the newest first.
func (sv *Service) findServers(c *rest.Call, policy string) ([]*Server, error) {
	q := c.Request.URL.Query()
	for key := range q {
		if _, known := serverFilters[key]; !known && !slices.Contains(rest.Controls, key) {
			return nil, rest.Bad("'%s' does not match any of the regexes: '^_'", key)
		}
	}
	all := q.Has("all_tenants")
	if all && !c.User.Admin {
		return nil, rest.Fail(http.StatusForbidden, "", "Policy doesn't allow os_compute_api:servers:%s:get_all_tenants to be performed.", policy)
	}
	name, err := regexp.Compile(q.Get("name"))
	if err != nil {
		return nil, rest.Bad("Invalid filter: %s", q.Get("name"))
	}
	found := sv.servers.Where(func(s *Server) bool {
		for key, field := range serverFilters {
			if field != nil && q.Has(key) && field(s) != q.Get(key) {
				return false
			}
		}
		return (all || s.Project == c.Project.ID) && name.MatchString(s.Name) && (c.Minor < 26 || rest.TagsMatch(s.Tags, q))
	})
	slices.Reverse(found)
	return rest.Page(found, q), nil
}
