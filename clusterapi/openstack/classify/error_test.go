package classify_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/pools"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
)

// response returns the error of gophercloud for a response.
func response(method, path string, code int, header http.Header, body string) error {
	return gophercloud.ErrUnexpectedResponseCode{
		Method: method, URL: "https://cloud.example.com" + path, Actual: code, ResponseHeader: header, Body: []byte(body),
	}
}

// refused is the error of a client for a service that has stopped.
var refused = &url.Error{Op: "Post", URL: "https://cloud.example.com:5000/v3/auth/tokens", Err: syscall.ECONNREFUSED}

// limited is the error of a transport that does not send a request.
var limited = &failure.Failure{
	Class: failure.RateLimited, Reason: "RateLimited", Message: "too many requests", Grace: 5 * time.Minute,
	Retry: failure.Retry{After: time.Minute, First: 5 * time.Second, Last: 5 * time.Minute}, Scope: failure.ScopeTenant, Service: "compute",
}

// otherRows are errors that no service of the recordings returns, and errors of gophercloud itself.
var otherRows = []struct {
	name, id, reason string
	message          string // a part of it
	err              error
}{
	{"a proxy limits requests", "O-F1", "RateLimited", "the compute service has received too many requests (429)", response("GET", "/compute/v2.1/servers", 429, http.Header{"Retry-After": {"7"}}, "")},
	{"a proxy limits requests, in its own way", "O-F1", "RateLimited", "", response("GET", "/v2.0/ports", 498, nil, "")},
	{"Nova before 2013 limits requests", "O-F1", "RateLimited", "", response("POST", "/v2.1/servers", 413, http.Header{"Retry-After": {"7"}}, `{"overLimit":{"code":413,"message":"This request was rate-limited."}}`)},
	{"a transport limits requests", "O-F1", "RateLimited", "list servers: too many requests", fmt.Errorf("list servers: %w", &url.Error{Op: "Get", URL: "https://cloud.example.com/v2.1/servers", Err: limited})},
	{"a proxy without a service", "O-F2", "ServiceUnavailable", "the network service is not available (502): 502 Bad Gateway", response("GET", "/v2.0/networks", 502, nil, "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>")},
	{"a proxy without patience", "O-F2", "ServiceUnavailable", "", response("GET", "/v2.0/networks", 504, nil, "")},
	{"a service that has stopped", "O-F3", "EndpointUnreachable", "cloud.example.com:5000: the connection is refused", refused},
	{"a connection that ends", "O-F3", "EndpointUnreachable", "", fmt.Errorf("list servers: %w", io.ErrUnexpectedEOF)},
	{"a deadline", "O-F3", "EndpointUnreachable", "no response in time", fmt.Errorf("list servers: %w", context.DeadlineExceeded)},
	{"a time-out of gophercloud", "O-F3", "EndpointUnreachable", "no response in time", gophercloud.ErrTimeOut{}},
	{"a time-out of gophercloud, a pointer", "O-F3", "EndpointUnreachable", "", fmt.Errorf("a: %w", &gophercloud.ErrTimeOut{})},
	{"a certificate", "O-F3", "InvalidCACertificate", "cloud.example.com: the certificate is signed by an unknown authority", &url.Error{Op: "Get", URL: "https://cloud.example.com/v3", Err: x509.UnknownAuthorityError{}}},
	{"no new token", "O-F4", "CredentialsInvalid", "the identity service does not accept the credentials (401)", &gophercloud.ErrUnableToReauthenticate{ErrOriginal: errors.New("401"), ErrReauth: response("POST", "/v3/auth/tokens", 401, nil, "")}},
	{"no new token, a value", "O-F4", "CredentialsInvalid", "", gophercloud.ErrUnableToReauthenticate{ErrReauth: fmt.Errorf("a: %w", response("POST", "/v3/auth/tokens", 404, nil, ""))}},
	{"no new token, for a reason that nobody knows", "O-F4", "CredentialsInvalid", "does not give a new token", &gophercloud.ErrUnableToReauthenticate{ErrReauth: errors.New("odd")}},
	{"no new token, because keystone is down", "O-F2", "ServiceUnavailable", "the identity service is not available (503)", &gophercloud.ErrUnableToReauthenticate{ErrReauth: response("POST", "/v3/auth/tokens", 503, nil, "")}},
	{"no new token, because keystone limits requests", "O-F1", "RateLimited", "", &gophercloud.ErrUnableToReauthenticate{ErrReauth: response("POST", "/v3/auth/tokens", 429, nil, "")}},
	{"no new token, because keystone has stopped", "O-F3", "EndpointUnreachable", "", &gophercloud.ErrUnableToReauthenticate{ErrReauth: refused}},
	{"a new token does not help", "O-F4", "CredentialsInvalid", "", &gophercloud.ErrErrorAfterReauthentication{ErrOriginal: response("GET", "/v2.1/servers", 401, nil, "")}},
	{"no clouds.yaml", "O-F4", "CredentialsMissing", "the file clouds.yaml does not exist", fmt.Errorf("read the credentials: %w", &fs.PathError{Op: "open", Path: "clouds.yaml", Err: syscall.ENOENT})},
	{"no password", "O-F4", "CredentialsInvalid", "You must provide a password", gophercloud.ErrMissingPassword{}},
	{"no user", "O-F4", "CredentialsInvalid", "the credentials have no Username", gophercloud.ErrMissingInput{Argument: "Username"}},
	{"no environment", "O-F4", "CredentialsInvalid", "OS_AUTH_URL", &gophercloud.ErrMissingEnvironmentVariable{EnvironmentVariable: "OS_AUTH_URL"}},
	{"quota of Cinder", "O-F5", "QuotaExceeded", "the volume service has no quota left (413)", response("POST", "/v3/volumes", 413, http.Header{"Retry-After": {"0"}}, `{"overLimit":{"code":413,"message":"VolumeSizeExceedsAvailableQuota: Requested volume or snapshot exceeds allowed gigabytes quota."}}`)},
	{"quota of a path that is unknown", "O-F5", "QuotaExceeded", "the service has no quota left (403)", response("POST", "/things", 403, nil, `{"forbidden":{"message":"Quota exceeded for things"}}`)},
	{"no image of a name", "O-F11", "DependencyNotFound", "image ubuntu does not exist", gophercloud.ErrResourceNotFound{ResourceType: "image", Name: "ubuntu"}},
	{"no image of a name, a pointer", "O-F11", "DependencyNotFound", "find the image: image ubuntu does not exist", fmt.Errorf("find the image: %w", &gophercloud.ErrResourceNotFound{ResourceType: "image", Name: "ubuntu"})},
	{"two images of a name", "O-F12", "AmbiguousReference", "2 matches for image ubuntu", gophercloud.ErrMultipleResourcesFound{ResourceType: "image", Name: "ubuntu", Count: 2}},
	{"two images of a name, a pointer", "O-F12", "AmbiguousReference", "", &gophercloud.ErrMultipleResourcesFound{ResourceType: "image", Name: "ubuntu", Count: 2}},
	{"unprocessable", "O-F13", "InvalidConfiguration", "", response("POST", "/v2.0/ports", 422, nil, "")},
	{"a field that gophercloud misses", "O-F13", "InvalidConfiguration", "the field Name is missing or invalid", gophercloud.ErrMissingInput{Argument: "Name"}},
	{"a field that gophercloud rejects", "O-F13", "InvalidConfiguration", "", fmt.Errorf("a: %w", &gophercloud.ErrInvalidInput{ErrMissingInput: gophercloud.ErrMissingInput{Argument: "CIDR"}})},
	{"no address in an old Neutron", "O-F17", "FloatingIPUnavailable", "", response("POST", "/v2.0/floatingips", 503, nil, `{"NeutronError":{"type":"IpAddressGenerationFailure","message":"No more IP addresses available on network a."}}`)},
	{"no service in the catalog", "O-F20", "UnsupportedCloud", "the catalog of the cloud", &gophercloud.ErrServiceNotFound{}},
	{"no endpoint in the region", "O-F20", "UnsupportedCloud", "", gophercloud.ErrEndpointNotFound{}},
	{"not implemented", "O-F20", "UnsupportedCloud", "", response("POST", "/v2.1/servers/a/action", 501, nil, `{"notImplemented":{"message":"no"}}`)},
	{"anything else", "O-F22", "InternalError", "unexpected end of JSON input", errors.New("unexpected end of JSON input\nreq-0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e")},
	{"a redirect", "O-F22", "InternalError", "", response("GET", "/v2.1/servers", 302, nil, "")},
	{"an error of Neutron that is text", "O-F14", "Conflict", "in use", response("POST", "/v2.0/ports", 409, nil, `{"NeutronError":"in use"}`)},
	{"joined: the worst counts", "O-F4", "CredentialsInvalid", "list servers: ", errors.Join(refused, errors.New("odd"), fmt.Errorf("list servers: %w", response("GET", "/v2.1/servers", 401, nil, "")), response("GET", "/v2.1/flavors/a", 404, nil, `{"itemNotFound":{}}`))},
	{"joined: known before unknown", "O-F11", "DependencyNotFound", "", errors.Join(refused, response("GET", "/v2.1/flavors/a", 404, nil, `{"itemNotFound":{}}`))},
	{"a failure", "O-F9", "InstanceDeleted", "read the server: server k8s-default-demo-0 no longer exists", fmt.Errorf("read the server: %w", classify.Gone("server", "k8s-default-demo-0"))},
	{"a failure of a deletion", "O-F19", "Deleting", "still exists: network a", errors.Join(failure.Remaining([]string{"network a"}, nil), refused)},
}

