package calls

import (
	"context"
	"fmt"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/floatingips"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
)

func deleteRouter(ctx context.Context, c *gophercloud.ServiceClient, id string) error {
	return routers.Delete(ctx, c, id).ExtractErr()
}

func deleteFloating(ctx context.Context, c *gophercloud.ServiceClient, id string) error {
	return floatingips.Delete(ctx, c, id).ExtractErr()
}

// createRouter creates a router; the function returns the network of its gateway.
func createRouter(name string, network func(*Run) string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		o := routers.CreateOpts{Name: "r"}
		if id := network(r); id != "" {
			o.GatewayInfo = &routers.GatewayInfo{NetworkID: id}
		}
		made, err := routers.Create(ctx, r.Network, o).Extract()
		if err != nil {
			return "", err
		}
		r.ids[name] = made.ID
		return fmt.Sprint(made.Name, " ", made.Status, " ", made.GatewayInfo.NetworkID, " ", len(made.GatewayInfo.ExternalFixedIPs), made.Tags), nil
	}
}

func connect(subnet string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		id := r.ids[subnet]
		if id == "" {
			id = unknown
		}
		made, err := routers.AddInterface(ctx, r.Network, r.ids["router"], routers.AddInterfaceOpts{SubnetID: id}).Extract()
		if err != nil {
			return "", err
		}
		r.ids["interface"] = made.PortID
		return fmt.Sprint(made.SubnetID == id, made.ID == r.ids["router"], " ", made.PortID), nil
	}
}

func disconnect(ctx context.Context, r *Run) (string, error) {
	_, err := routers.RemoveInterface(ctx, r.Network, r.ids["router"], routers.RemoveInterfaceOpts{SubnetID: r.ids["subnet"]}).Extract()
	return "removed", err
}

// createFloating creates a floating IP; the functions return its network and its port.
func createFloating(name string, network, port func(*Run) string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		made, err := floatingips.Create(ctx, r.Network, floatingips.CreateOpts{FloatingNetworkID: network(r), PortID: port(r), Description: "an address"}).Extract()
		if err != nil {
			return "", err
		}
		r.ids[name] = made.ID
		r.ids[name+" address"] = made.FloatingIP
		return fmt.Sprint(made.FloatingIP[:11], " ", made.PortID, " ", made.RouterID, " ", made.FixedIP != "", made.Tags, " ", made.Description), nil
	}
}

func moveFloating(name string, port func(*Run) string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		id := port(r)
		o := floatingips.UpdateOpts{PortID: &id}
		made, err := floatingips.Update(ctx, r.Network, r.ids[name], o).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(made.PortID == id, made.RouterID != "", made.FloatingIP == r.ids[name+" address"]), nil
	}
}

func outside(r *Run) string  { return r.Admin.External }
func nothing(*Run) string    { return "" }
func nowhere(*Run) string    { return unknown }
func inside(r *Run) string   { return r.ids["network"] }
func thePort(r *Run) string  { return r.ids["port"] }
func nextPort(r *Run) string { return r.ids["second port"] }

