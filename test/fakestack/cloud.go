package fakestack

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Region is the only region.
const Region = "RegionOne"

// Options are the options of New.
type Options struct {
	// ServerTime is how long a server takes to build and to go away. Zero means 20 ms.
	ServerTime time.Duration
	// BalancerTime is how long a load balancer is pending after each change. Zero means 20 ms.
	BalancerTime time.Duration
	// Zones are the availability zones. Empty means az1, az2 and az3.
	Zones []string
}

// A Cloud is an OpenStack. Serve it with net/http/httptest.
type Cloud struct {
	options Options
	mux     *http.ServeMux
	log     requests

	mu       sync.Mutex // guards what follows
	users    []*user
	projects []*project
	tokens   map[string]*session
	later    []transition

	networks   table[*Network]
	subnets    table[*Subnet]
	ports      table[*Port]
	routers    table[*Router]
	groups     table[*SecurityGroup]
	rules      table[*SecurityGroupRule]
	floating   table[*FloatingIP]
	servers    table[*Server]
	flavors    table[*Flavor]
	images     table[*Image]
	keys       table[*KeyPair]
	placements table[*ServerGroup]
	balancers  table[*LoadBalancer]
	listeners  table[*Listener]
	pools      table[*Pool]
	members    table[*Member]
	monitors   table[*Monitor]
}

// New returns a cloud with the user admin and its project admin. The password is admin.
func New(o Options) *Cloud {
	o.ServerTime = cmp.Or(o.ServerTime, 20*time.Millisecond)
	o.BalancerTime = cmp.Or(o.BalancerTime, 20*time.Millisecond)
	if len(o.Zones) == 0 {
		o.Zones = []string{"az1", "az2", "az3"}
	}
	c := &Cloud{options: o, mux: http.NewServeMux(), tokens: map[string]*session{}}
	c.AddAccount("admin", "admin", "admin")
	c.users[0].admin = true
	c.routeIdentity()
	c.routeNetwork()
	c.routeCompute()
	c.routeImages()
	c.routeBalancers()
	return c
}

// A transition is a change that happens later, such as a server that becomes ACTIVE.
type transition struct {
	at     time.Time
	change func()
}

// after lets a change happen after a time. Requests see it from then on.
func (c *Cloud) after(d time.Duration, change func()) {
	c.later = append(c.later, transition{time.Now().Add(d), change})
}

// settle makes the changes that are due.
func (c *Cloud) settle() {
	for now := time.Now(); ; {
		i := slices.IndexFunc(c.later, func(t transition) bool { return !t.at.After(now) })
		if i < 0 {
			return
		}
		change := c.later[i].change
		c.later = slices.Delete(c.later, i, i+1)
		change()
	}
}

// meta is what every resource has.
type meta struct {
	ID      string `json:"id"`
	Project string `json:"project_id"`
	Tenant  string `json:"tenant_id"`
}

func (m *meta) self() *meta { return m }

// labels are what most resources also have. Names are not unique.
type labels struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
}

func (l *labels) tags() *[]string { return &l.Tags }

// stamps are the times of a resource of neutron.
type stamps struct {
	Created  string `json:"created_at"`
	Updated  string `json:"updated_at"`
	Revision int    `json:"revision_number"`
}

func (s *stamps) touch() {
	s.Updated = now()
	s.Created = cmp.Or(s.Created, s.Updated)
	s.Revision++
}

func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05Z") }

type resource interface{ self() *meta }

// A table has the resources of one kind, in the order in which they were created.
type table[T resource] []T

func (t table[T]) get(id string) (found T, ok bool) {
	for _, r := range t {
		if r.self().ID == id {
			return r, true
		}
	}
	return found, false
}

func (t *table[T]) remove(id string) {
	*t = slices.DeleteFunc(*t, func(r T) bool { return r.self().ID == id })
}

// where returns the resources that a function selects.
func (t table[T]) where(selected func(T) bool) []T {
	var found []T
	for _, r := range t {
		if selected(r) {
			found = append(found, r)
		}
	}
	return found
}

func (t table[T]) count(project string) int {
	return len(t.where(func(r T) bool { return r.self().Project == project }))
}

// newMeta returns the identity of a new resource.
func newMeta(project string) meta { return meta{newID(), project, project} }

// newID returns a random UUID.
func newID() string {
	h := newHex()
	return fmt.Sprintf("%s-%s-4%s-8%s-%s", h[:8], h[8:12], h[13:16], h[17:20], h[20:])
}

// newHex returns 32 hexadecimal digits: keystone's form of IDs.
func newHex() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// Snapshot lists the names and IDs of all resources of a project, by kind. Kinds without a
// resource are absent, and so are the security groups named default. A test that compares two
// snapshots finds leaks.
func (c *Cloud) Snapshot(project string) map[string][]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	all := map[string][]string{}
	list(all, "network", project, c.networks, func(n *Network) string { return n.Name })
	list(all, "subnet", project, c.subnets, func(s *Subnet) string { return s.Name })
	list(all, "port", project, c.ports, func(p *Port) string { return p.Name })
	list(all, "router", project, c.routers, func(r *Router) string { return r.Name })
	list(all, "security group", project, c.groups, func(g *SecurityGroup) string { return g.Name })
	list(all, "floating IP", project, c.floating, func(f *FloatingIP) string { return f.Address })
	list(all, "server", project, c.servers, func(s *Server) string { return s.Name })
	list(all, "server group", project, c.placements, func(g *ServerGroup) string { return g.Name })
	list(all, "load balancer", project, c.balancers, func(l *LoadBalancer) string { return l.Name })
	list(all, "listener", project, c.listeners, func(l *Listener) string { return l.Name })
	list(all, "pool", project, c.pools, func(p *Pool) string { return p.Name })
	list(all, "member", project, c.members, func(m *Member) string { return m.Name })
	list(all, "monitor", project, c.monitors, func(m *Monitor) string { return m.Name })
	return all
}

func list[T resource](all map[string][]string, kind, project string, t table[T], name func(T) string) {
	for _, r := range t {
		if r.self().Project == project && !(kind == "security group" && name(r) == defaultGroup) {
			all[kind] = append(all[kind], name(r)+" "+r.self().ID)
		}
	}
}