func TestErrorOfOthers(t *testing.T) {
	for _, row := range otherRows {
		t.Run(row.name, func(t *testing.T) {
			f := classify.Error(row.err)
			if id(f) != row.id || f.Reason != row.reason || !strings.Contains(f.Message, row.message) {
				t.Fatalf("have %+v\nwant %s %s %q", *f, row.id, row.reason, row.message)
			}
			if f.Unwrap() == nil || f.Unwrap().Error() != row.err.Error() {
				t.Errorf("the cause is %v", f.Unwrap())
			}
			checkMessage(t, f.Message)
			if again := classify.Error(f); again != f {
				t.Errorf("the failure of a failure is another: %+v", *again)
			}
		})
	}
	if f := classify.Error(nil); f != nil {
		t.Errorf("have %+v for nil", *f)
	}
}

// TestServiceOfPath covers the paths of gophercloud, with and without a prefix.
func TestServiceOfPath(t *testing.T) {
	for path, want := range map[string]string{
		"/v3/auth/tokens":                        "identity",
		"/identity/v3/auth/tokens":               "identity",
		"/v2.1/servers/a/os-interface":           "compute",
		"/compute/v2.1/os-keypairs/a":            "compute",
		"/v2.1/limits":                           "compute",
		"/v2/images/a":                           "image",
		"/image/v2/images":                       "image",
		"/v2.0/lbaas/pools/a/members":            "load-balancer",
		"/load-balancer/v2.0/lbaas/listeners":    "load-balancer",
		"/v2.0/networks":                         "network",
		"/networking/v2.0/security-groups/a":     "network",
		"/v2.0/quotas/a":                         "network",
		"/v3/0f0e7c5e5d3e4c5b8f4e1d2c3b/volumes": "volume",
		"/":                                      "",
	} {
		f := classify.Error(response("GET", path, 500, nil, ""))
		if f.Service != want {
			t.Errorf("%s: have %q, want %q", path, f.Service, want)
		}
	}
}

