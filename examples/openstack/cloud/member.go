package cloud

import (
	"context"
	"slices"

	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/listeners"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/pools"

	"kstatus.dev/clusterapi/openstack/classify"
)

// A balancedPool is the pool of the API server with its load balancer.
type balancedPool struct {
	lb       *loadbalancers.LoadBalancer
	listener *listeners.Listener
	pool     *pools.Pool
}

// EnsureMember adds a machine to the load balancer of its cluster, with its address.
func (c *Cloud) EnsureMember(ctx context.Context, o Owner, machine, address string) error {
	b, err := c.balancedPool(ctx, o)
	if err != nil {
		return err
	}
	if b.pool == nil {
		return classify.NotFound("pool", "of load balancer "+o.name(apiName))
	}
	m, err := c.member(ctx, o, b.pool, machine)
	if err != nil {
		return err
	}
	if m != nil && m.Address == address && m.ProtocolPort == b.listener.ProtocolPort {
		if f := classify.Member(m); f != nil {
			return f
		}
		return nil
	}
	if f := classify.LoadBalancer(b.lb); f != nil {
		return f
	}
	if m != nil { // its address cannot change
		if err := c.deleteMember(ctx, b.pool, m); err != nil {
			return err
		}
		if err := c.settled(ctx, b.lb.ID); err != nil {
			return err
		}
	}
	opts := pools.CreateMemberOpts{Name: o.ServerName(machine), Address: address, ProtocolPort: b.listener.ProtocolPort, SubnetID: b.lb.VipSubnetID}
	if _, err := pools.CreateMember(ctx, c.balancing.Client, b.pool.ID, opts).Extract(); err != nil {
		return c.balancing.Explain(err, "create the member %s", opts.Name)
	}
	return c.settled(ctx, b.lb.ID)
}

// RemoveMember removes a machine from the load balancer of its cluster. It returns nil if the machine
// is not a member, or the cloud has no load balancers.
func (c *Cloud) RemoveMember(ctx context.Context, o Owner, machine string) error {
	if c.balancing.Missing() != nil {
		return nil
	}
	b, err := c.balancedPool(ctx, o)
	if err != nil || b.pool == nil {
		return ignoreNotFound(err)
	}
	m, err := c.member(ctx, o, b.pool, machine)
	if err != nil || m == nil {
		return err
	}
	return c.deleteMember(ctx, b.pool, m)
}

// deleteMember deletes a member. It returns nil for one that does not exist.
func (c *Cloud) deleteMember(ctx context.Context, p *pools.Pool, m *pools.Member) error {
	if err := pools.DeleteMember(ctx, c.balancing.Client, p.ID, m.ID).ExtractErr(); err != nil && !classify.IsNotFound(err) {
		return c.balancing.Explain(err, "delete the member %s", m.Name)
	}
	return nil
}

// balancedPool returns the pool of the API server. The pool is nil if it does not exist. A missing load
// balancer is a failure DependencyNotFound.
func (c *Cloud) balancedPool(ctx context.Context, o Owner) (b balancedPool, err error) {
	own, err := c.loadBalancers(ctx, o)
	if err != nil {
		return b, err
	}
	if b.lb = first(own); b.lb == nil {
		return b, classify.NotFound("load balancer", o.name(apiName))
	}
	if b.listener, err = c.listener(ctx, o, b.lb); err != nil || b.listener == nil {
		return b, err
	}
	b.pool, err = c.pool(ctx, b.lb, b.listener)
	return b, err
}

// member returns the member of a machine, or nil.
func (c *Cloud) member(ctx context.Context, o Owner, p *pools.Pool, machine string) (*pools.Member, error) {
	name := o.ServerName(machine)
	list, err := all(ctx, pools.ListMembers(c.balancing.Client, p.ID, pools.ListMembersOpts{Name: name}), pools.ExtractMembers)
	if err != nil {
		return nil, c.balancing.Explain(err, "find the member %s", name)
	}
	list = slices.DeleteFunc(list, func(m pools.Member) bool { return m.Name != name })
	return atMostOne("member", name, list)
}
