package fakestack_test

import (
	"net/http/httptest"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"

	"kstatus.dev/test/openstack/fakestack"
	"kstatus.dev/test/openstack/fakestack/calls"
)

// serve serves a cloud with the user and the project demo.
func serve(t *testing.T) (c *fakestack.Cloud, url, project string) {
	t.Helper()
	c = fakestack.New(fakestack.Options{})
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	return c, server.URL + "/identity/v3", c.AddAccount("demo", "secret", "demo")
}

func options(url, user, password string) gophercloud.AuthOptions {
	return gophercloud.AuthOptions{IdentityEndpoint: url, Username: user, Password: password, TenantName: user, DomainName: "Default"}
}

// prepare returns what the administrator prepares.
func prepare(t *testing.T, url string) *calls.Prepared {
	t.Helper()
	admin, err := openstack.AuthenticatedClient(t.Context(), options(url, "admin", "admin"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := calls.Prepare(t.Context(), admin, fakestack.Region)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The fake answers all calls as the real services do. Afterwards the project owns no resource.
func TestCalls(t *testing.T) {
	c, url, project := serve(t)
	r, err := calls.Start(t.Context(), options(url, "demo", "secret"), fakestack.Region, prepare(t, url), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Test(t)
	if left := c.Snapshot(project); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
