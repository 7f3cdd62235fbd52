package fakestack_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/test/openstack/fakestack"
	"kstatus.dev/test/openstack/fakestack/calls"
)

// serve serves a cloud with the user and the project demo.
func serve(t *testing.T) (c *fakestack.Cloud, url string) {
	t.Helper()
	c = fakestack.New(fakestack.Options{})
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.AddAccount("demo", "secret", "demo")
	return c, server.URL + "/identity/v3"
}

func options(url, user, password string) gophercloud.AuthOptions {
	return gophercloud.AuthOptions{IdentityEndpoint: url, Username: user, Password: password, TenantName: user, DomainName: "Default"}
}

// prepare returns what the administrator prepares. The transport may be nil.
func prepare(t *testing.T, url string, transport http.RoundTripper) *calls.Prepared {
	t.Helper()
	admin, err := calls.Login(t.Context(), options(url, "admin", "admin"), transport)
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
	synctest.Test(t, func(t *testing.T) {
		const url = "http://cloud.test/identity/v3"
		c := fakestack.New(fakestack.Options{})
		project := c.AddAccount("demo", "secret", "demo")
		r, err := calls.Start(t.Context(), options(url, "demo", "secret"), fakestack.Region, prepare(t, url, c), c)
		if err != nil {
			t.Fatal(err)
		}
		r.Test(t)
		if left := c.Snapshot(project); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}
