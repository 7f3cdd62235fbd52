package calls

import (
	"context"
	"fmt"

	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/listeners"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/monitors"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/pools"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
)

func createBalancer(name string, change func(*Run, *loadbalancers.CreateOpts)) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		o := loadbalancers.CreateOpts{Name: "l", Description: "a balancer", VipSubnetID: r.ids["subnet"], Tags: []string{"a"}}
		change(r, &o)
		l, err := loadbalancers.Create(ctx, r.Balancer, o).Extract()
		if err != nil {
			return "", err
		}
		r.ids[name], r.ids[name+" port"] = l.ID, l.VipPortID
		return fmt.Sprint(l.Name, " ", l.ProvisioningStatus, " ", l.OperatingStatus, " ", l.VipAddress[:5], " ", l.Tags, l.Provider), nil
	}
}

func balancer(name, status string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		return until(ctx, status, func() (string, error) {
			l, err := loadbalancers.Get(ctx, r.Balancer, r.ids[name]).Extract()
			if err != nil {
				return "", err
			}
			return l.ProvisioningStatus, nil
		})
	}
}

func createListener(balancer func(*Run) string, port int) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		l, err := listeners.Create(ctx, r.Balancer, listeners.CreateOpts{Name: "li", LoadbalancerID: balancer(r), Protocol: "TCP", ProtocolPort: port, AllowedCIDRs: []string{"10.0.0.0/8"}, Tags: []string{"a"}}).Extract()
		if err != nil {
			return "", err
		}
		r.ids["listener"] = l.ID
		return fmt.Sprint(l.Name, " ", l.ProvisioningStatus, " ", l.ProtocolPort, l.AllowedCIDRs, l.Tags), nil
	}
}

func createPool(ctx context.Context, r *Run) (string, error) {
	p, err := pools.Create(ctx, r.Balancer, pools.CreateOpts{Name: "p", ListenerID: r.ids["listener"], Protocol: "TCP", LBMethod: pools.LBMethodRoundRobin}).Extract()
	if err != nil {
		return "", err
	}
	r.ids["pool"] = p.ID
	return fmt.Sprint(p.Name, " ", p.ProvisioningStatus, " ", p.LBMethod, len(p.Members)), nil
}

func createMember(ctx context.Context, r *Run) (string, error) {
	m, err := pools.CreateMember(ctx, r.Balancer, r.ids["pool"], pools.CreateMemberOpts{Name: "m", Address: "10.6.0.10", ProtocolPort: 6443, SubnetID: r.ids["subnet"]}).Extract()
	if err != nil {
		return "", err
	}
	r.ids["member"] = m.ID
	return fmt.Sprint(m.Name, " ", m.ProvisioningStatus, " ", m.OperatingStatus, " ", m.Address, " ", m.Weight), nil
}

func createMonitor(ctx context.Context, r *Run) (string, error) {
	m, err := monitors.Create(ctx, r.Balancer, monitors.CreateOpts{Name: "h", PoolID: r.ids["pool"], Type: "TCP", Delay: 5, Timeout: 3, MaxRetries: 3}).Extract()
	if err != nil {
		return "", err
	}
	r.ids["monitor"] = m.ID
	return fmt.Sprint(m.Name, " ", m.ProvisioningStatus, " ", m.Type, " ", m.MaxRetries, m.MaxRetriesDown), nil
}

func deleteMember(ctx context.Context, r *Run) (string, error) {
	return "deleted", pools.DeleteMember(ctx, r.Balancer, r.ids["pool"], r.ids["member"]).ExtractErr()
}

func deleteBalancer(cascade bool) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		return "deleted", loadbalancers.Delete(ctx, r.Balancer, r.ids["balancer"], loadbalancers.DeleteOpts{Cascade: cascade}).ExtractErr()
	}
}

func same(*Run, *loadbalancers.CreateOpts) {}

func theBalancer(r *Run) string { return r.ids["balancer"] }

// settled waits until the load balancer takes the next change.
var settled = Call{"the load balancer settles", balancer("balancer", "ACTIVE"), "ACTIVE"}

