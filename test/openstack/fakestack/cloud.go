package fakestack

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"time"

	"kstatus.dev/test/openstack/fakestack/internal/balancer"
	"kstatus.dev/test/openstack/fakestack/internal/compute"
	"kstatus.dev/test/openstack/fakestack/internal/identity"
	"kstatus.dev/test/openstack/fakestack/internal/network"
	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// Region is the only region.
const Region = rest.Region

// Options are the options of New.
type Options struct {
	// ServerTime is how long a server takes to build and to go away. Zero means 20 ms.
	ServerTime time.Duration
	// BalancerTime is how long a load balancer is pending after each change. Zero means 20 ms.
	BalancerTime time.Duration
	// Zones are the availability zones. Empty means az1, az2 and az3.
	Zones []string
}

// A Cloud is an OpenStack. Serve it with net/http/httptest, or use it as the transport of clients.
type Cloud struct {
	api      *rest.API
	network  *network.Service
	compute  *compute.Service
	balancer *balancer.Service
}

// New returns a cloud with the user admin and its project admin. The password is admin.
func New(o Options) *Cloud {
	o.ServerTime = cmp.Or(o.ServerTime, 20*time.Millisecond)
	o.BalancerTime = cmp.Or(o.BalancerTime, 20*time.Millisecond)
	if len(o.Zones) == 0 {
		o.Zones = []string{"az1", "az2", "az3"}
	}
	c := &Cloud{api: rest.New()}
	identity.Add(c.api)
	c.network = network.New(c.api)
	c.compute = compute.New(c.api, c.network, compute.Options{Time: o.ServerTime, Zones: o.Zones})
	c.balancer = balancer.New(c.api, c.network, o.BalancerTime)
	return c
}

// ServeHTTP serves all services below the path of their name.
func (c *Cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.api.ServeHTTP(w, r) }

// RoundTrip answers a request without a network, so that no time passes in a bubble of
// testing/synctest.
func (c *Cloud) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	request := r.Clone(r.Context())
	if request.Body == nil {
		request.Body = http.NoBody
	}
	defer request.Body.Close()
	c.ServeHTTP(answer, request)
	response := answer.Result()
	response.Request = r
	return response, nil
}

// SetHook sets the hook. Nil lets requests succeed again.
func (c *Cloud) SetHook(h Hook) { c.api.SetHook(h) }

// Requests returns all requests so far.
func (c *Cloud) Requests() []Request { return c.api.Requests() }

// Writes returns the requests so far that change resources.
func (c *Cloud) Writes() []Request { return c.api.Writes() }

// AddAccount lets a user work in a project, and creates both where they do not exist. It returns
// the ID of the project.
func (c *Cloud) AddAccount(name, password, projectName string) string {
	return c.api.AddAccount(name, password, projectName)
}

// SetPassword changes the password of a user, and makes all tokens invalid.
func (c *Cloud) SetPassword(name, password string) { c.api.SetPassword(name, password) }

// SetQuota sets one quota of a project, such as instances, port, floatingip or load_balancer.
func (c *Cloud) SetQuota(projectID, resource string, n int) { c.api.SetQuota(projectID, resource, n) }

// SetServerError lets a running server go to ERROR, or with an empty message back to ACTIVE.
func (c *Cloud) SetServerError(id, message string) { c.compute.SetError(id, message) }

// SetBalancerStatus sets the provisioning status of a load balancer, such as ERROR.
func (c *Cloud) SetBalancerStatus(id, status string) { c.balancer.SetStatus(id, status) }

// Snapshot lists the names and IDs of all resources of a project, by kind. Kinds without a
// resource are absent, and so are the security groups named default. A test that compares two
// snapshots finds leaks.
func (c *Cloud) Snapshot(project string) map[string][]string {
	c.api.Lock()
	defer c.api.Unlock()
	c.api.Settle()
	all := map[string][]string{}
	c.network.Snapshot(all, project)
	c.compute.Snapshot(all, project)
	c.balancer.Snapshot(all, project)
	return all
}
