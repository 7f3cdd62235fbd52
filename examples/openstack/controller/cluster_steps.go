package controller

import (
	"context"
	"net/netip"
	"slices"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
)

// authenticate opens the cloud.
func (p *clusterPass) authenticate(ctx context.Context) (reason, message string, err error) {
	p.cloud, err = p.open(ctx, p.id, p.obj.Status.ProjectID)
	return Accepted, "", err
}

// ensureNetwork finds or creates the network. After that the project of the cluster is known.
func (p *clusterPass) ensureNetwork(ctx context.Context) (reason, message string, err error) {
	ensure := p.cloud.EnsureNetwork
	if p.isEstablished() {
		ensure = p.cloud.FindNetwork
	}
	p.network, err = ensure(ctx, p.owner, networkSpec(p.obj))
	if err != nil {
		return "", "", err
	}
	p.status.ProjectID = p.cloud.Project()
	p.status.Network = &v1beta1.NetworkStatus{
		ID: p.network.ID, Name: p.network.Name,
		Subnets: []v1beta1.SubnetStatus{{ID: p.network.Subnet.ID, CIDR: p.network.Subnet.CIDR}},
	}
	return Found, "network " + p.network.Name, nil
}

// ensureRouter finds the external network, and finds or creates the router.
func (p *clusterPass) ensureRouter(ctx context.Context) (reason, message string, err error) {
	spec := p.obj.Spec
	p.status.ExternalNetwork = nil
	if !spec.DisableExternalNetwork {
		if p.external, err = p.cloud.ExternalNetwork(ctx, filterOf(spec.ExternalNetwork)); err != nil {
			return "", "", err
		}
		if p.external != nil {
			p.status.ExternalNetwork = resourceOf(*p.external)
		}
	}
	if len(spec.ManagedSubnets) == 0 {
		p.status.Router = nil
		return NotRequired, "the network has its own router", nil
	}
	ensure := p.cloud.EnsureRouter
	if p.isEstablished() {
		ensure = p.cloud.FindRouter
	}
	router, err := ensure(ctx, p.owner, cloud.RouterSpec{Router: filterOf(spec.Router), External: p.external, Network: p.network})
	if err != nil {
		return "", "", err
	}
	p.status.Router = resourceOf(router)
	return Found, "router " + router.Name, nil
}

// ensureSecurityGroups finds or creates the security groups. Their rules may change at any time.
func (p *clusterPass) ensureSecurityGroups(ctx context.Context) (reason, message string, err error) {
	managed := p.obj.Spec.ManagedSecurityGroups
	if managed == nil {
		p.status.ControlPlaneSecurityGroup, p.status.WorkerSecurityGroup = nil, nil
		return NotRequired, "", nil
	}
	controlPlane, worker, err := p.cloud.EnsureSecurityGroups(ctx, p.owner, cloud.SecurityGroupsSpec{
		AllowAllInClusterTraffic: managed.AllowAllInClusterTraffic, APIPort: int(p.obj.Spec.APIServer.PortNumber()),
		IPv6: p.network.Subnet.IPv6(),
	})
	if err != nil {
		return "", "", err
	}
	p.status.ControlPlaneSecurityGroup, p.status.WorkerSecurityGroup = resourceOf(controlPlane), resourceOf(worker)
	return Found, "", nil
}

// readZones reads the availability zones in each pass. If they cannot be read, the status keeps the
// earlier ones: core places machines by them.
func (p *clusterPass) readZones(ctx context.Context) (reason, message string, err error) {
	zones, err := p.cloud.Zones(ctx)
	if err != nil {
		return "", "", err
	}
	p.status.FailureDomains = nil
	allowed := p.obj.Spec.ControlPlaneAvailabilityZones
	for _, zone := range zones {
		controlPlane := len(allowed) == 0 || slices.Contains(allowed, zone)
		p.status.FailureDomains = append(p.status.FailureDomains, v1beta1.FailureDomain{Name: zone, ControlPlane: &controlPlane})
	}
	return Found, "", nil
}

