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

	"kstatus.dev/kube/internal/connection"
)

const (
	pollRate   = 10  // how many requests a second all polls of a session may make together
	watchRate  = 50  // how many watches a second all streams of a Client may reopen together
	watchBurst = 100 // and how many at once, as after a restart of the server
)

const (
	pingInterval    = 10 * time.Second // how long a connection may be silent before it is pinged
	pingTimeout     = 5 * time.Second  // how long a ping may take
	responseTimeout = 30 * time.Second // how long an answer may take to begin, and to go on
)

// A Client reaches one API server. All that reads from it share it, at the same time and
// one after the other.
type Client struct {
	*connection.Connection
	Server      rest.Interface // for documents that are not objects; nil if there are only clients of the caller
	Discovery   *Discovery
	User        func(context.Context) string
	Credentials *Credentials
	connections connections
	watches     flowcontrol.RateLimiter
	Unstreamed  atomic.Bool  // the server does not stream lists
	answered    atomic.Int64 // the time of the last answer that had one, by the server's clock in seconds since 1970
}

// New returns a Client for the API server of config. It sends no request. The mapper is
// asked first how a kind is served; nil: only the server is.
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

// From returns a Client on clients of the caller. Without metadata, objects are read whole.
// Without a mapper, only built-in kinds and those that have a definition are found.
func From(objects dynamic.Interface, metadata metadata.Interface, mapper meta.RESTMapper) *Client {
	c := &Client{Connection: connection.From(objects, metadata), Credentials: &Credentials{}, watches: newWatchLimiter()}
	c.Unstreamed.Store(watchlist.DoesClientNotSupportWatchListSemantics(objects))
	c.Discovery = newDiscovery(nil, mapper, objects)
	c.User = whoami(objects)
	return c
}

// adapt has the transport notice what a Client has to know.
func (c *Client) adapt(config *rest.Config) {
	config.WrapTransport = transport.Wrappers(c.transport, config.WrapTransport)
	if file := config.BearerTokenFile; file != "" {
		// A token that is refused is read again at once, and not within a minute.
		config.BearerToken, config.BearerTokenFile = "", ""
		config.Wrap(transport.ResettableTokenSourceWrapTransport(transport.NewCachedFileTokenSource(file)))
	}
}

func newWatchLimiter() flowcontrol.RateLimiter {
	return flowcontrol.NewTokenBucketRateLimiter(watchRate, watchBurst)
}

// PaceWatches waits until a stream may open another watch, or ctx ends. It is a safety net:
// streams pause by themselves.
func (c *Client) PaceWatches(ctx context.Context) error { return pace(ctx, c.watches) }

// A Session is what readers of a Client have in common that one call has started.
type Session struct {
	*Client
	Every time.Duration // list at this interval instead of watching; zero: watch
	Notes Notes
	polls flowcontrol.RateLimiter
}

// NewSession returns a Session. note receives each note once, and may be nil.
func (c *Client) NewSession(every time.Duration, note func(string)) *Session {
	return &Session{Client: c, Every: max(every, 0), Notes: Notes{note: note}, polls: flowcontrol.NewTokenBucketRateLimiter(pollRate, pollRate)}
}

// Pace waits until the session may make another poll, or ctx ends.
func (s *Session) Pace(ctx context.Context) error { return pace(ctx, s.polls) }

func pace(ctx context.Context, by flowcontrol.RateLimiter) error {
	if by.Wait(ctx) != nil {
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
	c.Connection.Close()
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