var balancerCalls = []Call{
	{"a load balancer on an unknown subnet", createBalancer("x", func(_ *Run, o *loadbalancers.CreateOpts) { o.VipSubnetID = unknown }), `400 "Subnet ID not found."`},
	{"a load balancer without a subnet", createBalancer("x", func(_ *Run, o *loadbalancers.CreateOpts) { o.VipSubnetID = "" }), `400 "Validation failure: VIP must contain one of: vip_port_id, vip_network_id, vip_subnet_id."`},
	{"a load balancer of an unknown provider", createBalancer("x", func(_ *Run, o *loadbalancers.CreateOpts) { o.Provider = "nope" }), `400 "Provider 'nope' is not enabled."`},
	{"a load balancer", createBalancer("balancer", same), "l PENDING_CREATE OFFLINE 10.6. [a]amphora"},
	{"a listener while the load balancer is pending", createListener(theBalancer, 6443), `409 "Load Balancer ID is immutable and cannot be updated."`},
	{"a deletion while the load balancer is pending", deleteBalancer(true), `409 "Invalid state PENDING_CREATE of loadbalancer resource ID"`},
	settled,
	{"its port", func(ctx context.Context, r *Run) (string, error) {
		p, err := ports.Get(ctx, r.Network, r.ids["balancer port"]).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(p.Name, " ", p.DeviceOwner, " ", p.DeviceID == "lb-"+r.ids["balancer"]), nil
	}, "octavia-lb-ID Octavia true"},
	{"load balancers by name and tag", func(ctx context.Context, r *Run) (string, error) {
		pages, err := loadbalancers.List(r.Balancer, loadbalancers.ListOpts{Name: "l", Tags: []string{"a"}}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := loadbalancers.ExtractLoadBalancers(pages)
		return fmt.Sprint(len(found)), err
	}, "1"},
	{"load balancers by an unknown field", func(ctx context.Context, r *Run) (string, error) {
		_, err := r.Balancer.Get(ctx, r.Balancer.ServiceURL("lbaas", "loadbalancers")+"?bogus=1", nil, nil)
		return "", err
	}, `400 "One or more arguments are either duplicate or invalid"`},
	{"an unknown load balancer", func(ctx context.Context, r *Run) (string, error) {
		_, err := loadbalancers.Get(ctx, r.Balancer, unknown).Extract()
		return "", err
	}, `404 "Load Balancer ID not found."`},
	{"a listener of an unknown load balancer", createListener(nowhere, 6443), `404 "Load Balancer ID not found."`},
	{"a listener", createListener(theBalancer, 6443), "li PENDING_CREATE 6443 [10.0.0.0/8] [a]"},
	settled,
	{"a listener on the same port", createListener(theBalancer, 6443), `409 "Another Listener on this Load Balancer is already using protocol TCP and protocol_port 6443"`},
	{"a pool", createPool, "p PENDING_CREATE ROUND_ROBIN0"},
	settled,
	{"a second pool of the listener", createPool, `409 "This listener already has a default pool"`},
	{"a member", createMember, "m PENDING_CREATE NO_MONITOR 10.6.0.10 1"},
	settled,
	{"the same member", createMember, `409 "Another member on this pool is already using ip 10.6.0.10 on protocol_port 6443"`},
	{"members by address", func(ctx context.Context, r *Run) (string, error) {
		pages, err := pools.ListMembers(r.Balancer, r.ids["pool"], pools.ListMembersOpts{Address: "10.6.0.10"}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := one(pools.ExtractMembers(pages))
		return fmt.Sprint(found.ProvisioningStatus), err
	}, "ACTIVE"},
	{"a monitor", createMonitor, "h PENDING_CREATE TCP 3 3"},
	settled,
	{"a second monitor", createMonitor, `409 "This pool already has a health monitor"`},
	{"pools by name and load balancer", func(ctx context.Context, r *Run) (string, error) {
		pages, err := pools.List(r.Balancer, pools.ListOpts{Name: "p", LoadbalancerID: r.ids["balancer"]}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := one(pools.ExtractPools(pages))
		return fmt.Sprint(found.MonitorID, " ", len(found.Members)), err
	}, "ID 1"},
	{"listeners by name and load balancer", func(ctx context.Context, r *Run) (string, error) {
		pages, err := listeners.List(r.Balancer, listeners.ListOpts{Name: "li", LoadbalancerID: r.ids["balancer"]}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := one(listeners.ExtractListeners(pages))
		return fmt.Sprint(found.DefaultPoolID, " ", found.ProvisioningStatus), err
	}, "ID ACTIVE"},
	{"the monitor", func(ctx context.Context, r *Run) (string, error) {
		m, err := monitors.Get(ctx, r.Balancer, r.ids["monitor"]).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(m.ProvisioningStatus, " ", len(m.Pools)), nil
	}, "ACTIVE 1"},
	{"allowed addresses change", func(ctx context.Context, r *Run) (string, error) {
		l, err := listeners.Update(ctx, r.Balancer, r.ids["listener"], listeners.UpdateOpts{AllowedCIDRs: &[]string{"192.0.2.0/24"}}).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(l.AllowedCIDRs), nil
	}, "[192.0.2.0/24]"},
	settled,
	{"the member goes", deleteMember, "deleted"},
	settled,
	{"the member has gone", deleteMember, `404 "Member ID not found."`},
	{"a load balancer with children", deleteBalancer(false), `400 "Validation failure: Cannot delete Load Balancer ID - it has children"`},
	{"the load balancer goes", deleteBalancer(true), "deleted"},
	{"the load balancer has gone", balancer("balancer", "gone"), "gone"},
	{"it cannot go twice", deleteBalancer(true), `404 "Load Balancer ID not found."`},
	{"its port has gone too", func(ctx context.Context, r *Run) (string, error) {
		_, err := ports.Get(ctx, r.Network, r.ids["balancer port"]).Extract()
		return "", err
	}, "404 PortNotFound: Port ID could not be found."},
	{"its listener has gone too", func(ctx context.Context, r *Run) (string, error) {
		_, err := listeners.Get(ctx, r.Balancer, r.ids["listener"]).Extract()
		return "", err
	}, `404 "Listener ID not found."`},
	{"its pool has gone too", func(ctx context.Context, r *Run) (string, error) {
		_, err := pools.Get(ctx, r.Balancer, r.ids["pool"]).Extract()
		return "", err
	}, `404 "Pool ID not found."`},
}
