package client

import (
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/connection"
)

const (
	refusalLimit = 2 * time.Minute  // time after which accepted credentials count as lost if they are rejected
	renewalLimit = 10 * time.Second // the same for new ones: client-go reads files once a minute, and they may be written late
)

// Credentials records whether the server accepts the credentials.
type Credentials struct {
	renewed bool // from a file or a program

	mu       sync.Mutex // guards the fields below
	accepted bool       // have been accepted
	refused  time.Time  // start of the current period of rejections
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

// Lost reports whether an error means that the credentials will not be accepted again. Either they
// could never be read, or they were never accepted and do not change. Or they have been missing or
// rejected for too long.
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