// policies is what a controller does for each class, from the table of classes.
var policies = map[string]struct {
	first, last time.Duration
	known       bool
	until       failure.Until
	scope       failure.Scope
}{
	"O-F1":  {5 * time.Second, 5 * time.Minute, false, 0, failure.ScopeTenant},
	"O-F2":  {5 * time.Second, 5 * time.Minute, false, 0, failure.ScopeEndpoint},
	"O-F3":  {5 * time.Second, 5 * time.Minute, false, 0, failure.ScopeEndpoint},
	"O-F4":  {5 * time.Minute, 10 * time.Minute, true, failure.UntilCredentials, failure.ScopeTenant},
	"O-F5":  {time.Minute, 10 * time.Minute, true, 0, failure.ScopeTenant},
	"O-F6":  {time.Minute, time.Minute, true, 0, failure.ScopeObject},
	"O-F7":  {time.Minute, time.Minute, true, 0, failure.ScopeObject},
	"O-F8":  {time.Minute, time.Minute, true, 0, failure.ScopeObject},
	"O-F9":  {10 * time.Minute, 10 * time.Minute, true, failure.UntilGeneration, failure.ScopeObject},
	"O-F10": {time.Minute, time.Minute, true, 0, failure.ScopeObject},
	"O-F11": {2 * time.Minute, 10 * time.Minute, true, failure.UntilDependency, failure.ScopeObject},
	"O-F12": {10 * time.Minute, 10 * time.Minute, true, failure.UntilGeneration, failure.ScopeObject},
	"O-F13": {10 * time.Minute, 10 * time.Minute, true, failure.UntilGeneration, failure.ScopeObject},
	"O-F14": {10 * time.Minute, 10 * time.Minute, true, failure.UntilGeneration, failure.ScopeObject},
	"O-F15": {time.Minute, 10 * time.Minute, true, 0, failure.ScopeObject},
	"O-F17": {time.Minute, 10 * time.Minute, true, failure.UntilDependency, failure.ScopeObject},
	"O-F18": {10 * time.Second, time.Minute, false, 0, failure.ScopeObject},
	"O-F19": {5 * time.Second, time.Minute, true, 0, failure.ScopeObject},
	"O-F20": {10 * time.Minute, 10 * time.Minute, true, failure.UntilGeneration | failure.UntilCredentials, failure.ScopeEndpoint},
	"O-F21": {10 * time.Minute, 10 * time.Minute, true, failure.UntilGeneration, failure.ScopeObject},
	"O-F22": {5 * time.Second, 5 * time.Minute, false, 0, failure.ScopeObject},
}

