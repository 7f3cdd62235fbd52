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

// How many requests a second may be made to get or list again and again what
// may not be watched.
const pollRate = 10

// After how long without a byte a connection is asked for a sign of life, and
// how long that may take, before it is given up; and how long the server may
// take to begin the answer to a request, and to go on with it.
const (
	pingInterval    = 10 * time.Second
	pingTimeout     = 5 * time.Second
	responseTimeout = 30 * time.Second
)

// A link is the connection that all streams share.
type Client struct {
	Objects     dynamic.Interface
	metadata    metadata.Interface
	Server      rest.Interface // for what is not an object
	Discovery   *Discovery
	Every       time.Duration // how often to list instead of watching; zero: watch
	Notes       Notes
	http        *http.Client
	User        func(context.Context) string
	Credentials *Credentials
	polls       flowcontrol.RateLimiter
	connections connections
	Unstreamed  atomic.Bool // the server does not stream lists
}

// linkOptions are what a link needs besides the way to the server.
type Options struct {
	Mapper meta.RESTMapper // asked first how a kind is served; nil: only the server is
	Every  time.Duration
	Note   func(string) // given each note once; nil: nobody is
}

// newLink connects to a server.
func New(to *rest.Config, o Options) (*Client, error) {
	config := rest.CopyConfig(to)
	config.WarningHandlerWithContext = rest.NoWarnings{}
	config.QPS = -1 // there are few requests, and the server limits them by priority
	if config.UserAgent == "" {
		config.UserAgent = "kstatus"
	}
	l := &Client{
		Credentials: newCredentials(config),
		polls:       flowcontrol.NewTokenBucketRateLimiter(pollRate, pollRate),
		Every:       max(o.Every, 0),
		Notes:       Notes{note: o.Note},
	}
	config.WrapTransport = transport.Wrappers(l.transport, config.WrapTransport)
	if file := config.BearerTokenFile; file != "" {
		// So that a token that is refused is read anew at once, and not within a minute.
		config.BearerToken, config.BearerTokenFile = "", ""
		config.Wrap(transport.ResettableTokenSourceWrapTransport(transport.NewCachedFileTokenSource(file)))
	}
	var err error
	if l.http, err = rest.HTTPClientFor(config); err != nil {
		return nil, err
	}
	if l.Objects, err = dynamic.NewForConfigAndClient(config, l.http); err != nil {
		return nil, err
	}
	if l.metadata, err = metadata.NewForConfigAndClient(metadata.ConfigFor(config), l.http); err != nil {
		return nil, err
	}
	known, err := discovery.NewDiscoveryClientForConfigAndClient(config, l.http)
	if err != nil {
		return nil, err
	}
	l.Server = known.RESTClient()
	l.Discovery = newDiscovery(l.Server, o.Mapper)
	l.User = whoami(l.Objects)
	return l, nil
}

// pace waits until one may poll once more.
func (l *Client) Pace(ctx context.Context) error {
	if l.polls.Wait(ctx) != nil {
		<-ctx.Done() // it would be after the deadline
	}
	return ctx.Err()
}

// close ends all connections. No request is under way any more.
func (l *Client) Close() {
	utilnet.CloseIdleConnectionsFor(l.http.Transport)
	l.connections.close()
}

// transport has a transport of its own that notices within seconds that nobody
// answers any more, and sees whether credentials are accepted.
func (l *Client) transport(shared http.RoundTripper) http.RoundTripper {
	next := shared
	if t, ok := plainTransport(shared); ok {
		own := t.Clone()
		own.ForceAttemptHTTP2 = t.TLSNextProto["h2"] != nil
		if own.ForceAttemptHTTP2 {
			own.TLSNextProto = nil // those of t lead to its own connections
		}
		own.DialContext = l.connections.dialed(own.DialContext)
		own.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingInterval, PingTimeout: pingTimeout}
		own.ResponseHeaderTimeout = responseTimeout
		next = own
	}
	return &authTransport{next: next, shared: shared, credentials: l.Credentials}
}

// plainTransport returns a transport that can be copied, as client-go makes it.
func plainTransport(rt http.RoundTripper) (*http.Transport, bool) {
	if w, ok := rt.(utilnet.RoundTripperWrapper); ok {
		rt = w.WrappedRoundTripper()
	}
	t, ok := rt.(*http.Transport)
	return t, ok && t.DialContext != nil
}

// A listening transport sees which answers concern the credentials.
type authTransport struct {
	next        http.RoundTripper
	shared      http.RoundTripper // renews certificates while somebody holds it
	credentials *Credentials
}

// RoundTrip makes a request.
func (t *authTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := withStallTimeout(t.next, r)
	if err == nil {
		t.credentials.record(response.StatusCode != http.StatusUnauthorized)
	}
	return response, err
}

// WrappedRoundTripper shows client-go what is behind, so that it can be closed.
func (t *authTransport) WrappedRoundTripper() http.RoundTripper { return t.next }
