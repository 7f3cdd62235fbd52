package client

import (
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/internal/connection"
)

const (
	refusalLimit = 2 * time.Minute  // how long credentials may be refused that have been accepted
	renewalLimit = 10 * time.Second // how long new ones may take: files are read once a minute, and whoever writes them may be late
)

// Credentials records whether the server accepts the credentials.
type Credentials struct {
	renewed bool // from a file or a program

	mu       sync.Mutex // guards the fields below
	accepted bool       // have been accepted
	refused  time.Time  // since when they have been refused without a break
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

// Lost reports whether an error of a request means that the credentials will not be accepted
// again: they cannot be had and never could, they never were accepted and do not change, or
// they have been missing or refused for too long.
func (c *Credentials) Lost(err error) bool {
	_, missing := errors.AsType[*connection.NoCredentialsError](err)
	if !missing && !apierrors.IsUnauthorized(err) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if missing && c.refused.IsZero() {
		c.refused = time.Now()
	}
	var limit time.Duration
	switch {
	case missing && !c.accepted:
		return true
	case c.refused.IsZero():
		return false
	case c.accepted:
		limit = refusalLimit
	case c.renewed:
		limit = renewalLimit
	}
	return time.Since(c.refused) >= limit
}