// exceptions are reasons and recordings that differ from the policy of their class.
func exception(name string, f *failure.Failure) bool {
	switch f.Reason {
	case "InvalidCACertificate":
		return f.Known && f.Until == failure.UntilCredentials
	case "WaitingForLoadBalancer":
		return !f.Known && f.Keep && f.Retry == failure.Retry{First: 5 * time.Second, Last: 15 * time.Second}
	case "InstanceTransitioning":
		return !f.Known
	}
	return name == "network-subnet-exhausted" && f.Retry.Last == 10*time.Minute
}

// TestEveryClass checks that each class has a row, and that all rows of a class have its policy.
func TestEveryClass(t *testing.T) {
	seen := map[string]bool{}
	check := func(name string, f *failure.Failure) {
		if f == nil {
			return
		}
		seen[id(f)] = true
		p, ok := policies[id(f)]
		if !ok {
			t.Errorf("%s: the class %q has no policy", name, f.Class)
		}
		want := failure.Retry{After: f.Retry.After, First: p.first, Last: p.last}
		if !exception(name, f) && (f.Retry != want || f.Known != p.known || f.Until != p.until || f.Scope != p.scope) {
			t.Errorf("%s: have %+v, want %+v", name, *f, p)
		}
		if (f.Class == failure.RateLimited) != (f.Grace == 5*time.Minute) {
			t.Errorf("%s: Grace is %v", name, f.Grace)
		}
	}
	for _, r := range errorRows {
		check(r.file, classify.Error(replay(t, read(t, r.file))))
	}
	for _, r := range stateRows {
		check(r.file, stateOf(t, read(t, r.file), r.joined))
	}
	for _, r := range otherRows {
		check(r.name, classify.Error(r.err))
	}
	if classify.Degraded(&loadbalancers.LoadBalancer{Name: "a", OperatingStatus: "DEGRADED"}) != "" {
		seen["O-F16"] = true
	}
	for i, c := range classify.Classes {
		if want := fmt.Sprintf("O-F%d", i+1); c.ID != want {
			t.Errorf("class %d has the ID %s, want %s", i, c.ID, want)
		}
		if !seen[c.ID] {
			t.Errorf("no row is of class %s %s", c.ID, c.Class)
		}
	}
}

