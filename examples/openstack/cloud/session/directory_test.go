package session_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"

	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/cloud/session"
)

// A stack has an identity service, and all others answer with code, retryAfter and delay.
type stack struct {
	*httptest.Server
	logins   atomic.Int32
	requests [2]atomic.Int32 // to compute and to network

	mu         sync.Mutex // guards the fields below
	password   string
	code       int
	retryAfter string
	delay      time.Duration
	rejected   map[string]bool // tokens
}

func start(t *testing.T) *stack {
	s := &stack{password: "right", code: http.StatusOK, rejected: map[string]bool{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *stack) set(change func(*stack)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

func (s *stack) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	code, retryAfter, delay, rejected := s.code, s.retryAfter, s.delay, s.rejected[r.Header.Get("X-Auth-Token")]
	s.mu.Unlock()
	switch {
	case r.URL.Path == "/v3/auth/tokens":
		s.login(w, r)
		return
	case strings.HasPrefix(r.URL.Path, "/compute/"):
		s.requests[0].Add(1)
	default:
		s.requests[1].Add(1)
	}
	select {
	case <-time.After(delay):
	case <-r.Context().Done():
	}
	if rejected {
		code = http.StatusUnauthorized
	}
	if retryAfter != "" {
		w.Header().Set("Retry-After", retryAfter)
	}
	w.WriteHeader(code)
	fmt.Fprint(w, `{"server": {"id": "a"}, "network": {"id": "a"}}`)
}

// login makes a token from the number of the login.
func (s *stack) login(w http.ResponseWriter, r *http.Request) {
	n := s.logins.Add(1)
	var body struct {
		Auth struct {
			Identity struct {
				Password struct{ User struct{ Password string } }
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Auth.Identity.Password.User.Password != s.password {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error": {"code": 401, "message": "The request you have made requires authentication."}}`)
		return
	}
	w.Header().Set("X-Subject-Token", fmt.Sprint("token-", n))
	w.WriteHeader(http.StatusCreated)
	entry := func(kind, path string) string {
		return fmt.Sprintf(`{"type": %q, "endpoints": [{"interface": "public", "region": "R", "region_id": "R", "url": "%s%s"}]}`, kind, s.URL, path)
	}
	fmt.Fprintf(w, `{"token": {"expires_at": "2999-01-01T00:00:00.000000Z", "project": {"id": "p1", "name": "p"}, "catalog": [%s, %s, %s]}}`,
		entry("compute", "/compute/v2.1"), entry("network", "/network/v2.0/"), entry("image", "/image"))
}

func (s *stack) identity(password string) session.Identity {
	return session.Identity{Secret: "s", Cloud: "c", Clouds: fmt.Appendf(nil,
		"clouds: {c: {auth: {auth_url: %q, username: u, password: %s, project_name: p, user_domain_name: d, project_domain_name: d}}}", s.URL+"/v3", password)}
}

func (s *stack) open(t *testing.T, o session.Options) *session.Session {
	t.Helper()
	opened, err := session.NewDirectory(o).Open(t.Context(), s.identity("right"))
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

func compute(t *testing.T, s *session.Session) error {
	return s.Compute.Explain(servers.Get(t.Context(), s.Compute.Client, "a").Err, "read the server a")
}

func network(t *testing.T, s *session.Session) error {
	return s.Network.Explain(networks.Get(t.Context(), s.Network.Client, "a").Err, "read the network a")
}

// wantReason fails the test if an error is not a failure with a reason.
func wantReason(t *testing.T, what string, err error, reason string) *failure.Failure {
	t.Helper()
	f := failure.As(err)
	if f == nil || f.Reason != reason {
		t.Fatalf("%s: error %v, want a failure %s", what, err, reason)
	}
	return f
}

func TestOpenAuthenticatesOnceForAllCallers(t *testing.T) {
	s := start(t)
	d := session.NewDirectory(session.Options{})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			opened, err := d.Open(t.Context(), s.identity("right"))
			if err != nil {
				t.Error(err)
				return
			}
			if opened.Project != "p1" || opened.Region != "R" {
				t.Errorf("project %q and region %q, want p1 and R", opened.Project, opened.Region)
			}
		})
	}
	all.Wait()
	if n := s.logins.Load(); n != 1 {
		t.Errorf("%d logins, want 1", n)
	}
	s.set(func(s *stack) { s.password = "new" })
	if _, err := d.Open(t.Context(), s.identity("new")); err != nil {
		t.Errorf("with new credentials: %v", err)
	}
	if n := s.logins.Load(); n != 2 {
		t.Errorf("%d logins after new credentials, want 2", n)
	}
}

func TestOpenDoesNotSendRejectedCredentialsAgain(t *testing.T) {
	s := start(t)
	d := session.NewDirectory(session.Options{})
	for range 5 {
		_, err := d.Open(t.Context(), s.identity("wrong"))
		f := wantReason(t, "wrong password", err, "CredentialsInvalid")
		if !f.Known || f.Until&failure.UntilCredentials == 0 {
			t.Errorf("failure %+v, want a known one until the credentials change", f)
		}
	}
	if n := s.logins.Load(); n != 1 {
		t.Errorf("%d logins, want 1", n)
	}
	if _, err := d.Open(t.Context(), s.identity("right")); err != nil {
		t.Errorf("with the right password: %v", err)
	}
}

func TestTokenThatExpiresIsReplacedOnce(t *testing.T) {
	s := start(t)
	opened := s.open(t, session.Options{})
	s.set(func(s *stack) { s.rejected["token-1"] = true })
	if err := compute(t, opened); err != nil {
		t.Errorf("after the token expired: %v", err)
	}
	s.set(func(s *stack) {
		for i := range 10 {
			s.rejected[fmt.Sprint("token-", i)] = true
		}
	})
	wantReason(t, "without an accepted token", compute(t, opened), "CredentialsInvalid")
	if n := s.logins.Load(); n != 3 {
		t.Errorf("%d logins, want 3: one for each time that the token was not accepted", n)
	}
}

func TestPasswordThatChangesInTheCloudIsSentOnce(t *testing.T) {
	s := start(t)
	opened := s.open(t, session.Options{})
	s.set(func(s *stack) { s.rejected["token-1"], s.password = true, "new" })
	for range 5 {
		wantReason(t, "an old password", compute(t, opened), "CredentialsInvalid")
	}
	if n := s.logins.Load(); n != 2 {
		t.Errorf("%d logins, want 2: the first one and one with the old password", n)
	}
}

func TestTooManyRequestsCloseAllServicesOfTheProject(t *testing.T) {
	s := start(t)
	opened := s.open(t, session.Options{})
	s.set(func(s *stack) { s.code, s.retryAfter = http.StatusTooManyRequests, "2" })
	wantReason(t, "a response 429", network(t, opened), "RateLimited")
	s.set(func(s *stack) { s.code, s.retryAfter = http.StatusOK, "" })
	f := wantReason(t, "a request to another service", compute(t, opened), "RateLimited")
	if f.Retry.After <= 0 || f.Retry.After > 2*time.Second || f.Scope != failure.ScopeTenant {
		t.Errorf("failure %+v, want a delay of at most 2 s for the tenant", f)
	}
	if n := s.requests[0].Load(); n != 0 {
		t.Errorf("%d requests to compute, want 0", n)
	}
	waitForCompute(t, opened)
}

// waitForCompute waits until a request to the compute service succeeds.
func waitForCompute(t *testing.T, opened *session.Session) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for err := compute(t, opened); err != nil; err = compute(t, opened) {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatal(err)
		}
	}
}

func TestRequestsOverTheRateFailAtOnce(t *testing.T) {
	s := start(t)
	opened := s.open(t, session.Options{Rate: 0.1, Burst: 3})
	for range 2 { // the login was the first
		if err := compute(t, opened); err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Now()
	f := wantReason(t, "a request over the rate", compute(t, opened), "RateLimited")
	if took := time.Since(begin); took > time.Second || f.Retry.After < time.Second {
		t.Errorf("failed after %s with a delay of %s, want at once with a delay of seconds", took, f.Retry.After)
	}
}

func TestBreakerOpensForOneServiceAndCloses(t *testing.T) {
	s := start(t)
	opened := s.open(t, session.Options{Cooldown: 1500 * time.Millisecond})
	s.set(func(s *stack) { s.code = http.StatusServiceUnavailable })
	for range 10 {
		wantReason(t, "a service that is down", compute(t, opened), "ServiceUnavailable")
	}
	if n := s.requests[0].Load(); n != 5 {
		t.Errorf("%d requests to a service that is down, want 5", n)
	}
	s.set(func(s *stack) { s.code = http.StatusOK })
	if err := network(t, opened); err != nil {
		t.Errorf("another service: %v", err)
	}
	f := wantReason(t, "before the end of the pause", compute(t, opened), "ServiceUnavailable")
	if f.Retry.After != 1500*time.Millisecond || f.Scope != failure.ScopeEndpoint {
		t.Errorf("failure %+v, want one of the endpoint after 1.5s", f)
	}
	waitForCompute(t, opened)
	for range 3 {
		if err := compute(t, opened); err != nil {
			t.Errorf("after the pause: %v", err)
		}
	}
}

// While the breaker is open, the reason is that of the requests before. So it does not alternate.
func TestBreakerKeepsTheReason(t *testing.T) {
	s := start(t)
	opened := s.open(t, session.Options{Cooldown: time.Minute})
	s.Close()
	for range 10 {
		wantReason(t, "a service that refuses connections", compute(t, opened), "EndpointUnreachable")
	}
}

func TestRequestsAreSentOnce(t *testing.T) {
	for _, code := range []int{400, 403, 404, 409, 429, 500, 501, 503} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			s := start(t)
			opened := s.open(t, session.Options{})
			s.set(func(s *stack) { s.code = code })
			if err := compute(t, opened); failure.As(err) == nil {
				t.Errorf("error %v, want a failure", err)
			}
			if n := s.requests[0].Load(); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

func TestRequestsHaveADeadline(t *testing.T) {
	s := start(t)
	opened := s.open(t, session.Options{Timeout: 500 * time.Millisecond})
	s.set(func(s *stack) { s.delay = 2 * time.Second })
	f := wantReason(t, "a slow service", compute(t, opened), "EndpointUnreachable")
	if f.Known {
		t.Error("the failure is known, want unknown")
	}
}

func TestCertificates(t *testing.T) {
	s := &stack{password: "right", code: http.StatusOK}
	s.Server = httptest.NewTLSServer(s)
	t.Cleanup(s.Close)
	id := s.identity("right")
	_, err := session.NewDirectory(session.Options{}).Open(t.Context(), id)
	wantReason(t, "an unknown authority", err, "InvalidCACertificate")
	id.CACert = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if _, err := session.NewDirectory(session.Options{}).Open(t.Context(), id); err != nil {
		t.Errorf("with the certificate: %v", err)
	}
	id.CACert = nil
	id.Clouds = []byte(strings.Replace(string(id.Clouds), "{auth:", "{verify: false, auth:", 1))
	if _, err := session.NewDirectory(session.Options{}).Open(t.Context(), id); err != nil {
		t.Errorf("without verification: %v", err)
	}
}
