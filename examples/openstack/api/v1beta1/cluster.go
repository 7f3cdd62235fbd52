package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// OpenStackCluster is the infrastructure that the machines of a Cluster share: a network, a router,
// security groups, and the address of the API server.
//
// +kubebuilder:object:root=true
type OpenStackCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   OpenStackClusterSpec   `json:"spec,omitempty,omitzero"`
	Status OpenStackClusterStatus `json:"status,omitempty,omitzero"`
}

// OpenStackClusterSpec is the requested infrastructure. Until the cluster is provisioned, all fields
// may change, so that a user can correct them. After that, only IdentityRef,
// APIServer.ManagedLoadBalancer.AllowedCIDRs, ManagedSecurityGroups, ControlPlaneAvailabilityZones
// and Tags may change.
type OpenStackClusterSpec struct {
	IdentityRef IdentityReference `json:"identityRef,omitempty,omitzero"`

	// ManagedSubnets are the subnets to create, at most one, in a network to create. Without it,
	// Network and Subnets name what exists.
	ManagedSubnets []ManagedSubnet `json:"managedSubnets,omitempty"`
	// Network is an existing network.
	Network *Reference `json:"network,omitempty"`
	// Subnets are existing subnets of Network, at most one. Without it, the network has one subnet.
	Subnets []SubnetReference `json:"subnets,omitempty"`
	// Router is an existing router for the managed subnet. Without it, the provider creates one.
	Router *Reference `json:"router,omitempty"`
	// ExternalNetwork has the floating IPs and the gateway of the router. Without it, the cloud has
	// exactly one external network.
	ExternalNetwork *Reference `json:"externalNetwork,omitempty"`
	// DisableExternalNetwork means no gateway and no floating IPs.
	DisableExternalNetwork bool `json:"disableExternalNetwork,omitempty"`
	// ManagedSecurityGroups are security groups to create for all machines. Without it, machines have
	// the groups of their specs, or else the default group of the project.
	ManagedSecurityGroups *ManagedSecurityGroups `json:"managedSecurityGroups,omitempty"`

	APIServer APIServer `json:"apiServer,omitempty,omitzero"`
	// ControlPlaneEndpoint is the address of the API server. A user may set an address of their
	// own; then the provider creates none. A complete endpoint does not change.
	ControlPlaneEndpoint APIEndpoint `json:"controlPlaneEndpoint,omitempty,omitzero"`
	// ControlPlaneAvailabilityZones are the zones of compute for control planes. Without it, all
	// zones are for control planes.
	ControlPlaneAvailabilityZones []string `json:"controlPlaneAvailabilityZones,omitempty"`
	// Tags are set on all resources of the cluster in the cloud when they are created. A tag that is
	// added later is set on security groups, the floating IP, servers, and later resources. A tag
	// that is removed here stays on all resources: nothing shows who has set it.
	Tags []string `json:"tags,omitempty"`
}

// ManagedSubnet is a subnet to create.
type ManagedSubnet struct {
	CIDR           string   `json:"cidr"`
	DNSNameservers []string `json:"dnsNameservers,omitempty"`
	// AllocationPools are the ranges from which machines get addresses. Without it, all addresses.
	AllocationPools []AllocationPool `json:"allocationPools,omitempty"`
}

// AllocationPool is a range of addresses, with both ends.
type AllocationPool struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// ManagedSecurityGroups are security groups that the provider creates.
type ManagedSecurityGroups struct {
	// AllowAllInClusterTraffic allows all traffic between machines. Without it, the ports of
	// Kubernetes and of the usual pod networks are allowed.
	AllowAllInClusterTraffic bool `json:"allowAllInClusterTraffic,omitempty"`
}

// APIServer is how clients reach the API server.
type APIServer struct {
	ManagedLoadBalancer *ManagedLoadBalancer `json:"managedLoadBalancer,omitempty"`
	// EnableFloatingIP gives the API server an address in the external network. The default is true.
	EnableFloatingIP *bool `json:"enableFloatingIP,omitempty"`
	// FloatingIP is the address to use. If the project does not have it, the provider creates it.
	FloatingIP string `json:"floatingIP,omitempty"`
	// FixedIP is the address of the load balancer in the subnet. Without a load balancer and a
	// floating IP, it is the address of the API server, which other software provides.
	FixedIP string `json:"fixedIP,omitempty"`
	// Port of the API server. The default is 6443.
	Port int32 `json:"port,omitempty"`
}

// ManagedLoadBalancer is a load balancer of Octavia that the provider creates.
type ManagedLoadBalancer struct {
	// Enabled is true by default.
	Enabled *bool `json:"enabled,omitempty"`
	// Provider of Octavia, such as ovn. Without it, the cloud chooses.
	Provider string `json:"provider,omitempty"`
	// AllowedCIDRs may connect. Without it, all addresses may.
	AllowedCIDRs []string `json:"allowedCIDRs,omitempty"`
}