// TestServer covers states that the recordings do not have.
func TestServer(t *testing.T) {
	for _, row := range []struct {
		server     *servers.Server
		joined     bool
		id, reason string
		known      bool
		message    string
	}{
		{&servers.Server{Name: "a", Status: "ACTIVE", TaskState: "powering-off"}, true, "", "", false, ""},
		{&servers.Server{Name: "a"}, false, "O-F18", "Provisioning", false, "server a is BUILD"},
		{&servers.Server{Name: "a", Status: "VERIFY_RESIZE"}, true, "O-F10", "InstanceTransitioning", false, "server a is VERIFY_RESIZE"},
		{&servers.Server{Name: "a", Status: "MIGRATING", TaskState: "migrating"}, true, "O-F10", "InstanceTransitioning", false, "server a is MIGRATING (migrating)"},
		{&servers.Server{Name: "a", Status: "SOFT_DELETED"}, true, "O-F10", "InstanceNotReady", true, "server a is SOFT_DELETED"},
		{&servers.Server{Name: "a", Status: "DELETED"}, true, "O-F9", "InstanceDeleted", true, "server a no longer exists"},
		{&servers.Server{Name: "a", Status: "UNKNOWN"}, true, "O-F10", "InstanceNotReady", false, "server a is UNKNOWN"},
		{&servers.Server{Name: "a", Status: "TELEPORTING"}, true, "O-F10", "InstanceNotReady", false, "server a is TELEPORTING"},
		{&servers.Server{Name: "a", Status: "ERROR"}, false, "O-F7", "InstanceStateError", true, "server a is ERROR"},
		{&servers.Server{Name: "a", Status: "ERROR", Fault: servers.Fault{Code: 500, Message: "Exceeded maximum number of retries.", Details: "Traceback", Created: time.Now()}}, false, "O-F7", "InstanceStateError", true, "server a is ERROR (500): Exceeded maximum number of retries."},
		{nil, false, "O-F22", "InternalError", false, "the compute service returned no server"},
	} {
		f := classify.Server(row.server, row.joined)
		if row.id == "" {
			if f != nil {
				t.Errorf("have %+v, want nil", *f)
			}
			continue
		}
		if id(f) != row.id || f.Reason != row.reason || f.Known != row.known || f.Message != row.message {
			t.Errorf("have %+v, want %+v", f, row)
		}
	}
}

// TestLoadBalancer covers states that the recordings do not have.
func TestLoadBalancer(t *testing.T) {
	for _, row := range []struct{ status, operating, reason, degraded string }{
		{"ACTIVE", "ONLINE", "", ""},
		{"ACTIVE", "NO_MONITOR", "", ""},
		{"ACTIVE", "DEGRADED", "", "load balancer a is DEGRADED"},
		{"ACTIVE", "OFFLINE", "", "load balancer a is OFFLINE"},
		{"ACTIVE", "error", "", "load balancer a is ERROR"},
		{"", "", "Provisioning", ""},
		{"PENDING_DELETE", "ONLINE", "WaitingForLoadBalancer", ""},
		{"FLOATING", "ONLINE", "WaitingForLoadBalancer", ""},
		{"DELETED", "OFFLINE", "DependencyNotFound", "load balancer a is OFFLINE"},
	} {
		lb := &loadbalancers.LoadBalancer{Name: "a", ProvisioningStatus: row.status, OperatingStatus: row.operating}
		reason := ""
		if f := classify.LoadBalancer(lb); f != nil {
			reason = f.Reason
		}
		if reason != row.reason || classify.Degraded(lb) != row.degraded {
			t.Errorf("%s %s: have %q and %q, want %q and %q", row.status, row.operating, reason, classify.Degraded(lb), row.reason, row.degraded)
		}
	}
	if f := classify.LoadBalancer(nil); f == nil || f.Reason != "InternalError" || classify.Degraded(nil) != "" {
		t.Errorf("have %+v for no load balancer", f)
	}
}

