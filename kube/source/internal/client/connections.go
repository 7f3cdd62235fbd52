package client

import (
	"context"
	"maps"
	"net"
	"slices"
	"sync"
)

// connections tracks open connections. CloseIdleConnections misses those whose last
// request has only just ended.
type connections struct {
	mu   sync.Mutex // guards open
	open map[*conn]struct{}
}

type conn struct {
	net.Conn
	of *connections
}

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

func (c *connections) dialed(dial dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		n, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open == nil {
			c.open = map[*conn]struct{}{}
		}
		this := &conn{n, c}
		c.open[this] = struct{}{}
		return this, nil
	}
}

// Close closes a connection.
func (c *conn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

func (c *connections) close() {
	c.mu.Lock()
	open := slices.Collect(maps.Keys(c.open))
	c.mu.Unlock()
	for _, conn := range open {
		conn.Close() // the connection is unused, so the error does not matter
	}
}
