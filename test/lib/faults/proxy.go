package faults

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/test/lib/cluster"
)

// A Proxy forwards requests of clients to an API server. Its methods are safe for concurrent
// use.
type Proxy struct {
	config *rest.Config // the caller's
	to     *url.URL
	server *httptest.Server
	out    *http.Transport
	ctx    context.Context // of all requests in progress; Close ends it
	stop   context.CancelFunc

	tally          tally
	sent, received atomic.Int64

	mu      sync.Mutex // guards the fields below, and taken of each fault
	faults  []*Injected
	changed chan struct{} // closed when the faults change
}

// Start starts a proxy to the API server of config. It ends with the test.
func Start(t testing.TB, config *rest.Config) *Proxy {
	t.Helper()
	p, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// New starts a proxy to the API server of config, until Close.
func New(config *rest.Config) (*Proxy, error) {
	to, err := url.Parse(config.Host)
	if err != nil || to.Host == "" {
		return nil, fmt.Errorf("start a fault proxy: the API server's address: want a URL, have %q", config.Host)
	}
	towards, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, fmt.Errorf("start a fault proxy to %s: %w", config.Host, err)
	}
	p := &Proxy{config: rest.CopyConfig(config), to: to, changed: make(chan struct{})}
	p.ctx, p.stop = context.WithCancel(context.Background())
	// The client itself requests compression and decompresses.
	p.out = &http.Transport{TLSClientConfig: towards, ForceAttemptHTTP2: true, DisableCompression: true}
	p.server = httptest.NewUnstartedServer(http.HandlerFunc(p.serve))
	p.server.EnableHTTP2 = true
	p.server.Listener = meter{p.server.Listener, &p.sent, &p.received}
	p.server.Config.ErrorLog = log.New(io.Discard, "", 0) // broken connections are its purpose
	p.server.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connection{}, c)
	}
	p.server.StartTLS()
	return p, nil
}

// Close ends the proxy and all requests in progress, and waits for their end.
func (p *Proxy) Close() {
	p.stop()
	p.server.CloseClientConnections()
	p.server.Close()
	p.out.CloseIdleConnections()
}

// Config returns a configuration for the API server through the proxy, with the credentials
// given to Start. The caller may change it.
func (p *Proxy) Config() *rest.Config { return p.Through(p.config) }

// Through returns a configuration for the API server through the proxy, for another user.
func (p *Proxy) Through(config *rest.Config) *rest.Config {
	c := rest.CopyConfig(config)
	c.Host = p.server.URL
	c.TLSClientConfig = rest.TLSClientConfig{
		CAData:     pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.server.Certificate().Raw}),
		NextProtos: config.NextProtos,
	}
	return c
}

// Kubeconfig writes the configuration of Config to a file in a folder, and returns its path.
func (p *Proxy) Kubeconfig(dir string) (string, error) {
	path := filepath.Join(dir, "through-proxy.kubeconfig")
	return path, cluster.WriteKubeconfig(path, p.Config(), "default")
}

// An exchange is one request in the proxy.
type exchange struct {
	proxy *Proxy
	call  call
	w     http.ResponseWriter
	r     *http.Request
}

// connection is the key of the connection in a request's context.
type connection struct{}

// serve answers a request itself or with the response of the API server.
func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(p.ctx, stop)()
	x := &exchange{proxy: p, call: callOf(r), w: w, r: r.WithContext(ctx)}
	p.tally.add(x.call, Count{Requests: 1})
	known := map[*Injected]bool{}
	faults, _, _ := p.faultsFor(x.call, known)
	json := false
	for _, in := range faults {
		if f, ok := in.fault.(requestFault); ok && f.request(in, x) {
			return
		}
		if f, ok := in.fault.(watchFault); ok && x.call.verb == "watch" && f.readsEvents() {
			json = true
		}
	}
	resp, err := x.forwardRequest(json)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		panic(http.ErrAbortHandler)
	default: // as without a proxy
		x.reset()
	}
	defer resp.Body.Close()
	if x.call.verb == "watch" && resp.StatusCode == http.StatusOK {
		x.watch(resp, known, faults)
		return
	}
	x.forwardResponse(resp, faults)
}

// forwardRequest forwards the request to the API server.
func (x *exchange) forwardRequest(json bool) (*http.Response, error) {
	out := x.r.Clone(x.r.Context())
	out.URL.Scheme, out.URL.Host = x.proxy.to.Scheme, x.proxy.to.Host
	out.Host, out.RequestURI = "", ""
	for _, hop := range []string{"Connection", "Keep-Alive", "Te", "Upgrade"} {
		out.Header.Del(hop)
	}
	if json {
		out.Header.Set("Accept", onlyJSON(out.Header.Get("Accept")))
	}
	if x.r.ContentLength == 0 {
		out.Body = nil
	}
	x.proxy.tally.add(x.call, Count{Sent: max(0, x.r.ContentLength)})
	return x.proxy.out.RoundTrip(out)
}

// forwardResponse forwards the API server's response to the client.
func (x *exchange) forwardResponse(resp *http.Response, faults []*Injected) {
	maps.Copy(x.w.Header(), resp.Header)
	var body io.Reader = resp.Body
	for _, in := range faults {
		if f, ok := in.fault.(bodyFault); ok {
			in.hits.Add(1)
			x.w.Header().Del("Content-Length")
			body = f.body(x, body)
		}
	}
	x.w.WriteHeader(resp.StatusCode)
	if err := x.send(body); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// send forwards bytes as they arrive.
func (x *exchange) send(from io.Reader) error {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if err := x.write(buffer[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// write sends bytes to the client at once.
func (x *exchange) write(b []byte) error {
	n, err := x.w.Write(b)
	x.proxy.tally.add(x.call, Count{Received: int64(n)})
	if err != nil {
		return err
	}
	return http.NewResponseController(x.w).Flush()
}

// wait pauses; it returns false if the client has closed the connection.
func (x *exchange) wait(d time.Duration) bool {
	pause := time.NewTimer(d)
	defer pause.Stop()
	select {
	case <-x.r.Context().Done():
		return false
	case <-pause.C:
		return true
	}
}

// reset resets the connection of the request.
func (x *exchange) reset() {
	x.wire().reset()
	panic(http.ErrAbortHandler)
}

// wire returns the connection of the request.
func (x *exchange) wire() *wire {
	return x.r.Context().Value(connection{}).(*tls.Conn).NetConn().(*wire)
}
