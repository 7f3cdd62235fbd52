// Package cloud is a cloud small enough to read in a minute: servers and load balancers
// behind HTTP, in memory. A Cloud is the service, a Client is how the provider talks to it.
//
// What is created has a token, which the caller chooses: asking twice for the same token
// makes one server. Creating and deleting take time, and faults can be put in its way.
package cloud

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// State is what a server or a load balancer is doing.
type State string

const (
	Building State = "building"
	Active   State = "active"
	Deleting State = "deleting"
)

// Server is a machine of the cloud.
type Server struct {
	ID      string `json:"id"`
	Token   string `json:"token"`
	State   State  `json:"state"`
	Zone    string `json:"zone"`
	Address string `json:"address,omitempty"` // once it is active

	Tags map[string]string `json:"tags,omitempty"`
}

// ServerRequest is what a server is to be. All but the tags holds from its creation on.
type ServerRequest struct {
	Size     string            `json:"size"`
	Zone     string            `json:"zone,omitempty"` // empty means any
	UserData string            `json:"userData,omitempty"`
	Tags     map[string]string `json:"tags,omitempty"`
}

// LoadBalancer leads to the control plane of a cluster.
type LoadBalancer struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	State State  `json:"state"`
	Host  string `json:"host,omitempty"` // once it is active
	Port  int32  `json:"port,omitempty"`

	Tags map[string]string `json:"tags,omitempty"`
}

// LoadBalancerRequest is what a load balancer is to be.
type LoadBalancerRequest struct {
	Tags map[string]string `json:"tags,omitempty"`
}

// zones are where servers can be.
var zones = [...]string{"north", "south"}

// sizes are those that a server can have.
var sizes = [...]string{"small", "large"}

// Cloud is the service; it is an http.Handler. The zero value is an empty cloud in which
// everything takes no time. The fields are set before the first request.
type Cloud struct {
	// Takes is how long it takes until what is created is active, and until what is
	// deleted is gone.
	Takes time.Duration

	mu        sync.Mutex // guards the fields below
	things    map[string]*thing
	made      int
	calls     map[string]int
	delay     time.Duration
	failures  int
	failsWith int
}

// thing is a server or a load balancer: they live and die alike.
type thing struct {
	kind    string // "servers" or "loadbalancers"
	token   string
	number  int
	size    string
	zone    string
	tags    map[string]string
	created time.Time
	deleted time.Time // zero unless it is being deleted
}

// Slow makes every request take d longer from now on.
func (c *Cloud) Slow(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delay = d
}

// Fail makes the next n requests fail with an HTTP status.
func (c *Cloud) Fail(n, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures, c.failsWith = n, status
}

// Calls says how often each request has been made, such as "PUT servers".
func (c *Cloud) Calls() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.calls)
}

// Made says how many servers and load balancers have ever been created.
func (c *Cloud) Made() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

// Resources are the servers and load balancers that there are, as "servers <token> <id>", sorted.
func (c *Cloud) Resources() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var lines []string
	for _, t := range c.things {
		if c.state(t) != gone {
			lines = append(lines, fmt.Sprintf("%s %s %s", t.kind, t.token, t.id()))
		}
	}
	slices.Sort(lines)
	return lines
}

// gone is the state of what is no more. Nobody is told of it.
const gone State = "gone"

// state is what a thing is doing by now. The caller holds the lock.
func (c *Cloud) state(t *thing) State {
	switch {
	case !t.deleted.IsZero() && time.Since(t.deleted) >= c.Takes:
		return gone
	case !t.deleted.IsZero():
		return Deleting
	case time.Since(t.created) >= c.Takes:
		return Active
	}
	return Building
}

func (t *thing) id() string { return fmt.Sprintf("%s-%04d", t.kind[:1], t.number) }

// server is what others see of a thing. The caller holds the lock.
func (c *Cloud) server(t *thing) Server {
	s := Server{ID: t.id(), Token: t.token, State: c.state(t), Zone: t.zone, Tags: t.tags}
	if s.State == Active {
		s.Address = fmt.Sprintf("10.0.%d.%d", t.number/250, t.number%250+1)
	}
	return s
}

// loadBalancer is what others see of a thing. The caller holds the lock.
func (c *Cloud) loadBalancer(t *thing) LoadBalancer {
	b := LoadBalancer{ID: t.id(), Token: t.token, State: c.state(t), Tags: t.tags}
	if b.State == Active {
		b.Host, b.Port = fmt.Sprintf("%s.shelf.example", t.id()), 6443
	}
	return b
}
