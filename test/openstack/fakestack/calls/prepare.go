package calls

import (
	"context"
	"strings"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/flavors"
	"github.com/gophercloud/gophercloud/v2/openstack/image/v2/imagedata"
	"github.com/gophercloud/gophercloud/v2/openstack/image/v2/images"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/external"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/provider"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"
)

// Prepared is what an administrator prepares for all projects: IDs, and clients to set quotas.
type Prepared struct {
	Flavor, TooLarge string // the second is of servers that no host can hold
	Image            string
	External         string // a network
	Compute, Network *gophercloud.ServiceClient
	Balancer         *gophercloud.ServiceClient
}

// Names of what Prepare creates.
const (
	FlavorName   = "small"
	TooLargeName = "too-large"
	ImageName    = "ubuntu"
	ExternalName = "external"
)

// Prepare creates two flavors, an image, and an external network with the addresses 198.51.100.0/24.
func Prepare(ctx context.Context, admin *gophercloud.ProviderClient, region string) (*Prepared, error) {
	p := &Prepared{}
	at := gophercloud.EndpointOpts{Region: region}
	var err error
	if p.Compute, err = openstack.NewComputeV2(admin, at); err != nil {
		return nil, err
	}
	if p.Network, err = openstack.NewNetworkV2(admin, at); err != nil {
		return nil, err
	}
	if p.Balancer, err = openstack.NewLoadBalancerV2(admin, at); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		id    *string
		name  string
		vcpus int
	}{{&p.Flavor, FlavorName, 1}, {&p.TooLarge, TooLargeName, 5000}} {
		disk := 1
		made, err := flavors.Create(ctx, p.Compute, flavors.CreateOpts{Name: f.name, RAM: 64, VCPUs: f.vcpus, Disk: &disk}).Extract()
		if err != nil {
			return nil, err
		}
		*f.id = made.ID
	}
	if p.Image, err = prepareImage(ctx, admin, at); err != nil {
		return nil, err
	}
	is := true
	n, err := networks.Create(ctx, p.Network, external.CreateOptsExt{
		CreateOptsBuilder: provider.CreateOptsExt{
			CreateOptsBuilder: networks.CreateOpts{Name: ExternalName},
			Segments:          []provider.Segment{{NetworkType: "flat", PhysicalNetwork: "external"}},
		},
		External: &is,
	}).Extract()
	if err != nil {
		return nil, err
	}
	p.External = n.ID
	_, err = subnets.Create(ctx, p.Network, subnets.CreateOpts{NetworkID: n.ID, CIDR: "198.51.100.0/24", IPVersion: gophercloud.IPv4}).Extract()
	return p, err
}

func prepareImage(ctx context.Context, admin *gophercloud.ProviderClient, at gophercloud.EndpointOpts) (string, error) {
	client, err := openstack.NewImageV2(admin, at)
	if err != nil {
		return "", err
	}
	public := images.ImageVisibilityPublic
	i, err := images.Create(ctx, client, images.CreateOpts{Name: ImageName, ContainerFormat: "bare", DiskFormat: "raw", Visibility: &public, Tags: []string{"kubernetes"}}).Extract()
	if err != nil {
		return "", err
	}
	return i.ID, imagedata.Upload(ctx, client, i.ID, strings.NewReader("an image")).ExtractErr()
}
