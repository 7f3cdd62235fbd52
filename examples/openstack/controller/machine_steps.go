package controller

import (
	"context"
	"net/netip"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
)

const controlPlaneLabel = "cluster.x-k8s.io/control-plane"

// authenticate opens the cloud.
func (p *machinePass) authenticate(ctx context.Context) (reason, message string, err error) {
	project := p.obj.Status.ProjectID
	if project == "" && p.infra != nil && p.obj.Spec.IdentityRef == nil {
		project = p.infra.Status.ProjectID
	}
	p.cloud, err = p.open(ctx, p.id, project)
	return Accepted, "", err
}

// ensureServer finds or creates the server. A server that has existed is never replaced: another
// one would be another Node.
func (p *machinePass) ensureServer(ctx context.Context) (reason, message string, err error) {
	if id := p.obj.Spec.ProviderID; id != "" {
		p.server, err = p.cloud.Server(ctx, p.owner, p.obj.Name, path.Base(id))
	} else {
		p.server, err = p.createServer(ctx)
	}
	if err != nil {
		return "", "", p.missing(err)
	}
	p.observe(p.server)
	joined, _, _ := unstructured.NestedString(p.machine.Object, "status", "nodeRef", "name")
	if f := classify.Server(p.server, joined != ""); f != nil {
		return "", "", p.missing(f)
	}
	if err := p.cloud.EnsureServerTags(ctx, p.owner, p.obj.Name, p.server, p.obj.Spec.Tags); err != nil {
		return "", "", err
	}
	if !slices.ContainsFunc(p.status.Addresses, func(a v1beta1.MachineAddress) bool { return a.Type == "InternalIP" }) {
		f := failure.InProgress("the network of server "+p.server.Name, "without an address")
		return "", "", f
	}
	return Running, "server " + p.server.Name + " is active", nil
}

// createServer resolves all references before it creates anything. So a missing image leaves no port
// behind (cluster-api-provider-openstack#1062).
func (p *machinePass) createServer(ctx context.Context) (*servers.Server, error) {
	spec, err := p.machineSpec(ctx)
	if err != nil {
		return nil, err
	}
	resolved, err := p.cloud.ResolveMachine(ctx, spec)
	if err != nil {
		return nil, err
	}
	// The ports of the server of an earlier machine have the same names.
	if _, err := p.cloud.FindServer(ctx, p.owner, p.obj.Name); err != nil {
		return nil, err
	}
	ports, err := p.cloud.EnsurePorts(ctx, p.owner, p.obj.Name, resolved)
	if err != nil {
		return nil, err
	}
	return p.cloud.EnsureServer(ctx, p.owner, p.obj.Name, resolved, ports, p.data)
}

// machineSpec converts the spec, and adds what the cluster has for the machine.
func (p *machinePass) machineSpec(ctx context.Context) (cloud.MachineSpec, error) {
	s := p.obj.Spec
	zone, _, _ := unstructured.NestedString(p.machine.Object, "spec", "failureDomain")
	spec := cloud.MachineSpec{
		Image: *filterOf(&s.Image), Flavor: *namedFilter(&s.Flavor), ServerGroup: namedFilter(s.ServerGroup),
		SSHKeyName: s.SSHKeyName, Zone: zone, SecurityGroups: filtersOf(s.SecurityGroups),
		Metadata: s.ServerMetadata, Tags: s.Tags, ConfigDrive: s.ConfigDrive,
	}
	for _, port := range s.Ports {
		spec.Ports = append(spec.Ports, portSpec(port))
	}
	var err error
	if spec.Network, err = p.cloud.FindNetwork(ctx, p.owner, networkSpec(p.infra)); err != nil {
		return spec, err
	}
	if p.infra.Spec.ManagedSecurityGroups != nil {
		controlPlane, worker, err := p.cloud.FindSecurityGroups(ctx, p.owner)
		if err != nil {
			return spec, err
		}
		spec.ManagedGroups = []cloud.Ref{worker}
		if p.isControlPlane() {
			spec.ManagedGroups[0] = controlPlane
		}
	}
	return spec, nil
}

func portSpec(port v1beta1.Port) cloud.PortSpec {
	spec := cloud.PortSpec{
		Network: filterOf(port.Network), SecurityGroups: filtersOf(port.SecurityGroups),
		NameSuffix: port.NameSuffix, DisablePortSecurity: port.DisablePortSecurity, Tags: port.Tags,
	}
	for _, ip := range port.FixedIPs {
		spec.FixedIPs = append(spec.FixedIPs, cloud.FixedIP{Subnet: subnetFilter(ip.Subnet), Address: ip.IPAddress})
	}
	return spec
}

func (p *machinePass) isControlPlane() bool {
	_, is := p.machine.GetLabels()[controlPlaneLabel]
	return is
}

