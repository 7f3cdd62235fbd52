package openstackkit

import (
	"context"
	"fmt"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/quotasets"
	lbquotas "github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/quotas"
	netquotas "github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/quotas"
)

// Region is the only region.
const Region = "RegionOne"

// Credentials are those of a user in a project of the domain Default.
type Credentials struct {
	AuthURL  string // of keystone, with /v3
	Username string
	Password string
	Project  string // its name
}

// Admin returns the credentials of the administrator.
func (k *Kit) Admin() Credentials { return k.User("admin", k.state.Password, "admin") }

// Demo returns the credentials of an ordinary member of the project demo.
func (k *Kit) Demo() Credentials { return k.User("demo", k.state.Password, "demo") }

// User returns the credentials of a user in a project.
func (k *Kit) User(name, password, project string) Credentials {
	return Credentials{fmt.Sprintf("http://127.0.0.1:%d/v3", k.state.Ports[Keystone]), name, password, project}
}

// CloudsYAML returns the content of a file clouds.yaml with one cloud.
func (c Credentials) CloudsYAML(cloud string) []byte {
	return fmt.Appendf(nil, `clouds:
  %s:
    region_name: %s
    identity_api_version: 3
    auth:
      auth_url: %s
      username: %s
      password: %q
      project_name: %s
      user_domain_name: Default
      project_domain_name: Default
`, cloud, Region, c.AuthURL, c.Username, c.Password, c.Project)
}

// OpenRC returns the content of a shell script that sets the variables that clients read.
func (c Credentials) OpenRC() []byte {
	return fmt.Appendf(nil, `export OS_AUTH_URL=%s OS_REGION_NAME=%s OS_IDENTITY_API_VERSION=3
export OS_USERNAME=%s OS_PASSWORD=%s OS_PROJECT_NAME=%s
export OS_USER_DOMAIN_NAME=Default OS_PROJECT_DOMAIN_NAME=Default
`, c.AuthURL, Region, c.Username, c.Password, c.Project)
}

// Client returns a client that has authenticated, and does so again when its token expires.
func (c Credentials) Client(ctx context.Context) (*gophercloud.ProviderClient, error) {
	return openstack.AuthenticatedClient(ctx, gophercloud.AuthOptions{
		IdentityEndpoint: c.AuthURL, Username: c.Username, Password: c.Password,
		TenantName: c.Project, DomainName: "Default", AllowReauth: true,
	})
}

// A Quota is how many resources a project may have. Nil leaves a number as it is; -1 means any.
type Quota struct {
	Instances, Cores, RAM       *int // of nova
	Networks, Ports             *int
	FloatingIPs, SecurityGroups *int
	SecurityGroupRules          *int
	LoadBalancers               *int
}

// SetQuota changes the quota of a project, which is given by its ID.
func (k *Kit) SetQuota(ctx context.Context, project string, q Quota) error {
	client, err := k.Admin().Client(ctx)
	if err != nil {
		return err
	}
	o := gophercloud.EndpointOpts{Region: Region}
	if q.Instances != nil || q.Cores != nil || q.RAM != nil {
		compute, err := openstack.NewComputeV2(client, o)
		if err != nil {
			return err
		}
		if _, err := quotasets.Update(ctx, compute, project, quotasets.UpdateOpts{Instances: q.Instances, Cores: q.Cores, RAM: q.RAM}).Extract(); err != nil {
			return fmt.Errorf("set the quota of nova: %w", err)
		}
	}
	if q.Networks != nil || q.Ports != nil || q.FloatingIPs != nil || q.SecurityGroups != nil || q.SecurityGroupRules != nil {
		network, err := openstack.NewNetworkV2(client, o)
		if err != nil {
			return err
		}
		opts := netquotas.UpdateOpts{Network: q.Networks, Port: q.Ports, FloatingIP: q.FloatingIPs, SecurityGroup: q.SecurityGroups, SecurityGroupRule: q.SecurityGroupRules}
		if _, err := netquotas.Update(ctx, network, project, opts).Extract(); err != nil {
			return fmt.Errorf("set the quota of neutron: %w", err)
		}
	}
	if q.LoadBalancers != nil {
		balancer, err := openstack.NewLoadBalancerV2(client, o)
		if err != nil {
			return err
		}
		if _, err := lbquotas.Update(ctx, balancer, project, lbquotas.UpdateOpts{Loadbalancer: q.LoadBalancers}).Extract(); err != nil {
			return fmt.Errorf("set the quota of octavia: %w", err)
		}
	}
	return nil
}
