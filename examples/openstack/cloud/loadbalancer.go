package cloud

import (
	"context"
	"slices"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/listeners"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/monitors"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/pools"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"

	"kstatus.dev/clusterapi/openstack/classify"
)

// LoadBalancerSpec is the load balancer of the API server.
type LoadBalancerSpec struct {
	Network      Network
	Address      string   // in the subnet; empty means any
	Provider     string   // of Octavia; empty means the default
	AllowedCIDRs []string // empty means all; machines of the cluster are always allowed
	Port         int
	FloatingIP   *FloatingIPSpec // nil means none
	Replace      []string        // IDs: if one of them is ERROR, EnsureLoadBalancer deletes it
}

// LoadBalancer is a load balancer that is ready, or has failed.
type LoadBalancer struct {
	ID, Name   string
	Created    bool // by EnsureLoadBalancer; otherwise a user has given it the tag of the owner
	InternalIP string
	IP         string // the floating IP, if it has one
	Degraded   string // why not all of it works, for users; empty if it does
}

// apiName is the end of the name of the load balancer and of its parts.
const apiName = "api"

// EnsureLoadBalancer creates the load balancer with its listener, pool and monitor, and then its
// floating IP. While one of them is in progress, the error is a failure. With a failure
// LoadBalancerError, the result has the load balancer that has failed.
func (c *Cloud) EnsureLoadBalancer(ctx context.Context, o Owner, spec LoadBalancerSpec) (LoadBalancer, error) {
	own, err := c.loadBalancers(ctx, o)
	if err != nil {
		return LoadBalancer{}, err
	}
	lb := first(own)
	if err := c.deleteSurplus(ctx, own); err != nil {
		return LoadBalancer{}, err
	}
	if lb == nil {
		opts := loadbalancers.CreateOpts{
			Name: o.name(apiName), Description: o.Tag(), Tags: o.tags(),
			VipSubnetID: spec.Network.Subnet.ID, VipAddress: spec.Address, Provider: spec.Provider,
		}
		if lb, err = loadbalancers.Create(ctx, c.balancing.Client, opts).Extract(); err != nil {
			return LoadBalancer{}, c.balancing.Explain(err, "create the load balancer %s", o.name(apiName))
		}
	}
	result := LoadBalancer{ID: lb.ID, Name: lb.Name, Created: lb.Description == o.Tag(), InternalIP: lb.VipAddress, Degraded: classify.Degraded(lb)}
	if result.Created && slices.Contains(spec.Replace, lb.ID) && lb.ProvisioningStatus == "ERROR" {
		if err := c.removeLoadBalancer(ctx, lb); err != nil {
			return LoadBalancer{}, err
		}
		lb.ProvisioningStatus = "PENDING_DELETE"
	}
	if f := classify.LoadBalancer(lb); f != nil {
		return result, f
	}
	l, err := c.ensureListener(ctx, o, lb, spec)
	if err != nil {
		return LoadBalancer{}, err
	}
	if err := c.ensurePool(ctx, o, lb, l, spec.Provider); err != nil {
		return LoadBalancer{}, err
	}
	if spec.FloatingIP == nil {
		return result, nil
	}
	f, err := c.ensureFloatingIP(ctx, o, *spec.FloatingIP)
	if err != nil {
		return LoadBalancer{}, err
	}
	result.IP = f.FloatingIP
	return result, c.associate(ctx, f, lb.VipPortID)
}

// FindLoadBalancer returns the load balancer and its floating IP, and changes nothing. A missing load
// balancer is a failure DependencyNotFound.
func (c *Cloud) FindLoadBalancer(ctx context.Context, o Owner) (LoadBalancer, error) {
	own, err := c.loadBalancers(ctx, o)
	if err != nil {
		return LoadBalancer{}, err
	}
	lb := first(own)
	if lb == nil {
		return LoadBalancer{}, classify.NotFound("load balancer", o.name(apiName))
	}
	if f := classify.LoadBalancer(lb); f != nil {
		return LoadBalancer{}, f
	}
	result := LoadBalancer{ID: lb.ID, Name: lb.Name, InternalIP: lb.VipAddress, Degraded: classify.Degraded(lb)}
	f, err := c.floatingIPOf(ctx, lb.VipPortID)
	if err != nil {
		return LoadBalancer{}, err
	}
	if f != nil {
		result.IP = f.FloatingIP
	}
	return result, nil
}

