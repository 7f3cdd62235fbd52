//go:build linux

package node

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
)

// egress is the proxy through which the API server reaches kubelets, webhooks and aggregated APIs.
// It accepts HTTP CONNECT on a Unix socket. Addresses of loopback are outside the namespace, all
// others inside.
func (n *network) egress(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if r.Method != http.MethodConnect || err != nil {
		http.Error(w, "want CONNECT HOST:PORT", http.StatusMethodNotAllowed)
		return
	}
	dial := n.dial
	if ip := net.ParseIP(host); ip == nil || ip.IsLoopback() {
		dial = func(ctx context.Context, address string) (net.Conn, error) {
			return dialer.DialContext(ctx, "tcp", address)
		}
	}
	other, err := dial(r.Context(), r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer other.Close()
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		http.Error(w, "the connection cannot be taken over", http.StatusInternalServerError)
		return
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	join(conn, other)
}

// serveEgress serves the proxy at a Unix socket.
func (n *network) serveEgress(socket string) error {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return fmt.Errorf("the way from the API server to the Nodes: %w", err)
	}
	n.addCloser(listener)
	n.group.Go(func() { _ = http.Serve(listener, http.HandlerFunc(n.egress)) }) // ends when close closes the listener
	return nil
}
