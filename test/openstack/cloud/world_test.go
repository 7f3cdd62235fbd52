// Package cloud_test runs the methods of kstatus.dev/examples/openstack/cloud on an OpenStack in
// memory, and makes its requests fail.
package cloud_test

import (
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/cloud"
	"kstatus.dev/test/openstack/fakestack"
	"kstatus.dev/test/openstack/fakestack/calls"
)

// A world is an OpenStack with a project, and the cloud of the project.
type world struct {
	*testing.T
	stack    *fakestack.Cloud
	url      string
	project  string
	prepared *calls.Prepared
	c        *cloud.Cloud
}

// fast makes the requests of many tests at once.
var fast = cloud.Options{Rate: 1e6, Burst: 1e6, Cooldown: 10 * time.Millisecond}

func newWorld(t *testing.T, o cloud.Options) *world {
	t.Helper()
	w := &world{T: t, stack: fakestack.New(fakestack.Options{ServerTime: time.Millisecond, BalancerTime: time.Millisecond})}
	server := httptest.NewServer(w.stack)
	t.Cleanup(server.Close)
	w.url = server.URL + "/identity/v3"
	w.project = w.stack.AddAccount("demo", "secret", "demo")
	w.prepared = w.prepare()
	var err error
	if w.c, err = cloud.NewDirectory(o).Open(t.Context(), w.identity("secret")); err != nil {
		t.Fatal(err)
	}
	if w.c.Project() != w.project || w.c.Region() != fakestack.Region {
		t.Fatalf("project %s in region %s, want %s in %s", w.c.Project(), w.c.Region(), w.project, fakestack.Region)
	}
	return w
}

// login returns a client of a user, for what the provider does not do.
func (w *world) login(user, password string) *gophercloud.ProviderClient {
	w.Helper()
	client, err := openstack.AuthenticatedClient(w.Context(), gophercloud.AuthOptions{
		IdentityEndpoint: w.url, Username: user, Password: password, TenantName: user, DomainName: "Default",
	})
	if err != nil {
		w.Fatal(err)
	}
	return client
}