// deleteSurplus deletes all load balancers but the first one. Octavia deletes one in use too, so it
// must be the first one. While one is immutable, the failure is that of a load balancer in progress.
func (c *Cloud) deleteSurplus(ctx context.Context, own []loadbalancers.LoadBalancer) error {
	for i := 1; i < len(own); i++ {
		lb := &own[i]
		if f := classify.LoadBalancer(lb); f != nil && lb.ProvisioningStatus != "ERROR" {
			return f
		}
		if err := c.removeLoadBalancer(ctx, lb); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cloud) removeLoadBalancer(ctx context.Context, lb *loadbalancers.LoadBalancer) error {
	err := loadbalancers.Delete(ctx, c.balancing.Client, lb.ID, loadbalancers.DeleteOpts{Cascade: true}).ExtractErr()
	if classify.IsNotFound(err) {
		return nil
	}
	return c.balancing.Explain(err, "delete the load balancer %s", lb.Name)
}

// loadBalancers returns the load balancers that the owner has: one, or none.
func (c *Cloud) loadBalancers(ctx context.Context, o Owner) ([]loadbalancers.LoadBalancer, error) {
	if err := c.balancing.Missing(); err != nil {
		return nil, err
	}
	name := o.name(apiName)
	opts := loadbalancers.ListOpts{Name: name, ProjectID: c.project}
	list, err := all(ctx, loadbalancers.List(c.balancing.Client, opts), loadbalancers.ExtractLoadBalancers)
	if err != nil {
		return nil, c.balancing.Explain(err, "find the load balancer %s", name)
	}
	list = slices.DeleteFunc(list, func(lb loadbalancers.LoadBalancer) bool {
		return lb.Name != name || !o.owns(lb.Description, lb.Tags) || lb.ProvisioningStatus == "DELETED"
	})
	return inOrder(list, func(lb *loadbalancers.LoadBalancer) (bool, time.Time, string) {
		return len(lb.Listeners) > 0, lb.CreatedAt, lb.ID
	}), nil
}

// settled returns nil if a load balancer accepts another change, and otherwise a failure. Each change of
// a part makes the whole load balancer immutable for some time.
func (c *Cloud) settled(ctx context.Context, id string) error {
	lb, err := loadbalancers.Get(ctx, c.balancing.Client, id).Extract()
	if err != nil {
		return c.balancing.Explain(err, "read the load balancer %s", id)
	}
	if f := classify.LoadBalancer(lb); f != nil {
		return f
	}
	return nil
}

// ensureListener creates the listener, or changes who may connect. It replaces a listener on another
// port, which an earlier spec requested.
func (c *Cloud) ensureListener(ctx context.Context, o Owner, lb *loadbalancers.LoadBalancer, spec LoadBalancerSpec) (*listeners.Listener, error) {
	allowed, err := c.allowedCIDRs(ctx, spec)
	if err != nil {
		return nil, err
	}
	l, err := c.listener(ctx, o, lb)
	if err != nil {
		return nil, err
	}
	if l != nil && l.ProtocolPort != spec.Port {
		if err := c.deleteListener(ctx, lb, l); err != nil {
			return nil, err
		}
		l = nil
	}
	switch {
	case l == nil:
		opts := listeners.CreateOpts{
			LoadbalancerID: lb.ID, Name: o.name(apiName), Protocol: listeners.ProtocolTCP, ProtocolPort: spec.Port,
			AllowedCIDRs: allowed, Tags: o.tags(),
		}
		if l, err = listeners.Create(ctx, c.balancing.Client, opts).Extract(); err != nil {
			return nil, c.balancing.Explain(err, "create the listener %s", opts.Name)
		}
	case !sameSet(l.AllowedCIDRs, allowed):
		list := append([]string{}, allowed...)
		if _, err := listeners.Update(ctx, c.balancing.Client, l.ID, listeners.UpdateOpts{AllowedCIDRs: &list}).Extract(); err != nil {
			return nil, c.balancing.Explain(err, "change the allowed CIDRs of listener %s", l.Name)
		}
	default:
		return l, nil
	}
	return l, c.settled(ctx, lb.ID)
}

// deleteListener deletes a listener with its pool.
func (c *Cloud) deleteListener(ctx context.Context, lb *loadbalancers.LoadBalancer, l *listeners.Listener) error {
	p, err := c.pool(ctx, lb, l)
	if err != nil {
		return err
	}
	if p != nil {
		if err := pools.Delete(ctx, c.balancing.Client, p.ID).ExtractErr(); err != nil && !classify.IsNotFound(err) {
			return c.balancing.Explain(err, "delete the pool %s", p.Name)
		}
		if err := c.settled(ctx, lb.ID); err != nil {
			return err
		}
	}
	if err := listeners.Delete(ctx, c.balancing.Client, l.ID).ExtractErr(); err != nil && !classify.IsNotFound(err) {
		return c.balancing.Explain(err, "delete the listener %s", l.Name)
	}
	return c.settled(ctx, lb.ID)
}

// ensurePool creates the pool of a listener and its monitor.
func (c *Cloud) ensurePool(ctx context.Context, o Owner, lb *loadbalancers.LoadBalancer, l *listeners.Listener, provider string) error {
	p, err := c.pool(ctx, lb, l)
	if err != nil {
		return err
	}
	if p == nil {
		opts := pools.CreateOpts{ListenerID: l.ID, Name: o.name(apiName), Protocol: pools.ProtocolTCP, LBMethod: pools.LBMethodRoundRobin, Tags: o.tags()}
		if provider == "ovn" {
			opts.LBMethod = "SOURCE_IP_PORT" // the only one that this provider has
		}
		if p, err = pools.Create(ctx, c.balancing.Client, opts).Extract(); err != nil {
			return c.balancing.Explain(err, "create the pool %s", opts.Name)
		}
		if err := c.settled(ctx, lb.ID); err != nil {
			return err
		}
	}
	if p.MonitorID != "" {
		return nil
	}
	opts := monitors.CreateOpts{PoolID: p.ID, Name: o.name(apiName), Type: monitors.TypeTCP, Delay: 10, Timeout: 5, MaxRetries: 5, Tags: o.tags()}
	if _, err := monitors.Create(ctx, c.balancing.Client, opts).Extract(); err != nil {
		return c.balancing.Explain(err, "create the monitor %s", opts.Name)
	}
	return c.settled(ctx, lb.ID)
}

// listener returns the listener of the API server, or nil. Users may add others.
func (c *Cloud) listener(ctx context.Context, o Owner, lb *loadbalancers.LoadBalancer) (*listeners.Listener, error) {
	list, err := all(ctx, listeners.List(c.balancing.Client, listeners.ListOpts{LoadbalancerID: lb.ID}), listeners.ExtractListeners)
	if err != nil {
		return nil, c.balancing.Explain(err, "list the listeners of load balancer %s", lb.Name)
	}
	list = slices.DeleteFunc(list, func(l listeners.Listener) bool { return l.Name != o.name(apiName) })
	return atMostOne("listener", "load balancer "+lb.Name, list)
}

// pool returns the pool of a listener, or nil.
func (c *Cloud) pool(ctx context.Context, lb *loadbalancers.LoadBalancer, l *listeners.Listener) (*pools.Pool, error) {
	list, err := all(ctx, pools.List(c.balancing.Client, pools.ListOpts{LoadbalancerID: lb.ID}), pools.ExtractPools)
	if err != nil {
		return nil, c.balancing.Explain(err, "list the pools of load balancer %s", lb.Name)
	}
	list = slices.DeleteFunc(list, func(p pools.Pool) bool {
		return p.ID != l.DefaultPoolID && !slices.ContainsFunc(p.Listeners, func(of pools.ListenerID) bool { return of.ID == l.ID })
	})
	return atMostOne("pool", "load balancer "+lb.Name, list)
}

// allowedCIDRs adds the machines of the cluster to the CIDRs of the spec. They connect from their subnet,
// and to the floating IP from the external addresses of the routers.
func (c *Cloud) allowedCIDRs(ctx context.Context, spec LoadBalancerSpec) ([]string, error) {
	if len(spec.AllowedCIDRs) == 0 {
		return nil, nil
	}
	list := append(slices.Clone(spec.AllowedCIDRs), spec.Network.Subnet.CIDR)
	interfaces, err := c.interfaces(ctx, spec.Network.ID)
	if err != nil {
		return nil, err
	}
	for _, p := range interfaces {
		r, err := routers.Get(ctx, c.network.Client, p.DeviceID).Extract()
		if err != nil {
			return nil, c.network.Explain(err, "read the router %s", p.DeviceID)
		}
		for _, ip := range r.GatewayInfo.ExternalFixedIPs {
			list = append(list, single(ip.IPAddress))
		}
	}
	return unique(list), nil
}
