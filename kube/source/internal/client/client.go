package client

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/client-go/util/watchlist"

	"kstatus.dev/kube/connection"
)

const (
	pollRate   = 10  // requests per second of all polls of a session
	watchRate  = 50  // watches per second that all streams of a Client may reopen
	watchBurst = 100 // burst of watches, for example after a restart of the server
)

const (
	pingInterval    = 10 * time.Second // a connection without traffic for this time is pinged
	pingTimeout     = 5 * time.Second  // timeout of a ping
	responseTimeout = 30 * time.Second // timeout for the start of a response, and between its parts
)

// A Client reaches one API server. All readers of the server share it.
type Client struct {
	*connection.Connection
	Server      rest.Interface // for documents that are not objects; nil with clients of the caller
	Discovery   *Discovery
	User        func(context.Context) string
	Credentials *Credentials
	connections connections
	watches     flowcontrol.RateLimiter
	Unstreamed  atomic.Bool  // the server does not stream lists
	serverTime  atomic.Int64 // the time in the last response that had one, by the server's clock in seconds since 1970
}

// New returns a Client for the API server of config. It sends no request. The mapper, which may
// be nil, is used before the discovery of the server.
func New(config *rest.Config, mapper meta.RESTMapper) (*Client, error) {
	c := &Client{Credentials: newCredentials(config), watches: newWatchLimiter()}
	var err error
	if c.Connection, err = connection.New(config, c.adapt); err != nil {
		return nil, err
	}
	c.Server = c.Connection.Discovery.RESTClient()
	c.Discovery = newDiscovery(c.Server, mapper, nil)
	c.User = whoami(c.Objects)
	return c, nil
}

// From returns a Client with clients of the caller. Without metadata, whole objects are read.
// Without a mapper, it finds only built-in kinds and kinds with a definition.
func From(objects dynamic.Interface, metadata metadata.Interface, mapper meta.RESTMapper) *Client {
	c := &Client{Connection: connection.From(objects, metadata), Credentials: &Credentials{}, watches: newWatchLimiter()}
	c.Unstreamed.Store(watchlist.DoesClientNotSupportWatchListSemantics(objects))
	c.Discovery = newDiscovery(nil, mapper, objects)
	c.User = whoami(objects)
	return c
}

// adapt wraps the transport so that the Client detects lost connections and credentials.
func (c *Client) adapt(config *rest.Config) {
	config.WrapTransport = transport.Wrappers(c.transport, config.WrapTransport)
	if file := config.BearerTokenFile; file != "" {
		// Reads a rejected token again at once, and not only after a minute.
		config.BearerToken, config.BearerTokenFile = "", ""
		config.Wrap(transport.ResettableTokenSourceWrapTransport(transport.NewCachedFileTokenSource(file)))
	}
}

func newWatchLimiter() flowcontrol.RateLimiter {
	return flowcontrol.NewTokenBucketRateLimiter(watchRate, watchBurst)
}

// PaceWatches waits until a stream may open another watch, or ctx ends. It is a safety net,
// since streams pause by themselves.
func (c *Client) PaceWatches(ctx context.Context) error { return pace(ctx, c.watches) }

// A Session is shared by the readers of one call.
type Session struct {
	*Client
	Every       time.Duration // list at this interval instead of watching; zero: watch
	Notes       Notes
	pollLimiter flowcontrol.RateLimiter
}

// NewSession returns a Session. note receives each note once, and may be nil.
func (c *Client) NewSession(every time.Duration, note func(string)) *Session {
	return &Session{Client: c, Every: max(every, 0), Notes: Notes{note: note}, pollLimiter: flowcontrol.NewTokenBucketRateLimiter(pollRate, pollRate)}
}

// Pace waits until the session may make another poll, or ctx ends.
func (s *Session) Pace(ctx context.Context) error { return pace(ctx, s.pollLimiter) }

func pace(ctx context.Context, by flowcontrol.RateLimiter) error {
	if by.Wait(ctx) != nil {
		<-ctx.Done() // the wait would exceed the deadline
	}
	return ctx.Err()
}

// unknownClock is the assumed delay of a server's clock if its responses have no time.
const unknownClock = time.Minute

// Time returns a time that has passed on the server's clock.
func (c *Client) Time() time.Time {
	if seconds := c.serverTime.Load(); seconds != 0 {
		return time.Unix(seconds, 0)
	}
	return time.Now().Add(-unknownClock)
}

// Close closes all connections. No request may be in progress.
func (c *Client) Close() {
	c.Connection.Close()
	c.connections.close()
}

// transport replaces client-go's transport by one that detects within seconds that the server no
// longer responds, and whether it accepts the credentials.
func (c *Client) transport(shared http.RoundTripper) http.RoundTripper {
	next := shared
	if t, ok := plainTransport(shared); ok {
		own := t.Clone()
		own.ForceAttemptHTTP2 = t.TLSNextProto["h2"] != nil
		if own.ForceAttemptHTTP2 {
			own.TLSNextProto = nil // the functions of t use its own connections
		}
		own.DialContext = c.connections.dialed(own.DialContext)
		own.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingInterval, PingTimeout: pingTimeout}
		own.ResponseHeaderTimeout = responseTimeout
		next = own
	}
	return &authTransport{next: next, shared: shared, credentials: c.Credentials, answered: &c.serverTime}
}

// plainTransport returns client-go's transport if it can be copied.
func plainTransport(rt http.RoundTripper) (*http.Transport, bool) {
	if w, ok := rt.(utilnet.RoundTripperWrapper); ok {
		rt = w.WrappedRoundTripper()
	}
	t, ok := rt.(*http.Transport)
	return t, ok && t.DialContext != nil
}

// An authTransport records whether responses accept the credentials.
type authTransport struct {
	next        http.RoundTripper
	shared      http.RoundTripper // renews certificates while it is referenced
	credentials *Credentials
	answered    *atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (t *authTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := withStallTimeout(t.next, r)
	if err == nil {
		t.credentials.record(response.StatusCode != http.StatusUnauthorized)
		if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
			t.answered.Store(date.Unix())
		}
	}
	return response, err
}

// WrappedRoundTripper lets client-go close the transport that is wrapped.
func (t *authTransport) WrappedRoundTripper() http.RoundTripper { return t.next }
