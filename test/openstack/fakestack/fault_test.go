package fakestack_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/openstack/fakestack"
	"kstatus.dev/test/openstack/fakestack/calls"
)

// start returns a cloud and a client in the project demo.
func start(t *testing.T) (*fakestack.Cloud, *calls.Run) {
	t.Helper()
	c, url := serve(t)
	r, err := calls.Start(t.Context(), options(url, "demo", "secret"), fakestack.Region, prepare(t, url, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

const createNetwork = "network POST /v2.0/networks"

// Each fault reaches the client as it does in reality, and the request is performed only where that is so.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name  string
		hook  fakestack.Hook
		want  func(error) bool
		count int // of networks afterwards
	}{
		{"none", nil, func(err error) bool { return err == nil }, 1},
		{"another request", fakestack.Matching("network POST /v2.0/ports", fakestack.Unavailable()), func(err error) bool { return err == nil }, 1},
		{"a rate limit", fakestack.Matching(createNetwork, fakestack.TooManyRequests(7*time.Second)), func(err error) bool {
			var e gophercloud.ErrUnexpectedResponseCode
			return errors.As(err, &e) && e.Actual == http.StatusTooManyRequests && e.ResponseHeader.Get("Retry-After") == "7"
		}, 0},
		{"a service that is away", fakestack.Matching("network", fakestack.Unavailable()), hasCode(http.StatusServiceUnavailable), 0},
		{"a service that is back", fakestack.During(0, fakestack.Matching("network", fakestack.Unavailable())), func(err error) bool { return err == nil }, 1},
		{"a status in the service's form", fakestack.Matching(createNetwork, fakestack.Fault{Status: http.StatusConflict}), func(err error) bool {
			var e gophercloud.ErrUnexpectedResponseCode
			return errors.As(err, &e) && strings.HasPrefix(string(e.Body), `{"NeutronError":`)
		}, 0},
		{"a reset", fakestack.Matching(createNetwork, fakestack.Fault{Reset: true}), func(err error) bool { return errors.Is(err, syscall.ECONNRESET) }, 0},
		{"a lost answer", fakestack.Matching(createNetwork, fakestack.Fault{Lose: true}), func(err error) bool {
			return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF)
		}, 1},
		{"the first of two", fakestack.First(fakestack.Matching("compute", fakestack.Unavailable()), fakestack.Matching("network", fakestack.Fault{Status: http.StatusBadGateway})), hasCode(http.StatusBadGateway), 0},
		{"none left", fakestack.Times(0, fakestack.Matching("network", fakestack.Unavailable())), func(err error) bool { return err == nil }, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, r := start(t)
			before := len(c.Writes())
			c.SetHook(test.hook)
			_, err := networks.Create(t.Context(), r.Network, networks.CreateOpts{Name: "n"}).Extract()
			if !test.want(err) {
				t.Errorf("have the error %v", err)
			}
			c.SetHook(nil)
			if have := len(c.Snapshot(r.Project)["network"]); have != test.count {
				t.Errorf("have %d networks, want %d", have, test.count)
			}
			if have := len(c.Writes()) - before; have != 1 {
				t.Errorf("have %d writes, want 1", have)
			}
		})
	}
}

func hasCode(code int) func(error) bool {
	return func(err error) bool { return gophercloud.ResponseCodeIs(err, code) }
}

// A slow answer exceeds the time that the client has.
func TestSlowAnswer(t *testing.T) {
	c, r := start(t)
	c.SetHook(fakestack.Matching("network", fakestack.Fault{Delay: time.Minute}))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := networks.Get(ctx, r.Network, r.Admin.External).Extract(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("have the error %v", err)
	}
}

