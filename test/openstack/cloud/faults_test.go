package cloud_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/external"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"

	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/cloud"
	"kstatus.dev/test/openstack/fakestack"
)

// writesTo returns the writes whose text begins with a prefix.
func (w *world) writesTo(prefix string) int {
	return len(slices.DeleteFunc(w.stack.Writes(), func(r fakestack.Request) bool { return !strings.HasPrefix(r.String(), prefix) }))
}

// A quota ends in the middle of a machine. Its ports are used later, and none is left.
func TestQuota(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	b.until("a cluster", b.cluster)
	b.stack.SetQuota(b.project, "instances", 0)
	for range 3 {
		f := b.wantReason("no quota for servers", b.machine("cp-0"), "QuotaExceeded")
		if !strings.HasPrefix(f.Message, "create the server k8s-default-prod-cp-0: ") || f.Service != "compute" {
			t.Errorf("message %q of service %q, want one that begins with what was done, of compute", f.Message, f.Service)
		}
	}
	ports := b.writesTo("network POST /v2.0/ports")
	b.stack.SetQuota(b.project, "instances", 10)
	b.until("a machine", func() error { return b.machine("cp-0") })
	if n := b.writesTo("network POST /v2.0/ports"); n != ports {
		t.Errorf("%d more ports after the quota was raised, want 0", n-ports)
	}
	b.stack.SetQuota(b.project, "port", len(b.stack.Snapshot(b.project)["port"])+1)
	b.wantReason("no quota for the second port", b.machine("cp-1"), "QuotaExceeded")
	if left, err := b.c.DeleteMachine(t.Context(), owner, "cp-1"); len(left) != 0 || err != nil {
		t.Errorf("left %v, error %v; want nothing", left, err)
	}
	if names := b.names(); slices.Contains(names, "port k8s-default-prod-cp-1-0") {
		t.Errorf("a port of the deleted machine is left: %v", names)
	}
	b.until("a deletion", b.deleteAll)
}

func TestTooManyRequestsCloseTheProject(t *testing.T) {
	w := newWorld(t, fast)
	w.stack.SetHook(fakestack.Times(1, fakestack.Matching("network GET", fakestack.TooManyRequests(2*time.Second))))
	_, err := w.c.EnsureNetwork(t.Context(), owner, managed)
	w.wantReason("the first request", err, "RateLimited")
	before := len(w.stack.Requests())
	_, err = w.c.Zones(t.Context())
	f := w.wantReason("a request to another service", err, "RateLimited")
	if f.Retry.After <= time.Second || f.Scope != failure.ScopeTenant {
		t.Errorf("failure %+v, want one of the tenant with the delay of the service", f)
	}
	if n := len(w.stack.Requests()); n != before {
		t.Errorf("%d requests while the limiter is closed, want 0", n-before)
	}
	w.until("the zones after the delay", func() error {
		_, err := w.c.Zones(t.Context())
		return err
	})
}

func TestBreakerSparesAServiceThatIsDown(t *testing.T) {
	o := fast
	o.Cooldown = time.Second
	w := newWorld(t, o)
	w.stack.SetHook(fakestack.Matching("load-balancer", fakestack.Unavailable()))
	before := len(w.stack.Requests())
	for range 50 {
		_, err := w.c.FindLoadBalancer(t.Context(), owner)
		w.wantReason("Octavia is down", err, "ServiceUnavailable")
	}
	if n := len(w.stack.Requests()) - before; n != 5 {
		t.Errorf("%d requests to a service that is down, want 5", n)
	}
	if _, err := w.c.EnsureNetwork(t.Context(), owner, managed); err != nil {
		t.Errorf("another service: %v", err)
	}
	w.stack.SetHook(nil)
	w.until("Octavia is back", func() error {
		_, err := w.c.FindLoadBalancer(t.Context(), owner)
		if f := failure.As(err); f != nil && f.Reason == "DependencyNotFound" {
			return nil
		}
		return err
	})
}

// The password changes in the cloud, and later in the Secret. The provider deletes and forgets no resource meanwhile.
func TestPasswordChanges(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	b.until("a cluster", b.cluster)
	before := b.names()
	b.stack.SetPassword("demo", "new")
	b.wantReason("an old password", b.cluster(), "CredentialsInvalid")
	_, err := b.c.DeleteCluster(t.Context(), owner)
	b.wantReason("a deletion with an old password", err, "CredentialsInvalid")
	if have := b.names(); !slices.Equal(have, before) {
		t.Errorf("exist %v, want what was before: %v", have, before)
	}
	if b.c, err = cloud.NewDirectory(fast).Open(t.Context(), b.identity("new")); err != nil {
		t.Fatal(err)
	}
	b.until("a deletion", b.deleteAll)
}

