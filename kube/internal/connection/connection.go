// Package connection connects to an API server for the packages that read a cluster by a few
// requests.
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
	Metadata  metadata.Interface
	Discovery *discovery.DiscoveryClient

	http *http.Client
}

// New connects to the API server of config, and leaves config as it is. It sends no request.
//
// The client sets no limit on the rate of requests, because they are few and the server limits
// them by priority. It prints no warnings, because users cannot change the requests. The user
// agent is kstatus unless config names another.
func New(config *rest.Config) (*Connection, error) {
	c := &Connection{}
	if err := c.open(prepare(config)); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	return c, nil
}

func prepare(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.QPS = -1
	config.WarningHandler, config.WarningHandlerWithContext = nil, rest.NoWarnings{}
	if config.UserAgent == "" {
		config.UserAgent = "kstatus"
	}
	return config
}

func (c *Connection) open(config *rest.Config) (err error) {
	if c.http, err = rest.HTTPClientFor(config); err != nil {
		return err
	}
	if c.Objects, err = dynamic.NewForConfigAndClient(config, c.http); err != nil {
		return err
	}
	if c.Metadata, err = metadata.NewForConfigAndClient(metadata.ConfigFor(config), c.http); err != nil {
		return err
	}
	c.Discovery, err = discovery.NewDiscoveryClientForConfigAndClient(config, c.http)
	return err
}

// Close closes the connections that are idle.
func (c *Connection) Close() { utilnet.CloseIdleConnectionsFor(c.http.Transport) }
