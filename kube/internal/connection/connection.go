// Package connection sets up the clients by which all packages reach an API server.
package connection

import (
	"fmt"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// A Connection holds the clients of one API server. They share one HTTP client.
type Connection struct {
	Objects   dynamic.Interface
	Metadata  metadata.Interface         // nil if the caller of From has none
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
	c := &Connection{}
	if err := c.open(own); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	return c, nil
}

// From returns a Connection of clients that the caller has set up. Metadata may be nil.
func From(objects dynamic.Interface, metadata metadata.Interface) *Connection {
	return &Connection{Objects: objects, Metadata: metadata}
}

func (c *Connection) open(config *rest.Config) (err error) {
	if c.HTTP, err = rest.HTTPClientFor(config); err != nil {
		return err
	}
	if c.Objects, err = dynamic.NewForConfigAndClient(config, c.HTTP); err != nil {
		return err
	}
	if c.Metadata, err = metadata.NewForConfigAndClient(metadata.ConfigFor(config), c.HTTP); err != nil {
		return err
	}
	c.Discovery, err = discovery.NewDiscoveryClientForConfigAndClient(config, c.HTTP)
	return err
}

// Close closes the connections that are idle. Those of clients that the caller has set up stay.
func (c *Connection) Close() {
	if c.HTTP != nil {
		utilnet.CloseIdleConnectionsFor(c.HTTP.Transport)
	}
}
