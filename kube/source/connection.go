package source

import (
	"context"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/flowcontrol"

	"kstatus.dev/kube/expect"
	"kstatus.dev/status"
)

// How many requests a second may be made to get or list again and again what
// may not be watched.
const pollRate = 10

// After how long without a byte a connection is asked for a sign of life, and
// how long that may take, before it is given up; and how long the server may
// take to begin the answer to a request, and to go on with it.
const (
	silence = 10 * time.Second
	answer  = 5 * time.Second
	delay   = 30 * time.Second
)

// A link is the connection that all streams share.
type link struct {
	http        *http.Client
	objects     dynamic.Interface
	metadata    metadata.Interface
	kinds       *kinds
	lessons     lessons
	user        func(context.Context) string
	credentials *credentials
	polls       flowcontrol.RateLimiter
	namespace   string
	data        bool
	endpoints   bool          // of Services matter
	every       time.Duration // how often to list instead of watching; zero: watch
	notes       notes
	conns       conns
	unstreamed  atomic.Bool // the server does not stream lists
}

func (c *Cluster) connect() (*link, error) {
	config := rest.CopyConfig(c.Config)
	config.WarningHandlerWithContext = rest.NoWarnings{}
	config.QPS = -1 // there are few requests, and the server limits them by priority
	if config.UserAgent == "" {
		config.UserAgent = "kstatus"
	}
	l := &link{
		credentials: newCredentials(config),
		polls:       flowcontrol.NewTokenBucketRateLimiter(pollRate, pollRate),
		namespace:   c.Namespace,
		data:        c.Data,
		endpoints:   c.Endpoints && c.Learn != nil,
		every:       max(c.Every, 0),
		notes:       notes{said: c.Said},
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
	if l.objects, err = dynamic.NewForConfigAndClient(config, l.http); err != nil {
		return nil, err
	}
	if l.metadata, err = metadata.NewForConfigAndClient(metadata.ConfigFor(config), l.http); err != nil {
		return nil, err
	}
	known, err := discovery.NewDiscoveryClientForConfigAndClient(config, l.http)
	if err != nil {
		return nil, err
	}
	l.kinds = newKinds(known.RESTClient(), c.Mapper)
	l.user = whoami(l.objects)
	l.lessons = lessons{learn: c.Learn, known: status.Builtin()}
	l.lessons.reader = expect.Reader{Kinds: c.Kinds, Learn: c.Learn, Objects: l.objects, Server: known.RESTClient()}
	return l, nil
}

// interval returns how often to look at what is not watched.
func (l *link) interval() time.Duration {
	if l.every > 0 {
		return l.every
	}
	return pollPause
}

// pace waits until one may poll once more.
func (l *link) pace(ctx context.Context) error {
	if l.polls.Wait(ctx) != nil {
		<-ctx.Done() // it would be after the deadline
	}
	return ctx.Err()
}

// close ends all connections. No request is under way any more.
func (l *link) close() {
	utilnet.CloseIdleConnectionsFor(l.http.Transport)
	l.conns.close()
}

// transport has a transport of its own that notices within seconds that nobody
// answers any more, and sees whether credentials are accepted.
func (l *link) transport(shared http.RoundTripper) http.RoundTripper {
	next := shared
	if t, ok := plainTransport(shared); ok {
		own := t.Clone()
		own.ForceAttemptHTTP2 = t.TLSNextProto["h2"] != nil
		if own.ForceAttemptHTTP2 {
			own.TLSNextProto = nil // those of t lead to its own connections
		}
		own.DialContext = l.conns.dialed(own.DialContext)
		own.HTTP2 = &http.HTTP2Config{SendPingTimeout: silence, PingTimeout: answer}
		own.ResponseHeaderTimeout = delay
		next = own
	}
	return &listening{next: next, shared: shared, credentials: l.credentials}
}

// plainTransport returns a transport that can be copied, as client-go makes it.
func plainTransport(rt http.RoundTripper) (*http.Transport, bool) {
	if w, ok := rt.(utilnet.RoundTripperWrapper); ok {
		rt = w.WrappedRoundTripper()
	}
	t, ok := rt.(*http.Transport)
	return t, ok && t.DialContext != nil
}

// A conns holds the connections that are open. That a request is over is known
// to its connection a moment later, so that it would not pass for idle.
type conns struct {
	mu   sync.Mutex // guards open
	open map[*conn]struct{}
}

type conn struct {
	net.Conn
	of *conns
}

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

func (c *conns) dialed(dial dialer) dialer {
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

func (c *conns) close() {
	c.mu.Lock()
	open := slices.Collect(maps.Keys(c.open))
	c.mu.Unlock()
	for _, conn := range open {
		conn.Close() // nobody reads from it any more, so that an error tells nobody anything
	}
}

// A listening transport sees which answers concern the credentials.
type listening struct {
	next        http.RoundTripper
	shared      http.RoundTripper // renews certificates while somebody holds it
	credentials *credentials
}

// RoundTrip makes a request.
func (t *listening) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := progressing(t.next, r)
	if err == nil {
		t.credentials.answered(response.StatusCode != http.StatusUnauthorized)
	}
	return response, err
}

// WrappedRoundTripper shows client-go what is behind, so that it can be closed.
func (t *listening) WrappedRoundTripper() http.RoundTripper { return t.next }

// How long credentials may be refused that have been accepted, and those that
// have not but are read from a file or a program: a file is read anew once a
// minute, a program is run anew each time they are refused, and who writes them
// may be late.
const (
	refusalLimit = 2 * time.Minute
	renewalLimit = 10 * time.Second
)

// A credentials knows whether the server still takes us for somebody.
type credentials struct {
	renewed bool // they come from a file or a program

	mu       sync.Mutex // guards what follows
	accepted bool       // they have been
	refused  time.Time  // since when they have been without a break
}

func newCredentials(c *rest.Config) *credentials {
	return &credentials{renewed: c.BearerTokenFile != "" || c.ExecProvider != nil || c.AuthProvider != nil}
}

func (c *credentials) answered(accepted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case accepted:
		c.accepted, c.refused = true, time.Time{}
	case c.refused.IsZero():
		c.refused = time.Now()
	}
}

// lost reports whether there is no hope that they are accepted again: they
// never were and stay as they are, or they have been refused for long.
func (c *credentials) lost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	var limit time.Duration
	switch {
	case c.refused.IsZero():
		return false
	case c.accepted:
		limit = refusalLimit
	case c.renewed:
		limit = renewalLimit
	}
	return time.Since(c.refused) >= limit
}

// A notes says each thing once.
type notes struct {
	said func(string)

	mu   sync.Mutex // guards done
	done map[string]bool
}

func (n *notes) say(note string) {
	if n.said == nil || note == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done[note] {
		return
	}
	if n.done == nil {
		n.done = map[string]bool{}
	}
	n.done[note] = true
	n.said(note)
}
