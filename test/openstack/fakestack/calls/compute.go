package calls

import (
	"context"
	"fmt"
	"slices"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/availabilityzones"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/flavors"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servergroups"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/tags"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9QbA5ij2mlUDRFr3MGD1hVUJ6w0QwGk8nq0YgJtA3r x"

// createServer creates a server on an earlier port, with options that a function changes.
func createServer(name string, change func(*Run, *servers.CreateOpts)) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		o := servers.CreateOpts{
			Name: name, ImageRef: r.Admin.Image, FlavorRef: r.Admin.Flavor, Networks: []servers.Network{{Port: r.ids["second port"]}},
			Metadata: map[string]string{"k": "v"}, Tags: []string{"a", "b"}, UserData: []byte("#cloud-config\n"),
		}
		change(r, &o)
		s, err := servers.Create(ctx, r.Compute, keypairs.CreateOptsExt{CreateOptsBuilder: o, KeyName: r.ids["key"]}, servers.SchedulerHintOpts{Group: r.ids["server group"]}).Extract()
		if err != nil {
			return "", err
		}
		r.ids[name] = s.ID
		return s.ID, nil
	}
}

func unchanged(*Run, *servers.CreateOpts) {}

// server returns the name and the status of a server when it has one.
func server(name, status string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		return until(ctx, status, func() (string, error) {
			s, err := servers.Get(ctx, r.Compute, r.ids[name]).Extract()
			if err != nil {
				return "", err
			}
			return s.Status, nil
		})
	}
}

func findServers(o servers.ListOpts) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		pages, err := servers.List(r.Compute, o).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := servers.ExtractServers(pages)
		var all []string
		for _, s := range found {
			all = append(all, s.Name)
		}
		return join(all), err
	}
}

func deleteServer(name string) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		id := r.ids[name]
		if id == "" {
			id = unknown
		}
		return "deleted", servers.Delete(ctx, r.Compute, id).ExtractErr()
	}
}

func without(r *Run, o *servers.CreateOpts) { o.Networks = "none" }