func (w *world) prepare() *calls.Prepared {
	w.Helper()
	p, err := calls.Prepare(w.Context(), w.login("admin", "admin"), fakestack.Region)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

func (w *world) identity(password string) cloud.Identity {
	return cloud.Identity{Secret: "creds", Cloud: "c", Clouds: fmt.Appendf(nil,
		"clouds: {c: {region_name: %s, auth: {auth_url: %q, username: demo, password: %s, project_name: demo, user_domain_name: Default, project_domain_name: Default}}}",
		fakestack.Region, w.url, password)}
}

// neutron returns a client of the user's network service.
func (w *world) neutron() *gophercloud.ServiceClient {
	w.Helper()
	client, err := openstack.NewNetworkV2(w.login("demo", "secret"), gophercloud.EndpointOpts{Region: fakestack.Region})
	if err != nil {
		w.Fatal(err)
	}
	return client
}

var owner = cloud.Owner{Namespace: "default", Name: "prod", Tags: []string{"env=test"}}

// A build is what the passes of the controllers know.
type build struct {
	*world
	network cloud.Network
	groups  [2]cloud.Ref
	balance cloud.LoadBalancer
}

var managed = cloud.NetworkSpec{Managed: &cloud.ManagedSubnet{CIDR: "10.6.0.0/24", DNSNameservers: []string{"192.0.2.53"}}}

// cluster makes one pass over everything of a cluster.
func (b *build) cluster() error {
	var err error
	if b.network, err = b.c.EnsureNetwork(b.Context(), owner, managed); err != nil {
		return err
	}
	external, err := b.c.ExternalNetwork(b.Context(), nil)
	if err != nil {
		return err
	}
	if _, err = b.c.EnsureRouter(b.Context(), owner, cloud.RouterSpec{External: external, Network: b.network}); err != nil {
		return err
	}
	b.groups[0], b.groups[1], err = b.c.EnsureSecurityGroups(b.Context(), owner, cloud.SecurityGroupsSpec{APIPort: 6443})
	if err != nil {
		return err
	}
	b.balance, err = b.c.EnsureLoadBalancer(b.Context(), owner, cloud.LoadBalancerSpec{
		Network: b.network, Port: 6443, AllowedCIDRs: []string{"192.0.2.0/24"}, FloatingIP: &cloud.FloatingIPSpec{External: *external},
	})
	return err
}

// machine makes one pass over everything of a machine.
func (b *build) machine(name string) error {
	resolved, err := b.c.ResolveMachine(b.Context(), cloud.MachineSpec{
		Image: cloud.Filter{Name: calls.ImageName, Tags: []string{"kubernetes"}}, Flavor: cloud.Filter{Name: calls.FlavorName},
		Network: b.network, ManagedGroups: b.groups[:1], Metadata: map[string]string{"role": "test"},
		Ports: []cloud.PortSpec{{}, {NameSuffix: "storage", DisablePortSecurity: true}},
	})
	if err != nil {
		return err
	}
	ports, err := b.c.EnsurePorts(b.Context(), owner, name, resolved)
	if err != nil {
		return err
	}
	server, err := b.c.EnsureServer(b.Context(), owner, name, resolved, ports, cloud.UserData("#cloud-config\n"))
	if err != nil {
		return err
	}
	if f := classify.Server(server, false); f != nil {
		return f
	}
	if err := b.c.EnsureServerTags(b.Context(), owner, name, server, []string{"later"}); err != nil {
		return err
	}
	return b.c.EnsureMember(b.Context(), owner, name, ports[0].Addresses[0])
}

// all makes one pass over a cluster with two machines. The name of one begins with that of the other.
func (b *build) all() error {
	if err := b.cluster(); err != nil {
		return err
	}
	for _, name := range []string{"cp-0", "cp-0-0"} {
		if err := b.machine(name); err != nil {
			return err
		}
	}
	return nil
}

// deleteAll makes one pass over the deletion of all.
func (b *build) deleteAll() error {
	for _, name := range []string{"cp-0", "cp-0-0"} {
		left, err := b.c.DeleteMachine(b.Context(), owner, name)
		if err := remaining(left, err); err != nil {
			return err
		}
	}
	return remaining(b.c.DeleteCluster(b.Context(), owner))
}

// remaining returns the failure of a deletion that is not complete, and otherwise nil.
func remaining(left []string, err error) error {
	if f := failure.Remaining(left, err); f != nil {
		return f
	}
	return nil
}

// until makes passes until one succeeds.
func (w *world) until(what string, pass func() error) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), time.Minute)
	defer cancel()
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for {
		err := pass()
		if err == nil {
			return
		}
		if failure.As(err) == nil {
			w.Fatalf("%s: error %v is no failure", what, err)
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			w.Fatalf("%s: %v", what, err)
		}
	}
}

// names returns the names of all resources of the project, sorted. Each appears as often as it exists.
func (w *world) names() []string {
	var list []string
	for kind, resources := range w.stack.Snapshot(w.project) {
		for _, r := range resources {
			name, _, _ := strings.Cut(r, " ")
			if kind == "floating IP" || strings.HasPrefix(name, "octavia-lb-") {
				name = "with a name of the cloud"
			}
			list = append(list, kind+" "+name)
		}
	}
	slices.Sort(list)
	return list
}

// ids returns the IDs of all resources of the project.
func (w *world) ids() map[string]bool {
	ids := map[string]bool{}
	for resources := range maps.Values(w.stack.Snapshot(w.project)) {
		for _, r := range resources {
			ids[r[strings.LastIndex(r, " ")+1:]] = true
		}
	}
	return ids
}

// wantReason fails the test if an error is not a failure with a reason.
func (w *world) wantReason(what string, err error, reason string) *failure.Failure {
	w.Helper()
	f := failure.As(err)
	if f == nil || f.Reason != reason {
		w.Fatalf("%s: error %v, want a failure %s", what, err, reason)
	}
	return f
}