// observe writes the server into the status.
func (p *machinePass) observe(s *servers.Server) {
	p.status.ProjectID = p.cloud.Project()
	p.status.InstanceID, p.status.InstanceState = s.ID, s.Status
	if s.AvailabilityZone != "" {
		p.status.FailureDomain = s.AvailabilityZone
	}
	if found := addressesOf(s); len(found) > 1 {
		p.status.Addresses = found
	}
}

// missing returns the failure of a server that does not exist, and other errors unchanged. A server
// is reported as deleted if two passes in succession have not found it, with credentials of its
// project.
func (p *machinePass) missing(err error) error {
	f := failure.As(err)
	if f == nil || f.Class != classify.InstanceDeleted {
		return err
	}
	verified := p.obj.Status.ProjectID != "" || p.infra != nil && p.infra.Status.ProjectID != ""
	before := meta.FindStatusCondition(p.obj.Status.Conditions, InstanceReady)
	if verified && before != nil && (before.Reason == InstanceMissing || before.Reason == InstanceDeleted) {
		return f
	}
	first := *f
	first.Class, first.Reason, first.Known, first.Until = InstanceMissing, InstanceMissing, false, 0
	first.Message += ", or is not in project " + p.cloud.Project()
	first.Retry = failure.Retry{First: 10 * time.Second, Last: 10 * time.Minute}
	return &first
}

// ensureIngress connects the endpoint of the control plane with the server.
func (p *machinePass) ensureIngress(ctx context.Context) (reason, message string, err error) {
	if !p.isControlPlane() {
		return NotRequired, "the machine is a worker", nil
	}
	if !isTrue(p.infra.Status.Initialization.Provisioned) {
		return "", "", &failure.Failure{
			Class: failure.Provisioning, Reason: WaitingForCluster, Message: "OpenStackCluster " + p.infra.Name + " is not provisioned",
			Retry: failure.Retry{First: 10 * time.Second, Last: time.Minute},
		}
	}
	api := p.infra.Spec.APIServer
	switch {
	case p.infra.Status.LoadBalancer != nil:
		err := p.cloud.EnsureMember(ctx, p.owner, p.obj.Name, p.internalIP())
		return Found, "the server is a member of the load balancer", err
	case !api.LoadBalancerEnabled() && api.FloatingIPEnabled() && p.infra.Status.ExternalNetwork != nil:
		external := cloud.Ref{ID: p.infra.Status.ExternalNetwork.ID, Name: p.infra.Status.ExternalNetwork.Name}
		err := p.cloud.AttachFloatingIP(ctx, p.owner, p.obj.Name, *floatingIPSpec(p.infra, external))
		return Found, "a machine of the control plane has the floating IP", err
	}
	return NotRequired, "the provider does not manage the endpoint", nil
}

// internalIP returns the address of the server in the subnet of the cluster, or else its first.
func (p *machinePass) internalIP() (first string) {
	for _, a := range p.status.Addresses {
		if a.Type != "InternalIP" {
			continue
		}
		if first == "" {
			first = a.Address
		}
		if network := p.infra.Status.Network; network != nil && isIn(a.Address, network.Subnets) {
			return a.Address
		}
	}
	return first
}

func isIn(address string, subnets []v1beta1.SubnetStatus) bool {
	parsed, err := netip.ParseAddr(address)
	return err == nil && slices.ContainsFunc(subnets, func(s v1beta1.SubnetStatus) bool {
		prefix, err := netip.ParsePrefix(s.CIDR)
		return err == nil && prefix.Contains(parsed)
	})
}

// addressesOf returns the addresses of a server, in a stable order: its name, fixed addresses,
// floating addresses.
func addressesOf(s *servers.Server) []v1beta1.MachineAddress {
	addresses := []v1beta1.MachineAddress{{Type: "Hostname", Address: s.Name}}
	for _, list := range s.Addresses {
		items, _ := list.([]any)
		for _, item := range items {
			fields, _ := item.(map[string]any)
			address, _ := fields["addr"].(string)
			if address == "" {
				continue
			}
			a := v1beta1.MachineAddress{Type: "InternalIP", Address: address}
			if fields["OS-EXT-IPS:type"] == "floating" {
				a.Type = "ExternalIP"
			}
			addresses = append(addresses, a)
		}
	}
	order := []string{"Hostname", "InternalIP", "ExternalIP"}
	slices.SortFunc(addresses, func(a, b v1beta1.MachineAddress) int {
		if n := slices.Index(order, a.Type) - slices.Index(order, b.Type); n != 0 {
			return n
		}
		return strings.Compare(a.Address, b.Address)
	})
	return addresses
}

// pendingDeletion is the failure of a server that the cloud still deletes.
func pendingDeletion(name string) *failure.Failure {
	return failure.InProgress("server "+name, "being deleted")
}
