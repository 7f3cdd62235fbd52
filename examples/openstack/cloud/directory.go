package cloud

import (
	"context"
	"errors"
	"net/http"
	"time"

	"golang.org/x/time/rate"
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

// A Directory opens clouds. For each user of a project it keeps one limiter of requests and one
// token, and for each service one circuit breaker. It is safe for concurrent use.
type Directory struct{ options Options }

// NewDirectory returns a Directory without open clouds.
func NewDirectory(o Options) *Directory { return &Directory{options: o} }

// Identity is the content of a Secret, and a cloud in it.
type Identity struct {
	Secret string // the name of the Secret, for messages
	Clouds []byte // the key clouds.yaml; nil if the Secret or the key does not exist
	CACert []byte // the key cacert; empty means the certificates of the system
	Cloud  string
	Region string // replaces the region in clouds.yaml
}

// Open returns the cloud of an identity. It authenticates once for all callers with the same
// credentials. Its failures have the reasons CredentialsMissing, CredentialsInvalid and
// InvalidCACertificate, and those of any request.
func (d *Directory) Open(ctx context.Context, id Identity) (*Cloud, error) { return nil, errMissing }

// A Cloud is a project of OpenStack in one region. It is safe for concurrent use.
type Cloud struct{}

// Project returns the ID of the project. A resource that another project does not have may exist.
func (c *Cloud) Project() string { return "" }

// Region returns the region. It is empty for a cloud with one region whose name nobody has set.
func (c *Cloud) Region() string { return "" }

// Zones returns the names of the available zones of compute, sorted.
func (c *Cloud) Zones(ctx context.Context) ([]string, error) { return nil, errMissing }

var errMissing = errors.New("this method is not written yet")
