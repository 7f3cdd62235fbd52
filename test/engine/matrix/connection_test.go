package matrix

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/connrotation"
)

// A serverConn is the engine's connection to the API server. It can be cut and repaired, and counts
// requests and responses.
type serverConn struct {
	*connrotation.ConnectionTracker
	down     atomic.Bool
	blocked  sync.RWMutex // locked for writing while the line is held
	gone     atomic.Int64 // number of 410 responses of the server
	requests atomic.Int64 // number of requests
}

// newServerConn returns a config whose requests go over a new line, with connections of its own.
func newServerConn(config *rest.Config) (*rest.Config, *serverConn) {
	l := &serverConn{ConnectionTracker: connrotation.NewConnectionTracker()}
	dialer := connrotation.NewDialerWithTracker(func(ctx context.Context, network, address string) (net.Conn, error) {
		if l.down.Load() {
			return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
		}
		l.blocked.RLock()
		defer l.blocked.RUnlock()
		return new(net.Dialer).DialContext(ctx, network, address)
	}, l.ConnectionTracker)
	config.Dial = dialer.DialContext
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return listener{next, l} })
	return config, l
}

// cut closes every connection, and refuses new ones. The method restore ends that.
func (l *serverConn) cut() {
	l.down.Store(true)
	l.CloseAll()
}

func (l *serverConn) restore() { l.down.Store(false) }

// block closes every connection, and blocks new ones until free.
func (l *serverConn) block() (free func()) {
	l.blocked.Lock()
	l.CloseAll()
	return l.blocked.Unlock
}

// A listener counts the requests and responses of a line.
type listener struct {
	next http.RoundTripper
	line *serverConn
}

func (h listener) RoundTrip(req *http.Request) (*http.Response, error) {
	h.line.requests.Add(1)
	resp, err := h.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	if resp.StatusCode == http.StatusGone {
		h.line.gone.Add(1)
	}
	if strings.Contains(req.URL.RawQuery, "watch=") {
		resp.Body = &countingBody{resp.Body, h.line}
	}
	return resp, nil
}

// WrappedRoundTripper returns the wrapped transport, so that client-go can close it.
func (h listener) WrappedRoundTripper() http.RoundTripper { return h.next }

// A countingBody body counts the 410 events of a watch.
type countingBody struct {
	io.ReadCloser
	line *serverConn
}

func (o *countingBody) Read(p []byte) (int, error) {
	n, err := o.ReadCloser.Read(p)
	if bytes.Contains(p[:n], []byte(`"type":"ERROR"`)) && bytes.Contains(p[:n], []byte(`"code":410`)) {
		o.line.gone.Add(1)
	}
	return n, err
}