// ensureEndpoint finds or creates the address of the API server.
func (p *clusterPass) ensureEndpoint(ctx context.Context) (reason, message string, err error) {
	api, published := p.obj.Spec.APIServer, p.obj.Spec.ControlPlaneEndpoint
	p.endpoint, p.source = v1beta1.APIEndpoint{Host: published.Host, Port: api.PortNumber()}, fromSpec
	switch {
	case api.LoadBalancerEnabled():
		return p.ensureLoadBalancer(ctx)
	case published.Complete() && (!api.FloatingIPEnabled() || p.external == nil):
		return Found, "the endpoint is that of the spec", nil
	case api.FloatingIPEnabled():
		return p.ensureFloatingIP(ctx)
	case api.FixedIP != "":
		p.endpoint.Host = api.FixedIP
		return Found, "the endpoint is the fixed IP of the spec", nil
	}
	return "", "", classify.Invalid("the API server has neither a load balancer nor a floating IP: set spec.controlPlaneEndpoint or spec.apiServer.fixedIP")
}

// ensureFloatingIP finds or creates the floating IP of an API server without a load balancer. The
// first machine of the control plane gets it.
func (p *clusterPass) ensureFloatingIP(ctx context.Context) (reason, message string, err error) {
	if p.external == nil {
		return "", "", classify.NoFloatingIP("the cloud has no external network, and spec.apiServer.enableFloatingIP is true")
	}
	ensure := p.cloud.EnsureFloatingIP
	if p.isEstablished() {
		ensure = p.cloud.FindFloatingIP
	}
	ip, err := ensure(ctx, p.owner, *p.floatingIPSpec())
	if err != nil {
		return "", "", err
	}
	p.endpoint.Host, p.source = ip.Address, fromFloatingIP
	return Found, "floating IP " + ip.Address, nil
}

// floatingIPSpec is the floating IP of the spec, or that of the published endpoint.
func (p *clusterPass) floatingIPSpec() *cloud.FloatingIPSpec {
	return floatingIPSpec(p.obj, *p.external)
}

func floatingIPSpec(obj *v1beta1.OpenStackCluster, external cloud.Ref) *cloud.FloatingIPSpec {
	address := obj.Spec.APIServer.FloatingIP
	if host := obj.Spec.ControlPlaneEndpoint.Host; address == "" && isAddress(host) {
		address = host
	}
	return &cloud.FloatingIPSpec{Address: address, External: external}
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// networkSpec converts the network of a cluster.
func networkSpec(obj *v1beta1.OpenStackCluster) cloud.NetworkSpec {
	if len(obj.Spec.ManagedSubnets) > 0 {
		managed := obj.Spec.ManagedSubnets[0]
		s := &cloud.ManagedSubnet{CIDR: managed.CIDR, DNSNameservers: managed.DNSNameservers}
		for _, pool := range managed.AllocationPools {
			s.Pools = append(s.Pools, cloud.AddressPool(pool))
		}
		return cloud.NetworkSpec{Managed: s}
	}
	spec := cloud.NetworkSpec{Network: filterOf(obj.Spec.Network)}
	for _, s := range obj.Spec.Subnets {
		spec.Subnet = subnetFilter(&s)
	}
	return spec
}

func filterOf(r *v1beta1.Reference) *cloud.Filter {
	switch {
	case r == nil:
		return nil
	case r.Filter == nil:
		return &cloud.Filter{ID: r.ID}
	}
	return &cloud.Filter{ID: r.ID, Name: r.Filter.Name, Tags: r.Filter.Tags}
}

func filtersOf(list []v1beta1.Reference) (filters []cloud.Filter) {
	for i := range list {
		filters = append(filters, *filterOf(&list[i]))
	}
	return filters
}

func namedFilter(r *v1beta1.NamedReference) *cloud.Filter {
	switch {
	case r == nil:
		return nil
	case r.Filter == nil:
		return &cloud.Filter{ID: r.ID}
	}
	return &cloud.Filter{ID: r.ID, Name: r.Filter.Name}
}

func subnetFilter(r *v1beta1.SubnetReference) *cloud.Filter {
	switch {
	case r == nil:
		return nil
	case r.Filter == nil:
		return &cloud.Filter{ID: r.ID}
	}
	return &cloud.Filter{ID: r.ID, Name: r.Filter.Name, CIDR: r.Filter.CIDR}
}

func resourceOf(r cloud.Ref) *v1beta1.Resource { return &v1beta1.Resource{ID: r.ID, Name: r.Name} }