// A server and a load balancer fail after they were created.
func TestFailuresLater(t *testing.T) {
	c, r := start(t)
	ctx := t.Context()
	n, err := networks.Create(ctx, r.Network, networks.CreateOpts{Name: "n"}).Extract()
	if err != nil {
		t.Fatal(err)
	}
	subnet, err := subnets.Create(ctx, r.Network, subnets.CreateOpts{NetworkID: n.ID, CIDR: "10.0.0.0/24", IPVersion: gophercloud.IPv4}).Extract()
	if err != nil {
		t.Fatal(err)
	}
	c.SetHook(fakestack.First(
		fakestack.Matching("compute POST /v2.1/servers", fakestack.Fault{Server: fakestack.NoValidHost}),
		fakestack.Matching("load-balancer POST /v2.0/lbaas/loadbalancers", fakestack.Fault{Balancer: true}),
	))
	s, err := servers.Create(ctx, r.Compute, servers.CreateOpts{Name: "s", ImageRef: r.Admin.Image, FlavorRef: r.Admin.Flavor, Networks: "none"}, nil).Extract()
	if err != nil {
		t.Fatal(err)
	}
	l, err := loadbalancers.Create(ctx, r.Balancer, loadbalancers.CreateOpts{Name: "l", VipSubnetID: subnet.ID}).Extract()
	if err != nil {
		t.Fatal(err)
	}
	poll.Check(t, func() error {
		s, err = servers.Get(ctx, r.Compute, s.ID).Extract()
		if err == nil {
			l, err = loadbalancers.Get(ctx, r.Balancer, l.ID).Extract()
		}
		if err == nil && (s.Status == "BUILD" || strings.HasPrefix(l.ProvisioningStatus, "PENDING_")) {
			err = fmt.Errorf("the server is %s, the load balancer %s", s.Status, l.ProvisioningStatus)
		}
		return err
	})
	if s.Status != "ERROR" || s.Fault.Message != fakestack.NoValidHost {
		t.Errorf("the server is %+v", s)
	}
	if l.ProvisioningStatus != "ERROR" {
		t.Errorf("the load balancer is %+v", l)
	}
	c.SetServerError(s.ID, "")
	c.SetBalancerStatus(l.ID, "ACTIVE")
	s, _ = servers.Get(ctx, r.Compute, s.ID).Extract()
	l, _ = loadbalancers.Get(ctx, r.Balancer, l.ID).Extract()
	if s == nil || l == nil || s.Status != "ACTIVE" || l.ProvisioningStatus != "ACTIVE" {
		t.Errorf("the server is %+v, the load balancer %+v", s, l)
	}
}

// A changed password makes tokens and logins invalid, and a quota limits a project.
func TestAccounts(t *testing.T) {
	c, r := start(t)
	c.SetQuota(r.Project, "network", 0)
	if _, err := networks.Create(t.Context(), r.Network, networks.CreateOpts{Name: "n"}).Extract(); !hasCode(http.StatusConflict)(err) {
		t.Errorf("have the error %v", err)
	}
	c.SetPassword("demo", "changed")
	if _, err := networks.Get(t.Context(), r.Network, r.Admin.External).Extract(); !hasCode(http.StatusUnauthorized)(err) {
		t.Errorf("have the error %v", err)
	}
	if _, err := openstack.AuthenticatedClient(t.Context(), r.Auth); !hasCode(http.StatusUnauthorized)(err) {
		t.Errorf("have the error %v", err)
	}
	c.AddAccount("demo", "changed", "other")
	o := r.Auth
	o.Password, o.TenantName = "changed", "other"
	if _, err := openstack.AuthenticatedClient(t.Context(), o); err != nil {
		t.Error(err)
	}
	last := c.Requests()[len(c.Requests())-1]
	if last.String() != "identity POST /v3/auth/tokens" || last.Status != http.StatusCreated || last.IsWrite() {
		t.Errorf("the last request is %+v", last)
	}
	if slices.ContainsFunc(c.Writes(), func(w fakestack.Request) bool { return w.Service == fakestack.Identity }) {
		t.Error("a request for a token counts as a write")
	}
}
