package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/clusterapi/openstack/classify"
)

// computeMicroversion is the first one with tags in the request that creates a server.
const computeMicroversion = "2.52"

// A Session is what the credentials of a user open: the services of a project in one region.
type Session struct {
	Project string // its ID
	Region  string // if the identity has none, the only region of the cloud

	Compute, Network, Image Service
	LoadBalancing           Service // may not exist
}

// A Service is an API of a cloud.
type Service struct {
	Name   string
	Region string
	Client *gophercloud.ServiceClient // nil if the cloud does not have the service
}

// Missing returns a failure if the cloud does not have the service.
func (s Service) Missing() error {
	if s.Client == nil {
		return classify.Unsupported("the catalog of the cloud has no " + s.Name + " service in region " + s.Region)
	}
	return nil
}

// Explain returns the failure for an error of the service, and nil for nil. The text says what was
// done, such as "create the port a".
func (s Service) Explain(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return explain(s.Name, fmt.Sprintf(format, args...), err)
}

// open returns the services of a token in the region of a login.
func (s *token) open(l login) (*Session, error) {
	c := &Session{Project: s.project, Region: l.region}
	if c.Region == "" {
		regions := s.regions(l.availability)
		if len(regions) > 1 {
			return nil, classify.Ambiguous("region", "the cloud ("+strings.Join(regions, ", ")+")", len(regions))
		}
		c.Region = strings.Join(regions, "")
	}
	c.Compute = s.service("compute", c.Region, l.availability, "")
	c.Network = s.service("network", c.Region, l.availability, "v2.0/")
	c.Image = s.service("image", c.Region, l.availability, "v2/")
	c.LoadBalancing = s.service("load-balancer", c.Region, l.availability, "v2.0/")
	for _, needed := range []Service{c.Compute, c.Network, c.Image} {
		if err := needed.Missing(); err != nil {
			return nil, err
		}
	}
	c.Compute.Client.Microversion = computeMicroversion
	return c, nil
}

// regions returns the regions that have a compute service, sorted.
func (s *token) regions(a gophercloud.Availability) (list []string) {
	for _, entry := range s.catalog.Entries {
		for _, e := range entry.Endpoints {
			if entry.Type == "compute" && gophercloud.Availability(e.Interface) == a {
				list = append(list, e.Region)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// service returns a service of the catalog. The URL is in the catalog with the version or without it;
// an empty version takes the URL as it is. In contrast to gophercloud's locator, this sends no request.
func (s *token) service(kind, region string, a gophercloud.Availability, version string) Service {
	opts := gophercloud.EndpointOpts{Region: region, Availability: a}
	opts.ApplyDefaults(kind)
	for _, entry := range s.catalog.Entries {
		for _, e := range entry.Endpoints {
			if !slices.Contains(opts.Types(), entry.Type) || gophercloud.Availability(e.Interface) != a {
				continue
			}
			if region != "" && e.Region != region && e.RegionID != region {
				continue
			}
			url := strings.TrimSuffix(gophercloud.NormalizeURL(e.URL), version)
			client := &gophercloud.ServiceClient{ProviderClient: s.client, Endpoint: url, Type: kind}
			if version != "" {
				client.ResourceBase = url + version
			}
			return Service{kind, region, client}
		}
	}
	return Service{Name: kind, Region: region}
}