// LoadBalancerEnabled reports whether the provider creates a load balancer.
func (a APIServer) LoadBalancerEnabled() bool {
	return a.ManagedLoadBalancer == nil || a.ManagedLoadBalancer.Enabled == nil || *a.ManagedLoadBalancer.Enabled
}

// FloatingIPEnabled reports whether the API server has an address in the external network.
func (a APIServer) FloatingIPEnabled() bool { return a.EnableFloatingIP == nil || *a.EnableFloatingIP }

// PortNumber returns the port of the API server.
func (a APIServer) PortNumber() int32 {
	if a.Port == 0 {
		return 6443
	}
	return a.Port
}

// APIEndpoint is a host and a port, both or none.
type APIEndpoint struct {
	Host string `json:"host,omitempty"`
	Port int32  `json:"port,omitempty"`
}

// Complete reports whether both host and port are set.
func (e APIEndpoint) Complete() bool { return e.Host != "" && e.Port != 0 }

// OpenStackClusterStatus is the observed state of the infrastructure.
type OpenStackClusterStatus struct {
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	Initialization     Initialization     `json:"initialization,omitempty,omitzero"`
	FailureDomains     []FailureDomain    `json:"failureDomains,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`

	// ProjectID is the project of the credentials. In another project, all resources seem missing.
	ProjectID                 string              `json:"projectID,omitempty"`
	Network                   *NetworkStatus      `json:"network,omitempty"`
	ExternalNetwork           *Resource           `json:"externalNetwork,omitempty"`
	Router                    *Resource           `json:"router,omitempty"`
	LoadBalancer              *LoadBalancerStatus `json:"loadBalancer,omitempty"`
	ControlPlaneSecurityGroup *Resource           `json:"controlPlaneSecurityGroup,omitempty"`
	WorkerSecurityGroup       *Resource           `json:"workerSecurityGroup,omitempty"`

	// ReplacedLoadBalancers are the IDs of load balancers that were ERROR before the cluster was
	// provisioned, at most three. The provider deletes each of them, and creates another one. The
	// list becomes empty when a load balancer is ready.
	ReplacedLoadBalancers []string `json:"replacedLoadBalancers,omitempty"`
}

// NetworkStatus is the network of the cluster.
type NetworkStatus struct {
	ID      string         `json:"id"`
	Name    string         `json:"name,omitempty"`
	Subnets []SubnetStatus `json:"subnets,omitempty"`
}

// SubnetStatus is a subnet of the cluster.
type SubnetStatus struct {
	ID   string `json:"id"`
	CIDR string `json:"cidr,omitempty"`
}

// LoadBalancerStatus is the load balancer of the API server.
type LoadBalancerStatus struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	// InternalIP is the address in the subnet.
	InternalIP string `json:"internalIP,omitempty"`
	// IP is the floating IP.
	IP string `json:"ip,omitempty"`
}

// FailureDomain is a zone of the cloud in which machines can be.
type FailureDomain struct {
	Name         string            `json:"name"`
	ControlPlane *bool             `json:"controlPlane,omitempty"`
	Attributes   map[string]string `json:"attributes,omitempty"`
}

// OpenStackClusterList is a list of OpenStackClusters.
//
// +kubebuilder:object:root=true
type OpenStackClusterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OpenStackCluster `json:"items"`
}

// OpenStackClusterTemplate is the template from which a ClusterClass creates OpenStackClusters.
//
// +kubebuilder:object:root=true
type OpenStackClusterTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OpenStackClusterTemplateSpec `json:"spec,omitempty,omitzero"`
}

// OpenStackClusterTemplateSpec holds the template.
type OpenStackClusterTemplateSpec struct {
	Template OpenStackClusterTemplateResource `json:"template"`
}

// OpenStackClusterTemplateResource is an OpenStackCluster to create.
type OpenStackClusterTemplateResource struct {
	Metadata TemplateMeta         `json:"metadata,omitempty,omitzero"`
	Spec     OpenStackClusterSpec `json:"spec,omitempty,omitzero"`
}

// OpenStackClusterTemplateList is a list of OpenStackClusterTemplates.
//
// +kubebuilder:object:root=true
type OpenStackClusterTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OpenStackClusterTemplate `json:"items"`
}

// GetConditions lets the conditions kit read the conditions.
func (c *OpenStackCluster) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions lets the conditions kit write the conditions.
func (c *OpenStackCluster) SetConditions(list []metav1.Condition) { c.Status.Conditions = list }
