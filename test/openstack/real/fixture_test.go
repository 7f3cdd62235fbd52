package real

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/projects"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/roles"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/users"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/listeners"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/monitors"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/pools"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/floatingips"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"
	"github.com/gophercloud/gophercloud/v2/pagination"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/test/openstack/fakestack/calls"
	"kstatus.dev/test/openstack/openstackkit"
)

// What all tests share: the OpenStack, and what its administrator prepares.
var (
	kit      *openstackkit.Kit
	prepared *calls.Prepared
	identity *gophercloud.ServiceClient // of the administrator
)

func TestMain(m *testing.M) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := run(ctx, m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(ctx context.Context, m *testing.M) (code int, err error) {
	log.SetLogger(logr.Discard()) // failures caused on purpose are not worth reading
	if kit, err = openstackkit.Start(ctx, openstackkit.Options{}); err != nil {
		return 1, fmt.Errorf("these tests need a real OpenStack: %w", err)
	}
	defer func() { err = errors.Join(err, kit.Stop()) }()
	admin, err := kit.Admin().Client(ctx)
	if err != nil {
		return 1, err
	}
	if prepared, err = calls.Prepare(ctx, admin, openstackkit.Region); err != nil {
		return 1, err
	}
	if identity, err = openstack.NewIdentityV3(admin, gophercloud.EndpointOpts{Region: openstackkit.Region}); err != nil {
		return 1, err
	}
	code = live.Main(m)
	return code, other.Stop()
}

// A fixture is a project of its own with one member. Both go when the test ends.
type fixture struct {
	openstackkit.Credentials        // of the member
	project                  string // its ID

	compute, network, balancer *gophercloud.ServiceClient // of the member
}

const password = "secret"

func newFixture(t *testing.T) *fixture {
	t.Helper()
	ctx := t.Context()
	name := strings.ReplaceAll(t.Name(), "/", "-")
	name = fmt.Sprintf("%s-%s", name[:min(len(name), 40)], strconv.FormatInt(time.Now().UnixNano(), 36)) // at most 64 bytes
	p, err := projects.Create(ctx, identity, projects.CreateOpts{Name: name, DomainID: "default"}).Extract()
	check(t, "create a project", err)
	u, err := users.Create(ctx, identity, users.CreateOpts{Name: name, DomainID: "default", Password: password}).Extract()
	check(t, "create a user", err)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(ctx)
		check(t, "delete the user", users.Delete(ctx, identity, u.ID).ExtractErr())
		check(t, "delete the project", projects.Delete(ctx, identity, p.ID).ExtractErr())
	})
	pages, err := roles.List(identity, roles.ListOpts{Name: "member"}).AllPages(ctx)
	check(t, "list the role member", err)
	found, err := roles.ExtractRoles(pages)
	check(t, "read the role member", err)
	check(t, "assign the role member", roles.Assign(ctx, identity, found[0].ID, roles.AssignOpts{UserID: u.ID, ProjectID: p.ID}).ExtractErr())
	f := &fixture{Credentials: kit.User(name, password, name), project: p.ID}
	client, err := f.Client(ctx)
	check(t, "authenticate", err)
	at := gophercloud.EndpointOpts{Region: openstackkit.Region}
	f.compute, err = openstack.NewComputeV2(client, at)
	check(t, "find nova", err)
	f.compute.Microversion = "2.90"
	f.network, err = openstack.NewNetworkV2(client, at)
	check(t, "find neutron", err)
	f.balancer, err = openstack.NewLoadBalancerV2(client, at)
	check(t, "find octavia", err)
	return f
}

func check(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// options are the credentials in gophercloud's form.
func (f *fixture) options() gophercloud.AuthOptions {
	return gophercloud.AuthOptions{IdentityEndpoint: f.AuthURL, Username: f.Username, Password: f.Password, TenantName: f.Project, DomainName: "Default"}
}

// owned counts what the project owns, by kind. Kinds without a resource are absent, and so is the
// security group named default. A test that finds more afterwards has found a leak.
func (f *fixture) owned(t *testing.T) map[string]int {
	t.Helper()
	all := map[string]int{}
	for kind, pager := range map[string]pagination.Pager{
		"network":        networks.List(f.network, networks.ListOpts{ProjectID: f.project}),
		"subnet":         subnets.List(f.network, subnets.ListOpts{ProjectID: f.project}),
		"port":           ports.List(f.network, ports.ListOpts{ProjectID: f.project}),
		"router":         routers.List(f.network, routers.ListOpts{ProjectID: f.project}),
		"floating IP":    floatingips.List(f.network, floatingips.ListOpts{ProjectID: f.project}),
		"security group": groups.List(f.network, groups.ListOpts{ProjectID: f.project}),
		"server":         servers.List(f.compute, servers.ListOpts{}),
		"load balancer":  loadbalancers.List(f.balancer, loadbalancers.ListOpts{}),
		"listener":       listeners.List(f.balancer, listeners.ListOpts{}),
		"pool":           pools.List(f.balancer, pools.ListOpts{}),
		"monitor":        monitors.List(f.balancer, monitors.ListOpts{}),
	} {
		page, err := pager.AllPages(t.Context())
		check(t, "list each "+kind, err)
		n := 0
		// AllPages joins pages in this form, and leaves a page without resources as it is.
		if body, ok := page.GetBody().(map[string][]any); ok {
			n = items(body)
		}
		if n > 0 {
			all[kind] = n
		}
	}
	return all
}

// items returns how many resources a list has.
func items(body map[string][]any) int {
	n := 0
	for _, list := range body {
		for _, item := range list {
			if fields, ok := item.(map[string]any); ok && fields["name"] != "default" {
				n++
			}
		}
	}
	return n
}
