package client

import (
	"sync"
	"time"

	"k8s.io/client-go/rest"
)

// How long credentials may be refused that have been accepted, and those that
// have not but are read from a file or a program: a file is read anew once a
// minute, a program is run anew each time they are refused, and who writes them
// may be late.
const (
	refusalLimit = 2 * time.Minute
	renewalLimit = 10 * time.Second
)

// A credentials knows whether the server still takes us for somebody.
type Credentials struct {
	renewed bool // they come from a file or a program

	mu       sync.Mutex // guards what follows
	accepted bool       // they have been
	refused  time.Time  // since when they have been without a break
}

func newCredentials(c *rest.Config) *Credentials {
	return &Credentials{renewed: c.BearerTokenFile != "" || c.ExecProvider != nil || c.AuthProvider != nil}
}

func (c *Credentials) record(accepted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case accepted:
		c.accepted, c.refused = true, time.Time{}
	case c.refused.IsZero():
		c.refused = time.Now()
	}
}

// lost reports whether there is no hope that they are accepted again: they
// never were and stay as they are, or they have been refused for long.
func (c *Credentials) Lost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	var limit time.Duration
	switch {
	case c.refused.IsZero():
		return false
	case c.accepted:
		limit = refusalLimit
	case c.renewed:
		limit = renewalLimit
	}
	return time.Since(c.refused) >= limit
}
