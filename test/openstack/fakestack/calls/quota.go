package calls

import (
	"context"
	"fmt"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/quotasets"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	lbquotas "github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/quotas"
	netquotas "github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/quotas"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
)

func pointer(n int) *int { return &n }

var quotaCalls = []Call{
	{"quotas of neutron", func(ctx context.Context, r *Run) (string, error) {
		q, err := netquotas.Update(ctx, r.Admin.Network, r.Project, netquotas.UpdateOpts{Network: pointer(0), Port: pointer(0), FloatingIP: pointer(0), Router: pointer(0)}).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(q.Network, q.Port, q.FloatingIP, q.Router, q.SecurityGroup, " ", q.SecurityGroupRule), nil
	}, "0 0 0 0 10 100"},
	{"too many networks", createNetwork("x"), "409 OverQuota: Quota exceeded for resources: ['network']."},
	{"too many ports", createPort("x", ports.CreateOpts{}), "409 OverQuota: Quota exceeded for resources: ['port']."},
	{"too many routers", createRouter("x", nothing), "409 OverQuota: Quota exceeded for resources: ['router']."},
	{"too many floating IPs", createFloating("x", outside, nothing), "409 OverQuota: Quota exceeded for resources: ['floatingip']."},
	{"a member cannot change quotas", func(ctx context.Context, r *Run) (string, error) {
		_, err := netquotas.Update(ctx, r.Network, r.Project, netquotas.UpdateOpts{Network: pointer(1)}).Extract()
		return "", err
	}, "403 PolicyNotAuthorized: rule:update_quota is disallowed by policy"},
	{"quotas of neutron again", func(ctx context.Context, r *Run) (string, error) {
		_, err := netquotas.Update(ctx, r.Admin.Network, r.Project, netquotas.UpdateOpts{Network: pointer(100), Port: pointer(500), FloatingIP: pointer(50), Router: pointer(10)}).Extract()
		return "", err
	}, ""},
	{"quotas of nova", func(ctx context.Context, r *Run) (string, error) {
		q, err := quotasets.Update(ctx, r.Admin.Compute, r.Project, quotasets.UpdateOpts{Instances: pointer(0)}).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(q.Instances, q.Cores, q.RAM), nil
	}, "0 20 51200"},
	{"too many servers", createServer("x", without), "403 forbidden: Quota exceeded for instances: Requested 1, but already used 0 of 0 instances"},
	{"quotas of nova again", func(ctx context.Context, r *Run) (string, error) {
		_, err := quotasets.Update(ctx, r.Admin.Compute, r.Project, quotasets.UpdateOpts{Instances: pointer(10), Cores: pointer(-1), RAM: pointer(-1)}).Extract()
		return "", err
	}, ""},
	{"a server that no host can hold", createServer("large", func(r *Run, o *servers.CreateOpts) { o.FlavorRef = r.Admin.TooLarge; without(r, o) }), "ID"},
	{"the server fails", server("large", "ERROR"), "ERROR"},
	{"why the server fails", func(ctx context.Context, r *Run) (string, error) {
		s, err := servers.Get(ctx, r.Compute, r.ids["large"]).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d %q", s.Fault.Code, s.Fault.Message), nil
	}, `500 "No valid host was found. "`},
	{"the failed server goes", deleteServer("large"), "deleted"},
	{"the failed server has gone", server("large", "gone"), "gone"},
	{"quotas of octavia", func(ctx context.Context, r *Run) (string, error) {
		q, err := lbquotas.Update(ctx, r.Admin.Balancer, r.Project, lbquotas.UpdateOpts{Loadbalancer: pointer(0)}).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(q.Loadbalancer, q.Pool), nil
	}, "0 -1"},
	{"too many load balancers", createBalancer("x", same), `403 "Quota has been met for resources: Load Balancer"`},
}

// endCalls remove what is left.
var endCalls = []Call{
	{"the second floating IP goes", remove("second floating", deleteFloating), "deleted"},
	{"the interface goes", disconnect, "removed"},
	{"the interface has gone", disconnect, "404 RouterInterfaceNotFoundForSubnet: Router ID has no interface on subnet ID"},
	{"the router goes", remove("router", deleteRouter), "deleted"},
	{"a network in use", remove("network", deleteNetwork), "409 NetworkInUse: Unable to complete operation on network ID. There are one or more ports still in use on the network, id for these ports is: ID."},
	{"the second port goes", remove("second port", deletePort), "deleted"},
	{"the subnet goes", remove("subnet", deleteSubnet), "deleted"},
	{"the network goes", remove("network", deleteNetwork), "deleted"},
	{"the security group goes", remove("group", deleteGroup), "deleted"},
	{"a security group that has gone", remove("group", deleteGroup), "404 SecurityGroupNotFound: Security group ID does not exist"},
	{"another project's network", func(ctx context.Context, r *Run) (string, error) {
		return "", deleteNetwork(ctx, r.Network, r.Admin.External)
	}, "403 PolicyNotAuthorized: rule:delete_network is disallowed by policy"},
}
