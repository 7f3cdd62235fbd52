package client

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/flowcontrol"
)

// pollRate is how many requests a second all polls together may make.
const pollRate = 10

const (
	pingInterval    = 10 * time.Second // how long a connection may be silent before it is pinged
	pingTimeout     = 5 * time.Second  // how long a ping may take
	responseTimeout = 30 * time.Second // how long an answer may take to begin, and to go on
)

// A Client is a connection to an API server, shared by all that reads from it.
type Client struct {
	Objects     dynamic.Interface
	metadata    metadata.Interface
	Server      rest.Interface // for documents that are not objects
	Discovery   *Discovery
	Every       time.Duration // list at this interval instead of watching; zero: watch
	Notes       Notes
	http        *http.Client
	User        func(context.Context) string
	Credentials *Credentials
	polls       flowcontrol.RateLimiter
	connections connections
	Unstreamed  atomic.Bool  // the server does not stream lists
	answered    atomic.Int64 // the time of the last answer that had one, by the server's clock in seconds since 1970
}

// Options are optional.
type Options struct {
	Mapper meta.RESTMapper // is asked first how a kind is served; nil: only the server is
	Every  time.Duration
	Note   func(string) // receives each note once; may be nil
}

// New returns a Client. It sends no request.
func New(to *rest.Config, o Options) (*Client, error) {
	config := rest.CopyConfig(to)
	config.WarningHandlerWithContext = rest.NoWarnings{}
	config.QPS = -1 // requests are few, and the server limits them by priority
	if config.UserAgent == "" {
		config.UserAgent = "kstatus"
	}
	c := &Client{
		Credentials: newCredentials(config),
		polls:       flowcontrol.NewTokenBucketRateLimiter(pollRate, pollRate),
		Every:       max(o.Every, 0),
		Notes:       Notes{note: o.Note},
	}
	config.WrapTransport = transport.Wrappers(c.transport, config.WrapTransport)
	if file := config.BearerTokenFile; file != "" {
		// A token that is refused is read again at once, and not within a minute.
		config.BearerToken, config.BearerTokenFile = "", ""
		config.Wrap(transport.ResettableTokenSourceWrapTransport(transport.NewCachedFileTokenSource(file)))
	}
	var err error
	if c.http, err = rest.HTTPClientFor(config); err != nil {
		return nil, err
	}
	if c.Objects, err = dynamic.NewForConfigAndClient(config, c.http); err != nil {
		return nil, err
	}
	if c.metadata, err = metadata.NewForConfigAndClient(metadata.ConfigFor(config), c.http); err != nil {
		return nil, err
	}
	known, err := discovery.NewDiscoveryClientForConfigAndClient(config, c.http)
	if err != nil {
		return nil, err
	}
	c.Server = known.RESTClient()
	c.Discovery = newDiscovery(c.Server, o.Mapper)
	c.User = whoami(c.Objects)
	return c, nil
}

// Pace waits until another poll may be made, or ctx ends.
func (c *Client) Pace(ctx context.Context) error {
	if c.polls.Wait(ctx) != nil {
		<-ctx.Done() // it would be after the deadline
	}
	return ctx.Err()
}

// unknownClock is by how much the clock of a server may be behind that does not tell its time.
const unknownClock = time.Minute

// Time returns a time that has passed by the server's clock.
func (c *Client) Time() time.Time {
	if seconds := c.answered.Load(); seconds != 0 {
		return time.Unix(seconds, 0)
	}
	return time.Now().Add(-unknownClock)
}

// Close closes all connections. No request may be in progress.
func (c *Client) Close() {
	utilnet.CloseIdleConnectionsFor(c.http.Transport)
	c.connections.close()
}

// transport replaces client-go's transport by one that notices within seconds that
// nobody answers any more, and that sees whether credentials are accepted.
func (c *Client) transport(shared http.RoundTripper) http.RoundTripper {
	next := shared
	if t, ok := plainTransport(shared); ok {
		own := t.Clone()
		own.ForceAttemptHTTP2 = t.TLSNextProto["h2"] != nil
		if own.ForceAttemptHTTP2 {
			own.TLSNextProto = nil // those of t lead to its own connections
		}
		own.DialContext = c.connections.dialed(own.DialContext)
		own.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingInterval, PingTimeout: pingTimeout}
		own.ResponseHeaderTimeout = responseTimeout
		next = own
	}
	return &authTransport{next: next, shared: shared, credentials: c.Credentials, answered: &c.answered}
}

// plainTransport returns client-go's transport if it can be copied.
func plainTransport(rt http.RoundTripper) (*http.Transport, bool) {
	if w, ok := rt.(utilnet.RoundTripperWrapper); ok {
		rt = w.WrappedRoundTripper()
	}
	t, ok := rt.(*http.Transport)
	return t, ok && t.DialContext != nil
}

// An authTransport records which answers accept the credentials.
type authTransport struct {
	next        http.RoundTripper
	shared      http.RoundTripper // renews certificates as long as it is referenced
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
