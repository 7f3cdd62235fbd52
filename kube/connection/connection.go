// Package connection creates the clients with which all packages send requests to
// an API server.
package connection

import (
	"fmt"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	clientmetadata "k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"kstatus.dev/internal/guard"
)

// A Connection holds the clients of one API server. They share one HTTP client, and one guard:
// Objects and Metadata refuse names that are no part of a path, and lists without an end. See
// [guard.Transport] for what none of them sends, and no answer may have.
type Connection struct {
	Objects   dynamic.Interface
	Metadata  clientmetadata.Interface   // nil if the caller of From has none
	Discovery *discovery.DiscoveryClient // nil in what From returns
	HTTP      *http.Client               // nil in what From returns
}

// New connects to the API server of config, and leaves config as it is. It sends no request.
// The functions adapt a copy of config before it is used.
//
// Unless config limits the rate of requests, nothing does: they are few, and the server limits
// them by priority. No warnings are printed, because users cannot change the requests. The user
// agent is kstatus unless config names another.
func New(config *rest.Config, adapt ...func(*rest.Config)) (*Connection, error) {
	own := rest.CopyConfig(config)
	if own.QPS == 0 && own.RateLimiter == nil {
		own.QPS = -1
	}
	own.WarningHandler, own.WarningHandlerWithContext = nil, rest.NoWarnings{}
	if own.UserAgent == "" {
		own.UserAgent = "kstatus"
	}
	for _, f := range adapt {
		f(own)
	}
	server, _, err := rest.DefaultServerUrlFor(own)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	own.Wrap(func(next http.RoundTripper) http.RoundTripper { return guard.Transport(server, next) })
	c := &Connection{}
	if err := c.open(own); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	return c, nil
}

// From returns a Connection of clients that the caller has set up. That of metadata may be nil.
func From(whole dynamic.Interface, reduced clientmetadata.Interface) *Connection {
	c := &Connection{}
	c.guard(whole, reduced)
	return c
}

// guard sets the clients of objects.
func (c *Connection) guard(whole dynamic.Interface, reduced clientmetadata.Interface) {
	listed := &pages{}
	c.Objects = objects{whole, listed}
	if reduced != nil {
		c.Metadata = metadata{reduced, listed}
	}
}

func (c *Connection) open(config *rest.Config) (err error) {
	around := addCredentialsChecks(config)
	if c.HTTP, err = rest.HTTPClientFor(config); err != nil {
		return err
	}
	c.HTTP.Transport = around(c.HTTP.Transport)
	whole, err := dynamic.NewForConfigAndClient(config, c.HTTP)
	if err != nil {
		return err
	}
	reduced, err := clientmetadata.NewForConfigAndClient(clientmetadata.ConfigFor(config), c.HTTP)
	if err != nil {
		return err
	}
	c.guard(whole, reduced)
	c.Discovery, err = discovery.NewDiscoveryClientForConfigAndClient(config, c.HTTP)
	return err
}

// Close closes the connections that are idle. Those of clients that the caller has set up stay.
func (c *Connection) Close() {
	if c.HTTP != nil {
		utilnet.CloseIdleConnectionsFor(c.HTTP.Transport)
	}
}