// The cluster is deleted before its machine.
func TestDeletionInTheWrongOrder(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	b.until("a build", b.all)
	for range 3 {
		left, err := b.c.DeleteCluster(t.Context(), owner)
		if err != nil || !slices.Contains(left, "network k8s-default-prod") || !slices.Contains(left, "security group k8s-default-prod-control-plane") {
			t.Fatalf("left %v, error %v; want the network and the security group of the machines", left, err)
		}
		if !slices.IsSorted(left) {
			t.Errorf("left %v, want a sorted list", left)
		}
	}
	b.until("a deletion", b.deleteAll)
	if left := b.names(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// A user corrects a spec before the cluster is provisioned.
func TestSpecChanges(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	b.until("a build", b.all)
	spec := cloud.LoadBalancerSpec{Network: b.network, Port: 8443}
	b.until("another port", func() error {
		_, err := b.c.EnsureLoadBalancer(t.Context(), owner, spec)
		return err
	})
	b.until("the member", func() error { return b.c.EnsureMember(t.Context(), owner, "cp-0", "10.6.0.99") })
	b.until("the member's other address", func() error { return b.c.EnsureMember(t.Context(), owner, "cp-0", "10.6.0.98") })
	if n := len(b.stack.Snapshot(b.project)["listener"]); n != 1 {
		t.Errorf("%d listeners, want 1", n)
	}
	rules := b.rules()
	for _, all := range []bool{true, false} {
		_, _, err := b.c.EnsureSecurityGroups(t.Context(), owner, cloud.SecurityGroupsSpec{APIPort: 6443, AllowAllInClusterTraffic: all})
		if err != nil {
			t.Fatal(err)
		}
		if all && b.rules() >= rules {
			t.Errorf("%d rules, want fewer than %d", b.rules(), rules)
		}
	}
	if n := b.rules(); n != rules {
		t.Errorf("%d rules, want the %d of before", n, rules)
	}
	_, err := b.c.EnsureNetwork(t.Context(), owner, cloud.NetworkSpec{Managed: &cloud.ManagedSubnet{CIDR: "10.7.0.0/24"}})
	b.wantReason("another CIDR", err, "InvalidConfiguration")
	_, err = b.c.EnsureNetwork(t.Context(), cloud.Owner{Namespace: "a", Name: "b"}, cloud.NetworkSpec{Managed: &cloud.ManagedSubnet{CIDR: "10.7.0.0"}})
	b.wantReason("no CIDR", err, "InvalidConfiguration")
	b.until("a deletion", b.deleteAll)
	b.until("a deletion of the other cluster", func() error {
		return remaining(b.c.DeleteCluster(t.Context(), cloud.Owner{Namespace: "a", Name: "b"}))
	})
	if left := b.names(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestExternalNetworks(t *testing.T) {
	w := newWorld(t, fast)
	is := true
	n, err := networks.Create(t.Context(), w.prepared.Network, external.CreateOptsExt{CreateOptsBuilder: networks.CreateOpts{Name: "second"}, External: &is}).Extract()
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.c.ExternalNetwork(t.Context(), nil)
	w.wantReason("two external networks", err, "AmbiguousReference")
	if ref, err := w.c.ExternalNetwork(t.Context(), &cloud.Filter{Name: "second"}); err != nil || ref.ID != n.ID {
		t.Errorf("have %+v, error %v; want network %s", ref, err, n.ID)
	}
	_, err = w.c.ExternalNetwork(t.Context(), &cloud.Filter{Name: "no"})
	w.wantReason("another name", err, "DependencyNotFound")
	for _, id := range []string{n.ID, w.prepared.External} {
		if err := networks.Delete(t.Context(), w.prepared.Network, id).ExtractErr(); err != nil && !gophercloud.ResponseCodeIs(err, 404) {
			t.Fatal(err)
		}
	}
	if ref, err := w.c.ExternalNetwork(t.Context(), nil); err != nil || ref != nil {
		t.Errorf("have %+v, error %v; want none", ref, err)
	}
}

func TestServerThatIsGone(t *testing.T) {
	w := newWorld(t, fast)
	_, err := w.c.Server(t.Context(), owner, "cp-0", "6c2d1c33-6a2c-4f0a-8c0e-8a3a0f3f3f3f")
	w.wantReason("a server that does not exist", err, "InstanceDeleted")
	s, err := w.c.FindServer(t.Context(), owner, "cp-0")
	if s != nil || err != nil {
		t.Errorf("server %v, error %v; want none", s, err)
	}
}
