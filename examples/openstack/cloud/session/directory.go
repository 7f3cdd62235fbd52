package session

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"
	"golang.org/x/time/rate"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
)

// Options of a Directory. The zero value has the defaults.
type Options struct {
	Timeout   time.Duration     // of one request; zero means 30 s
	Transport http.RoundTripper // sends the requests; nil means TLS with the certificates of the identity. For tests.
	// Rate is the limit of requests a second to one cloud and project, for all objects together; zero
	// means 20. Burst is the number of requests without a limit; zero means 40.
	Rate  rate.Limit
	Burst int
	// Cooldown is how long an endpoint that fails gets no requests; zero means 15 s.
	Cooldown  time.Duration
	UserAgent string
}

// withDefaults returns the options without zero values.
func (o Options) withDefaults() Options {
	o.Timeout, o.Cooldown = cmp.Or(o.Timeout, 30*time.Second), cmp.Or(o.Cooldown, 15*time.Second)
	o.Rate, o.Burst = cmp.Or(o.Rate, 20), cmp.Or(o.Burst, 40)
	return o
}

// A Directory opens sessions. For each user of a project it keeps one limiter of requests and one
// token, and for each service one circuit breaker. It is safe for concurrent use.
type Directory struct {
	options Options

	mu       sync.Mutex // guards the fields below
	tenants  map[string]*tenant
	breakers map[string]*breaker // by host and service
}

// NewDirectory returns a Directory without sessions.
func NewDirectory(o Options) *Directory {
	return &Directory{options: o.withDefaults(), tenants: map[string]*tenant{}, breakers: map[string]*breaker{}}
}

// Credentials that a cloud did not accept are not sent again for this time. Keystone can lock users
// after several attempts, and each object of the tenant would make one.
const rejectedFor = 30 * time.Second

// The Directory forgets tenants after this time without a call of Open.
const forgetAfter = time.Hour

// A tenant is a user of a project.
type tenant struct {
	limiter *rate.Limiter
	used    time.Time // guarded by the Directory

	mu     sync.Mutex // guards closed
	closed time.Time  // no requests before that time

	turn     chan struct{} // a goroutine that receives from it may use the fields below, until it sends
	token    *token
	rejected rejection
}

// A rejection is why a login failed.
type rejection struct {
	sum   [32]byte
	err   error
	until time.Time
}

// reauthenticate gets another token, unless that failed a short time ago. All objects of the tenant
// need it at the same time when the password in the cloud is another one.
func reauthenticate(login func(context.Context) error) func(context.Context) error {
	var mu sync.Mutex // guards last
	var last rejection
	return func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if time.Now().Before(last.until) {
			return last.err
		}
		err := login(ctx)
		if gophercloud.ResponseCodeIs(err, http.StatusUnauthorized) {
			last = rejection{err: err, until: time.Now().Add(rejectedFor)}
		}
		return err
	}
}

// A token of a tenant, with the client that uses it.
type token struct {
	sum     [32]byte // of the login
	client  *gophercloud.ProviderClient
	project string
	catalog *tokens.ServiceCatalog
}

// Open returns the session of an identity. It authenticates once for all callers with the same
// credentials. Its failures have the reasons CredentialsMissing, CredentialsInvalid and
// InvalidCACertificate, and those of any request.
func (d *Directory) Open(ctx context.Context, id Identity) (*Session, error) {
	l, err := id.parse()
	if err != nil {
		return nil, err
	}
	t := d.tenant(l.tenant())
	select {
	case <-t.turn:
	case <-ctx.Done():
		return nil, explain("identity", "authenticate", ctx.Err())
	}
	defer func() { t.turn <- struct{}{} }()
	if r := t.rejected; r.sum == l.sum && time.Now().Before(r.until) {
		return nil, r.err
	}
	if t.token == nil || t.token.sum != l.sum {
		s, err := d.authenticate(ctx, t, l)
		if err != nil {
			err = explain("identity", "authenticate with cloud "+id.Cloud+" of Secret "+id.Secret, err)
			if f := failure.As(err); f.Class == failure.Credentials {
				t.rejected = rejection{l.sum, err, time.Now().Add(rejectedFor)}
			}
			return nil, err
		}
		t.token = s
	}
	return t.token.open(l)
}

// tenant returns the tenant with a name, and forgets those without recent callers.
func (d *Directory) tenant(name string) *tenant {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	t, exists := d.tenants[name]
	if !exists {
		for other, t := range d.tenants {
			if now.Sub(t.used) > forgetAfter {
				delete(d.tenants, other)
			}
		}
		t = &tenant{limiter: rate.NewLimiter(d.options.Rate, d.options.Burst), turn: make(chan struct{}, 1)}
		t.turn <- struct{}{}
		d.tenants[name] = t
	}
	t.used = now
	return t
}

// authenticate gets a token. The client of the token gets another one when the service no longer
// accepts it, once in a request. It does not try other requests again.
func (d *Directory) authenticate(ctx context.Context, t *tenant, l login) (*token, error) {
	client, err := openstack.NewClient(l.auth.IdentityEndpoint)
	if err != nil {
		return nil, classify.CredentialsInvalid("auth_url is not a valid URL")
	}
	base := d.options.Transport
	if base == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.TLSClientConfig = l.tls
		base = own
	}
	wire := &transport{base: base, directory: d, tenant: t}
	client.HTTPClient = http.Client{Timeout: d.options.Timeout, Transport: wire}
	if d.options.UserAgent != "" {
		client.UserAgent.Prepend(d.options.UserAgent)
	}
	if err := openstack.AuthenticateV3(ctx, client, &l.auth, gophercloud.EndpointOpts{}); err != nil {
		return nil, err
	}
	s := &token{sum: l.sum, client: client}
	result, ok := client.GetAuthResult().(tokens.CreateResult)
	if !ok {
		return nil, classify.CredentialsInvalid("a token without a scope cannot be used: use a password or an application credential")
	}
	if s.catalog, err = result.ExtractServiceCatalog(); err != nil {
		return nil, err
	}
	project, err := result.ExtractProject()
	if err != nil {
		return nil, err
	}
	if project == nil || project.ID == "" {
		return nil, classify.CredentialsInvalid("the credentials are not for a project: set project_id")
	}
	s.project = project.ID
	if client.ReauthFunc != nil {
		client.ReauthFunc = reauthenticate(client.ReauthFunc)
	}
	wire.endpoints.Store(endpointsOf(s.catalog))
	return s, nil
}

// explain returns the failure for an error of a service, and nil for nil.
func explain(service, what string, err error) error {
	if err == nil {
		return nil
	}
	f := classify.Error(fmt.Errorf("%s: %w", what, err))
	if f.Service == "" {
		f.Service = service
	}
	return f
}
