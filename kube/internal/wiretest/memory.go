package wiretest

import (
	"context"
	"net"
	"sync"
)

// A listener accepts connections that are pipes in memory.
type listener struct {
	dialed chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newListener() *listener {
	return &listener{dialed: make(chan net.Conn), closed: make(chan struct{})}
}

// dial connects a client, whatever address it asks for.
func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.dialed <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.dialed:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return address{} }

// An address is the address of all connections in memory.
type address struct{}

func (address) Network() string { return "memory" }
func (address) String() string  { return "wiretest" }