var routerCalls = []Call{
	{"the external network", findNetworksExternal, "external"},
	{"a floating IP without a router", createFloating("x", outside, thePort), "404 ExternalGatewayForFloatingIPNotFound: External network ID is not reachable from subnet ID.  Therefore, cannot associate Port ID with a Floating IP."},
	{"a router", createRouter("router", outside), "r ACTIVE ID 1 []"},
	{"a router without a gateway", createRouter("second router", nothing), "r ACTIVE  0 []"},
	{"a router on an internal network", createRouter("x", inside), "400 BadRequest: Bad router request: Network ID is not an external network."},
	{"a router on an unknown network", createRouter("x", nowhere), "404 NetworkNotFound: Network ID could not be found."},
	{"tags of a router", tag(routerKind, "router", "a"), "a"},
	{"routers by name and tag", func(ctx context.Context, r *Run) (string, error) {
		pages, err := routers.List(r.Network, routers.ListOpts{Name: "r", Tags: "a"}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := routers.ExtractRouters(pages)
		return fmt.Sprint(len(found)), err
	}, "1"},
	{"a router gets a gateway", func(ctx context.Context, r *Run) (string, error) {
		made, err := routers.Update(ctx, r.Network, r.ids["second router"], routers.UpdateOpts{GatewayInfo: &routers.GatewayInfo{NetworkID: r.Admin.External}}).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(made.GatewayInfo.NetworkID == r.Admin.External, len(made.GatewayInfo.ExternalFixedIPs)), nil
	}, "true 1"},
	{"a router goes", remove("second router", deleteRouter), "deleted"},
	{"a router that has gone", remove("second router", deleteRouter), "404 RouterNotFound: Router ID could not be found"},
	{"an interface", connect("subnet"), "true true ID"},
	{"the same interface", connect("subnet"), "400 BadRequest: Bad router request: Router already has a port on subnet ID."},
	{"an interface to an unknown subnet", connect("x"), "404 SubnetNotFound: Subnet ID could not be found."},
	{"the ports of a router", func(ctx context.Context, r *Run) (string, error) {
		pages, err := ports.List(r.Network, ports.ListOpts{DeviceID: r.ids["router"]}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := ports.ExtractPorts(pages)
		var all []string
		for _, p := range found {
			all = append(all, p.DeviceOwner+" "+p.FixedIPs[0].IPAddress)
		}
		return join(all), err
	}, "network:router_interface 10.6.0.1"},
	{"the port of an interface cannot go", remove("interface", deletePort), "409 ServicePortInUse: Port ID cannot be deleted directly via the port API: has device owner network:router_interface."},
	{"a router in use", remove("router", deleteRouter), "409 RouterInUse: Router ID has ports still attached: ID"},
	{"a floating IP", createFloating("floating", outside, nothing), "198.51.100.   false [] an address"},
	{"a floating IP of a port", createFloating("second floating", outside, thePort), "198.51.100. ID ID true [] an address"},
	{"a floating IP of an internal network", createFloating("x", inside, nothing), "400 BadRequest: Bad floatingip request: Network ID is not a valid external network."},
	{"a floating IP of an unknown port", createFloating("x", outside, nowhere), "404 PortNotFound: Port ID could not be found."},
	{"tags of a floating IP", tag(floatingKind, "floating", "a"), "a"},
	{"floating IPs by tag", func(ctx context.Context, r *Run) (string, error) {
		pages, err := floatingips.List(r.Network, floatingips.ListOpts{Tags: "a"}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := one(floatingips.ExtractFloatingIPs(pages))
		return fmt.Sprint(found.FloatingIP == r.ids["floating address"]), err
	}, "true"},
	{"floating IPs by address", func(ctx context.Context, r *Run) (string, error) {
		pages, err := floatingips.List(r.Network, floatingips.ListOpts{FloatingIP: r.ids["second floating address"]}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := one(floatingips.ExtractFloatingIPs(pages))
		return fmt.Sprint(found.PortID == r.ids["port"]), err
	}, "true"},
	{"a floating IP gets a port", moveFloating("floating", nextPort), "true true true"},
	{"an interface that floating IPs need", disconnect, "409 RouterInterfaceInUseByFloatingIP: Router interface for subnet ID on router ID cannot be deleted, as it is required by one or more floating IPs."},
	{"a floating IP loses its port", moveFloating("floating", nothing), "true false true"},
	{"a floating IP goes", remove("floating", deleteFloating), "deleted"},
	{"a floating IP that has gone", remove("floating", deleteFloating), "404 FloatingIPNotFound: Floating IP ID could not be found"},
	{"a port with a floating IP goes", remove("port", deletePort), "deleted"},
	{"its floating IP stays", func(ctx context.Context, r *Run) (string, error) {
		f, err := floatingips.Get(ctx, r.Network, r.ids["second floating"]).Extract()
		if err != nil {
			return "", err
		}
		return f.PortID + f.FixedIP + f.RouterID, nil
	}, ""},
}

func findNetworksExternal(ctx context.Context, r *Run) (string, error) {
	n, err := networks.Get(ctx, r.Network, r.Admin.External).Extract()
	if err != nil {
		return "", err
	}
	return n.Name, nil
}
