package cloud

import "context"

// LoadBalancerSpec is the load balancer of the API server.
type LoadBalancerSpec struct {
	Subnet       Subnet
	Address      string // in the subnet; empty means any
	Provider     string // of Octavia; empty means the default
	AllowedCIDRs []string
	Port         int
	FloatingIP   *FloatingIPSpec // nil means none
}

// LoadBalancer is a load balancer that is ready.
type LoadBalancer struct {
	ID, Name   string
	InternalIP string
	IP         string // the floating IP, if it has one
	Degraded   string // why not all of it works, for users; empty if it does
}

// EnsureLoadBalancer creates the load balancer with its listener, pool and monitor, and then its
// floating IP. While one of them is in progress, the error is a failure.
func (c *Cloud) EnsureLoadBalancer(ctx context.Context, o Owner, spec LoadBalancerSpec) (LoadBalancer, error) {
	return LoadBalancer{}, errMissing
}

// FindLoadBalancer returns the load balancer and its floating IP, and changes nothing. A missing load
// balancer is a failure DependencyNotFound.
func (c *Cloud) FindLoadBalancer(ctx context.Context, o Owner) (LoadBalancer, error) {
	return LoadBalancer{}, errMissing
}

// EnsureMember adds a machine to the load balancer of its cluster, with its address.
func (c *Cloud) EnsureMember(ctx context.Context, o Owner, machine, address string) error {
	return errMissing
}

// RemoveMember removes a machine from the load balancer of its cluster. It returns nil if the machine
// is not a member.
func (c *Cloud) RemoveMember(ctx context.Context, o Owner, machine string) error { return errMissing }

// FloatingIPSpec is the floating IP of the API server.
type FloatingIPSpec struct {
	Address  string // empty means any
	External Ref    // the network that it is in
}

// FloatingIP is an address in the external network.
type FloatingIP struct{ ID, Address string }

// EnsureFloatingIP creates the floating IP of an API server without a load balancer, or finds the
// address that the spec names.
func (c *Cloud) EnsureFloatingIP(ctx context.Context, o Owner, spec FloatingIPSpec) (FloatingIP, error) {
	return FloatingIP{}, errMissing
}

// FindFloatingIP returns the floating IP, and changes nothing. A missing one is a failure
// DependencyNotFound.
func (c *Cloud) FindFloatingIP(ctx context.Context, o Owner, spec FloatingIPSpec) (FloatingIP, error) {
	return FloatingIP{}, errMissing
}

// AttachFloatingIP gives the floating IP of EnsureFloatingIP to a machine, unless a machine has it. It
// is for control planes without a load balancer.
func (c *Cloud) AttachFloatingIP(ctx context.Context, o Owner, machine string, spec FloatingIPSpec) error {
	return errMissing
}
