package cloud

import (
	"context"
	"slices"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/availabilityzones"

	"kstatus.dev/examples/openstack/cloud/session"
)

// Options of a Directory. The zero value has the defaults.
type Options = session.Options

// Identity is the content of a Secret, and a cloud in it.
type Identity = session.Identity

// A Directory opens clouds. For each user of a project it keeps one limiter of requests and one
// token, and for each service one circuit breaker. It is safe for concurrent use.
type Directory struct{ sessions *session.Directory }

// NewDirectory returns a Directory without open clouds.
func NewDirectory(o Options) *Directory { return &Directory{session.NewDirectory(o)} }

// Open returns the cloud of an identity. It authenticates once for all callers with the same
// credentials. Its failures have the reasons CredentialsMissing, CredentialsInvalid and
// InvalidCACertificate, and those of any request.
func (d *Directory) Open(ctx context.Context, id Identity) (*Cloud, error) {
	s, err := d.sessions.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Cloud{project: s.Project, region: s.Region, compute: s.Compute, network: s.Network, image: s.Image, balancing: s.LoadBalancing}, nil
}

// A Cloud is a project of OpenStack in one region. It is safe for concurrent use.
type Cloud struct {
	project, region         string
	compute, network, image session.Service
	balancing               session.Service // may not exist
}

// Project returns the ID of the project. A resource that another project does not have may exist.
func (c *Cloud) Project() string { return c.project }

// Region returns the region. If the identity has none, it is the only region of the cloud.
func (c *Cloud) Region() string { return c.region }

// Zones returns the names of the available zones of compute, sorted.
func (c *Cloud) Zones(ctx context.Context) ([]string, error) {
	zones, err := all(ctx, availabilityzones.List(c.compute.Client), availabilityzones.ExtractAvailabilityZones)
	if err != nil {
		return nil, c.compute.Explain(err, "list the availability zones")
	}
	var names []string
	for _, z := range zones {
		if z.ZoneState.Available {
			names = append(names, z.ZoneName)
		}
	}
	slices.Sort(names)
	return names, nil
}