var computeCalls = []Call{
	{"zones", func(ctx context.Context, r *Run) (string, error) {
		pages, err := availabilityzones.List(r.Compute).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := availabilityzones.ExtractAvailabilityZones(pages)
		var all []string
		for _, z := range found {
			if z.ZoneState.Available && z.ZoneName != "az-broken" {
				all = append(all, z.ZoneName)
			}
		}
		return join(all), err
	}, "az1, az2, az3"},
	{"flavors", func(ctx context.Context, r *Run) (string, error) {
		pages, err := flavors.ListDetail(r.Compute, flavors.ListOpts{}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := flavors.ExtractFlavors(pages)
		for _, f := range found {
			if f.Name == FlavorName {
				return fmt.Sprint(f.VCPUs, " ", f.RAM, " ", f.Disk, " ", f.IsPublic), err
			}
		}
		return "", err
	}, "1 64 1 true"},
	{"a flavor", func(ctx context.Context, r *Run) (string, error) {
		f, err := flavors.Get(ctx, r.Compute, r.Admin.Flavor).Extract()
		if err != nil {
			return "", err
		}
		return f.Name, nil
	}, FlavorName},
	{"an unknown flavor", func(ctx context.Context, r *Run) (string, error) {
		_, err := flavors.Get(ctx, r.Compute, "nope").Extract()
		return "", err
	}, "404 itemNotFound: Flavor nope could not be found."},
	{"a flavor of a member", func(ctx context.Context, r *Run) (string, error) {
		disk := 1
		_, err := flavors.Create(ctx, r.Compute, flavors.CreateOpts{Name: "x", RAM: 64, VCPUs: 1, Disk: &disk}).Extract()
		return "", err
	}, "403 forbidden: Policy doesn't allow os_compute_api:os-flavor-manage:create to be performed."},
	{"a microversion that is too new", func(ctx context.Context, r *Run) (string, error) {
		client := *r.Compute
		client.Microversion = "2.999"
		_, err := flavors.Get(ctx, &client, r.Admin.Flavor).Extract()
		return "", err
	}, "406 computeFault: Version 2.999 is not supported by the API. Minimum is 2.1 and maximum is 2.93."},
	{"a key pair", func(ctx context.Context, r *Run) (string, error) {
		k, err := keypairs.Create(ctx, r.Compute, keypairs.CreateOpts{Name: "k", Type: "ssh", PublicKey: publicKey}).Extract()
		if err != nil {
			return "", err
		}
		r.ids["key"] = k.Name
		return k.Name + " " + k.Fingerprint, nil
	}, "k 3f:66:84:a1:b6:be:09:d3:01:9e:f8:66:72:a8:7c:37"},
	{"a key pair of the same name", func(ctx context.Context, r *Run) (string, error) {
		_, err := keypairs.Create(ctx, r.Compute, keypairs.CreateOpts{Name: "k", PublicKey: publicKey}).Extract()
		return "", err
	}, "409 conflictingRequest: Key pair 'k' already exists."},
	{"an unknown key pair", func(ctx context.Context, r *Run) (string, error) {
		_, err := keypairs.Get(ctx, r.Compute, "nope", nil).Extract()
		return "", err
	}, "404 itemNotFound: Keypair nope not found for user ID"},
	{"a server group", func(ctx context.Context, r *Run) (string, error) {
		g, err := servergroups.Create(ctx, r.Compute, servergroups.CreateOpts{Name: "g", Policy: "soft-anti-affinity"}).Extract()
		if err != nil {
			return "", err
		}
		r.ids["server group"] = g.ID
		return fmt.Sprint(g.Name, " ", *g.Policy, g.Members), nil
	}, "g soft-anti-affinity[]"},
	{"an unknown server group", func(ctx context.Context, r *Run) (string, error) {
		_, err := servergroups.Get(ctx, r.Compute, unknown).Extract()
		return "", err
	}, "404 itemNotFound: Instance group ID could not be found."},
	{"a server with an unknown flavor", createServer("x", func(_ *Run, o *servers.CreateOpts) { o.FlavorRef = "nope" }), "400 badRequest: Flavor nope could not be found."},
	{"a server with an unknown image", createServer("x", func(_ *Run, o *servers.CreateOpts) { o.ImageRef = unknown }), "400 badRequest: Can not find requested image"},
	{"a server on an unknown port", createServer("x", func(_ *Run, o *servers.CreateOpts) { o.Networks = []servers.Network{{Port: unknown}} }), "400 badRequest: Port id ID could not be found."},
	{"a server on an unknown network", createServer("x", func(_ *Run, o *servers.CreateOpts) { o.Networks = []servers.Network{{UUID: unknown}} }), "400 badRequest: Network ID could not be found."},
	{"a server in an unknown zone", createServer("x", func(_ *Run, o *servers.CreateOpts) { o.AvailabilityZone = "nowhere" }), "400 badRequest: The requested availability zone is not available"},
	{"a server", createServer("server", unchanged), "ID"},
	{"the server is built", server("server", "ACTIVE"), "ACTIVE"},
	{"what the server is", func(ctx context.Context, r *Run) (string, error) {
		s, err := servers.Get(ctx, r.Compute, r.ids["server"]).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(s.Name, " ", s.AvailabilityZone, " ", s.VmState, " ", s.Metadata, *s.Tags, " ", s.KeyName, " ", s.Flavor["original_name"], " ", len(s.Addresses["n"].([]any)), " ", s.PowerState), nil
	}, "server az1 active map[k:v] [a b] k small 1 RUNNING"},
	{"the port of the server", func(ctx context.Context, r *Run) (string, error) {
		p, err := ports.Get(ctx, r.Network, r.ids["second port"]).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(p.Status, " ", p.DeviceOwner, " ", p.DeviceID == r.ids["server"]), nil
	}, "ACTIVE compute:az1 true"},
	{"a server on a port in use", createServer("x", unchanged), "409 conflictingRequest: Port ID is still in use."},
	{"servers by name", findServers(servers.ListOpts{Name: "^server$"}), "server"},
	{"servers by a part of the name", findServers(servers.ListOpts{Name: "erve"}), "server"},
	{"servers by tags", findServers(servers.ListOpts{Tags: "a,b"}), "server"},
	{"servers by too many tags", findServers(servers.ListOpts{Tags: "a,c"}), ""},
	{"servers of all projects", findServers(servers.ListOpts{AllTenants: true}), "403 forbidden: Policy doesn't allow os_compute_api:servers:detail:get_all_tenants to be performed."},
	{"tags of the server", func(ctx context.Context, r *Run) (string, error) {
		if err := tags.Add(ctx, r.Compute, r.ids["server"], "c").ExtractErr(); err != nil {
			return "", err
		}
		all, err := tags.List(ctx, r.Compute, r.ids["server"]).Extract()
		slices.Sort(all)
		return join(all), err
	}, "a, b, c"},
	{"metadata of the server", func(ctx context.Context, r *Run) (string, error) {
		all, err := servers.UpdateMetadata(ctx, r.Compute, r.ids["server"], servers.MetadataOpts{"l": "w"}).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(all), servers.DeleteMetadatum(ctx, r.Compute, r.ids["server"], "l").ExtractErr()
	}, "map[k:v l:w]"},
	{"metadata that the server has not", func(ctx context.Context, r *Run) (string, error) {
		return "", servers.DeleteMetadatum(ctx, r.Compute, r.ids["server"], "l").ExtractErr()
	}, "404 itemNotFound: Metadata item was not found"},
	{"the server stops", func(ctx context.Context, r *Run) (string, error) {
		return "accepted", servers.Stop(ctx, r.Compute, r.ids["server"]).ExtractErr()
	}, "accepted"},
	{"the server has stopped", server("server", "SHUTOFF"), "SHUTOFF"},
	{"it cannot stop twice", func(ctx context.Context, r *Run) (string, error) {
		return "", servers.Stop(ctx, r.Compute, r.ids["server"]).ExtractErr()
	}, "409 conflictingRequest: Cannot 'stop' instance ID while it is in vm_state stopped"},
	{"a server that exceeds the quota", createServer("large", func(r *Run, o *servers.CreateOpts) { o.FlavorRef = r.Admin.TooLarge; without(r, o) }), "403 forbidden: Quota exceeded for cores: Requested 5000, but already used 1 of 20 cores"},
	{"an unknown server", func(ctx context.Context, r *Run) (string, error) {
		_, err := servers.Get(ctx, r.Compute, unknown).Extract()
		return "", err
	}, "404 itemNotFound: Instance ID could not be found."},
	{"an unknown server cannot go", deleteServer("x"), "404 itemNotFound: Instance ID could not be found."},
	{"the server goes", deleteServer("server"), "deleted"},
	{"the server has gone", server("server", "gone"), "gone"},
	{"its port is free", func(ctx context.Context, r *Run) (string, error) {
		p, err := ports.Get(ctx, r.Network, r.ids["second port"]).Extract()
		if err != nil {
			return "", err
		}
		return p.DeviceID + p.DeviceOwner + p.Status, nil
	}, "DOWN"},
	{"a server whose port nova creates", createServer("second server", func(r *Run, o *servers.CreateOpts) { o.Networks = []servers.Network{{UUID: r.ids["network"]}} }), "ID"},
	{"the second server is built", server("second server", "ACTIVE"), "ACTIVE"},
	{"the port that nova created", func(ctx context.Context, r *Run) (string, error) {
		pages, err := ports.List(r.Network, ports.ListOpts{DeviceID: r.ids["second server"]}).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := one(ports.ExtractPorts(pages))
		return fmt.Sprint(found.Name == ""), err
	}, "true"},
	{"the second server goes", deleteServer("second server"), "deleted"},
	{"the second server has gone", server("second server", "gone"), "gone"},
	{"its port has gone", func(ctx context.Context, r *Run) (string, error) {
		return findPorts(ports.ListOpts{DeviceID: r.ids["second server"]})(ctx, r)
	}, ""},
	{"the key pair goes", func(ctx context.Context, r *Run) (string, error) {
		delete(r.ids, "key")
		return "deleted", keypairs.Delete(ctx, r.Compute, "k", nil).ExtractErr()
	}, "deleted"},
	{"the server group goes", func(ctx context.Context, r *Run) (string, error) {
		id := r.ids["server group"]
		delete(r.ids, "server group")
		return "deleted", servergroups.Delete(ctx, r.Compute, id).ExtractErr()
	}, "deleted"},
}
