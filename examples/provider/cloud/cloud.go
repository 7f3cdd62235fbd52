// Package cloud is a minimal cloud: servers and load balancers behind HTTP, in
// memory. A Cloud is the service, and a Client its client in the provider.
//
// The caller chooses the token of each resource: two requests with the same
// token create one server. Creation and deletion take time, and tests can
// inject faults.
package cloud

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// State is the state of a server or a load balancer.
type State string

const (
	Building State = "building"
	Active   State = "active"
	Deleting State = "deleting"
)

// Server is a server in the cloud.
type Server struct {
	ID      string `json:"id"`
	Token   string `json:"token"`
	State   State  `json:"state"`
	Zone    string `json:"zone"`
	Address string `json:"address,omitempty"` // once it is active

	Tags map[string]string `json:"tags,omitempty"`
}

// ServerRequest is the requested server. Only the tags can change later.
type ServerRequest struct {
	Size     string            `json:"size"`
	Zone     string            `json:"zone,omitempty"` // empty means any
	UserData string            `json:"userData,omitempty"`
	Tags     map[string]string `json:"tags,omitempty"`
}

// LoadBalancer forwards to the control plane of a cluster.
type LoadBalancer struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	State State  `json:"state"`
	Host  string `json:"host,omitempty"` // once it is active
	Port  int32  `json:"port,omitempty"`

	Tags map[string]string `json:"tags,omitempty"`
}

// LoadBalancerRequest is the requested load balancer.
type LoadBalancerRequest struct {
	Tags map[string]string `json:"tags,omitempty"`
}

// zones are the zones of the cloud.
var zones = [...]string{"north", "south"}

// sizes are the sizes of servers.
var sizes = [...]string{"small", "large"}

// Cloud is the service; it is an http.Handler. The zero value is an empty cloud
// without delays. Set its fields before the first request.
type Cloud struct {
	// Duration is the duration of a creation and of a deletion.
	Duration time.Duration
	// Token is the token that requests must have. Empty means that they need none.
	Token string
	// FirstNumber is the number of the first resource, less one. Clouds whose servers are Nodes of
	// the same cluster need different numbers, since the numbers are in the IDs.
	FirstNumber int

	mu        sync.Mutex // guards the fields below
	resources map[string]*cloudResource
	created   int
	changes   []string
	calls     map[string]int
	delay     time.Duration
	held      map[string]bool // by kind
	failures  int
	failsWith int
}

// cloudResource is a server or a load balancer. Both have the same states.
type cloudResource struct {
	kind    string // "servers" or "loadbalancers"
	token   string
	number  int
	size    string
	zone    string
	tags    map[string]string
	created time.Time
	deleted time.Time // zero unless the resource is being deleted
}

// Slow delays every request by d from now on.
func (c *Cloud) Slow(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delay = d
}

// Hold keeps creations and deletions of a kind, such as "servers", from ending. Release ends them.
func (c *Cloud) Hold(kind string) { c.hold(kind, true) }

// Release lets creations and deletions of a kind end.
func (c *Cloud) Release(kind string) { c.hold(kind, false) }

func (c *Cloud) hold(kind string, held bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == nil {
		c.held = map[string]bool{}
	}
	c.held[kind] = held
}

// Fail makes the next n requests fail with an HTTP status.
func (c *Cloud) Fail(n, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures, c.failsWith = n, status
}

// Calls returns the number of requests by type, such as "PUT servers".
func (c *Cloud) Calls() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.calls)
}

// Created returns the number of servers and load balancers that were ever created.
func (c *Cloud) Created() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.created
}

// Changes returns all creations and deletions so far, as "create servers <token>" and
// "delete servers <token>". A deletion is in the list when it starts.
func (c *Cloud) Changes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.changes)
}

// Resources returns the existing servers and load balancers, as "servers
// <token> <id>", sorted.
func (c *Cloud) Resources() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var lines []string
	for _, t := range c.resources {
		if c.state(t) != deletedState {
			lines = append(lines, fmt.Sprintf("%s %s %s", t.kind, t.token, t.id()))
		}
	}
	slices.Sort(lines)
	return lines
}

// deletedState is the state of deleted resources. No response contains it.
const deletedState State = "gone"

// state returns the present state of a resource. The caller holds the lock.
func (c *Cloud) state(t *cloudResource) State {
	switch {
	case !t.deleted.IsZero() && c.isOver(t.kind, t.deleted):
		return deletedState
	case !t.deleted.IsZero():
		return Deleting
	case c.isOver(t.kind, t.created):
		return Active
	}
	return Building
}

// isOver reports whether a creation or a deletion of a kind has ended. The caller holds the lock.
func (c *Cloud) isOver(kind string, began time.Time) bool {
	return !c.held[kind] && time.Since(began) >= c.Duration
}

func (t *cloudResource) id() string { return fmt.Sprintf("%s-%04d", t.kind[:1], t.number) }

// server converts a resource to a Server. The caller holds the lock.
func (c *Cloud) server(t *cloudResource) Server {
	s := Server{ID: t.id(), Token: t.token, State: c.state(t), Zone: t.zone, Tags: t.tags}
	if s.State == Active {
		s.Address = fmt.Sprintf("10.0.%d.%d", t.number/250, t.number%250+1)
	}
	return s
}

// loadBalancer converts a resource to a LoadBalancer. The caller holds the lock.
func (c *Cloud) loadBalancer(t *cloudResource) LoadBalancer {
	b := LoadBalancer{ID: t.id(), Token: t.token, State: c.state(t), Tags: t.tags}
	if b.State == Active {
		b.Host, b.Port = fmt.Sprintf("%s.shelf.example", t.id()), 6443
	}
	return b
}
