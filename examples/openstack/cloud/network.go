package cloud

import "context"

// A Filter selects one existing resource, by its ID or by the other fields. Each field that is set must
// match.
type Filter struct {
	ID, Name string
	Tags     []string // not of subnets, flavors and server groups
	CIDR     string   // of subnets
}

// A Ref is a resource that exists.
type Ref struct{ ID, Name string }

// Network is a network with the subnet for machines.
type Network struct {
	ID, Name string
	Subnet   Subnet
}

// Subnet is a subnet of a network.
type Subnet struct{ ID, Name, CIDR string }

// NetworkSpec is the network of a cluster: a managed one or an existing one.
type NetworkSpec struct {
	Managed *ManagedSubnet // the subnet to create, in a network to create
	Network *Filter        // otherwise an existing network
	Subnet  *Filter        // of Network; nil means its only subnet
}

// ManagedSubnet is a subnet to create.
type ManagedSubnet struct {
	CIDR           string
	DNSNameservers []string
	Pools          []AddressPool // empty means all addresses
}

// AddressPool is a range of addresses, with both ends.
type AddressPool struct{ Start, End string }

// EnsureNetwork creates the network and the subnet of a cluster, or finds the existing ones.
func (c *Cloud) EnsureNetwork(ctx context.Context, o Owner, spec NetworkSpec) (Network, error) {
	return Network{}, errMissing
}

// FindNetwork returns what EnsureNetwork returns, and creates nothing. A missing network is a failure
// DependencyNotFound.
func (c *Cloud) FindNetwork(ctx context.Context, o Owner, spec NetworkSpec) (Network, error) {
	return Network{}, errMissing
}

// ExternalNetwork finds the external network. Without a filter it is the only external network of the
// cloud. It is nil if there is no filter and no external network.
func (c *Cloud) ExternalNetwork(ctx context.Context, f *Filter) (*Ref, error) { return nil, errMissing }

// RouterSpec is the router of a managed network.
type RouterSpec struct {
	Router   *Filter // an existing router; nil means one to create
	External *Ref    // the network of the gateway of a router to create; nil means no gateway
	Network  Network // with the subnet that the router needs an interface in
}

// EnsureRouter creates the router with its gateway, or finds the existing one, and gives it an
// interface in the subnet.
func (c *Cloud) EnsureRouter(ctx context.Context, o Owner, spec RouterSpec) (Ref, error) {
	return Ref{}, errMissing
}

// FindRouter returns the router, and changes nothing. A missing router is a failure DependencyNotFound.
func (c *Cloud) FindRouter(ctx context.Context, o Owner, spec RouterSpec) (Ref, error) {
	return Ref{}, errMissing
}

// SecurityGroupsSpec are the security groups of control planes and of workers.
type SecurityGroupsSpec struct {
	AllowAllInClusterTraffic bool
	APIPort                  int // of the API server
}

// EnsureSecurityGroups creates both groups, and the rules that they do not have. Rules that it did not
// create stay.
func (c *Cloud) EnsureSecurityGroups(ctx context.Context, o Owner, spec SecurityGroupsSpec) (controlPlane, worker Ref, err error) {
	return Ref{}, Ref{}, errMissing
}

// FindSecurityGroups returns both groups, and changes nothing. A missing group is a failure
// DependencyNotFound.
func (c *Cloud) FindSecurityGroups(ctx context.Context, o Owner) (controlPlane, worker Ref, err error) {
	return Ref{}, Ref{}, errMissing
}