func TestMember(t *testing.T) {
	for status, want := range map[string]string{
		"ACTIVE": "", "PENDING_CREATE": "WaitingForLoadBalancer", "PENDING_UPDATE": "WaitingForLoadBalancer", "ERROR": "LoadBalancerError", "DELETED": "DependencyNotFound",
	} {
		reason := ""
		if f := classify.Member(&pools.Member{Name: "a", ProvisioningStatus: status}); f != nil {
			reason = f.Reason
		}
		if reason != want {
			t.Errorf("%s: have %q, want %q", status, reason, want)
		}
	}
	if f := classify.Member(nil); f == nil || f.Reason != "InternalError" {
		t.Errorf("have %+v for no member", f)
	}
}

func TestIsNotFound(t *testing.T) {
	missing := response("GET", "/v2.1/servers/a", 404, nil, `{"itemNotFound":{}}`)
	for _, row := range []struct {
		name string
		err  error
		want bool
	}{
		{"nil", nil, false},
		{"another error", errors.New("odd"), false},
		{"404", missing, true},
		{"404, wrapped", fmt.Errorf("a: %w", missing), true},
		{"404 after a new token", &gophercloud.ErrErrorAfterReauthentication{ErrOriginal: missing}, true},
		{"no match of a name", &gophercloud.ErrResourceNotFound{}, true},
		{"a failure", classify.NotFound("image", "a"), true},
		{"a server that is gone", classify.Gone("server", "a"), false},
		{"an API that does not exist", response("GET", "/v2.0/bgpvpns", 404, nil, `{"NeutronError":{"type":"HTTPNotFound"}}`), false},
		{"wrong credentials", response("POST", "/v3/auth/tokens", 404, nil, ""), false},
		{"403", response("GET", "/v2.1/servers/a", 403, nil, ""), false},
		{"joined, all", errors.Join(missing, missing), true},
		{"joined, not all", fmt.Errorf("a: %w", errors.Join(missing, refused)), false},
	} {
		if have := classify.IsNotFound(row.err); have != row.want {
			t.Errorf("%s: have %v, want %v", row.name, have, row.want)
		}
	}
}

// TestReauthentication lets gophercloud itself renew a token, against a server.
func TestReauthentication(t *testing.T) {
	answers := make(chan int, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(<-answers) }))
	defer server.Close()
	for _, row := range []struct {
		name   string
		renew  error
		second int
		reason string
	}{
		{"no new token", response("POST", "/v3/auth/tokens", 401, nil, ""), 0, "CredentialsInvalid"},
		{"keystone is down", response("POST", "/v3/auth/tokens", 503, nil, ""), 0, "ServiceUnavailable"},
		{"the new token is refused", nil, 401, "CredentialsInvalid"},
		{"the path does not exist", nil, 404, "UnsupportedCloud"},
		{"the service fails then", nil, 500, "ServiceUnavailable"},
	} {
		client := &gophercloud.ProviderClient{TokenID: "old", ReauthFunc: func(context.Context) error { return row.renew }}
		answers <- 401
		go func() {
			if row.second != 0 {
				answers <- row.second
			}
		}()
		_, err := client.Request(context.Background(), "GET", server.URL+"/v2.1/servers/a", &gophercloud.RequestOpts{})
		if f := classify.Error(err); f == nil || f.Reason != row.reason {
			t.Errorf("%s: have %+v, want %s", row.name, f, row.reason)
		}
	}
}
