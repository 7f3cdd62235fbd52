package session

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"
	"github.com/sony/gobreaker/v2"

	"kstatus.dev/clusterapi/openstack/failure"
)

// Requests wait at most this long for the limiter. Requests that would wait longer fail.
const longestWait = time.Second

// Failures in a row after which an endpoint gets no requests for a while.
const tripAfter = 5

// A transport sends the requests of a tenant, within the limits of the tenant and of the endpoint. A
// request that it does not send is a *failure.Failure.
type transport struct {
	base      http.RoundTripper
	directory *Directory
	tenant    *tenant
	endpoints atomic.Value // of type []endpoint; empty before the authentication
}

// An endpoint is where requests to a service begin.
type endpoint struct{ prefix, service string }

// endpointsOf returns all endpoints of a catalog.
func endpointsOf(catalog *tokens.ServiceCatalog) []endpoint {
	var list []endpoint
	for _, entry := range catalog.Entries {
		for _, e := range entry.Endpoints {
			list = append(list, endpoint{strings.TrimSuffix(e.URL, "/"), entry.Type})
		}
	}
	return list
}

// service returns the type of the service that a request is for.
func (t *transport) service(req *http.Request) string {
	best := endpoint{service: "identity"}
	list, _ := t.endpoints.Load().([]endpoint)
	for _, e := range list {
		if len(e.prefix) > len(best.prefix) && strings.HasPrefix(req.URL.String(), e.prefix) {
			best = e
		}
	}
	return best.service
}

// RoundTrip sends a request. It returns a failure at once if the limiter or the breaker is closed for
// it.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	service := t.service(req)
	if err := t.tenant.enter(req.Context(), service); err != nil {
		return nil, err
	}
	breaker := t.directory.breaker(req.URL.Scheme + "://" + req.URL.Host + " " + service)
	done, err := breaker.Allow()
	if err != nil {
		return nil, breaker.refusal(err, t.directory.options.Cooldown)
	}
	resp, err := t.base.RoundTrip(req)
	switch {
	case err != nil:
		breaker.last.Store(cmp.Or(failure.FromNetwork(err), down(service, req.Method)))
		done(err)
		return nil, err
	case isDown(resp.StatusCode):
		breaker.last.Store(down(service, req.Method))
		done(errDown)
	default:
		done(nil)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		f := failure.FromResponse(failure.Response{Service: service, Code: resp.StatusCode, Header: resp.Header})
		if f.Class == failure.RateLimited {
			t.tenant.close(max(f.Retry.After, time.Second))
		}
	}
	return resp, nil
}

// errDown is the result of a request to a service that is down.
var errDown = errors.New("the service is down")

// isDown reports whether the service as a whole is the problem. A 500 can be a problem of one object.
func isDown(code int) bool {
	return code == http.StatusBadGateway || code == http.StatusServiceUnavailable || code == http.StatusGatewayTimeout
}

// down is the failure of a request to a service that is down.
func down(service, method string) *failure.Failure {
	f := failure.FromResponse(failure.Response{Service: service, Method: method, Code: http.StatusServiceUnavailable})
	f.Message = "the " + service + " service has failed several times in a row: no requests are sent to it for a while"
	return f
}

// A breaker is the circuit breaker of an endpoint.
type breaker struct {
	*gobreaker.TwoStepCircuitBreaker[any]
	last atomic.Pointer[failure.Failure] // of the endpoint; nil before the first
}

// refusal is the failure of a request that is not sent. It has the reason of the last one that was
// sent, so that the reason of a condition does not alternate.
func (b *breaker) refusal(err error, cooldown time.Duration) *failure.Failure {
	f := *b.last.Load()
	f.Retry.After, f.Err = cooldown, err
	return &f
}

// breaker returns the circuit breaker of an endpoint.
func (d *Directory) breaker(name string) *breaker {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, exists := d.breakers[name]
	if !exists {
		b = &breaker{TwoStepCircuitBreaker: gobreaker.NewTwoStepCircuitBreaker[any](gobreaker.Settings{
			Name: name, MaxRequests: 1, Timeout: d.options.Cooldown,
			ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
			// A caller that gives up says nothing about the service.
			IsExcluded: func(err error) bool { return errors.Is(err, context.Canceled) },
		})}
		d.breakers[name] = b
	}
	return b
}

// enter takes a request from the limiter. It waits only for a short time.
func (t *tenant) enter(ctx context.Context, service string) error {
	t.mu.Lock()
	closed := time.Until(t.closed)
	t.mu.Unlock()
	if closed > 0 {
		return rateLimited(service, "the cloud has limited the requests of this project", closed)
	}
	r := t.limiter.Reserve()
	wait := r.Delay()
	if wait > longestWait {
		r.Cancel()
		return rateLimited(service, "too many requests to this cloud wait already", wait)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		r.Cancel()
		return ctx.Err()
	}
}

// close closes the limiter for some time.
func (t *tenant) close(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if until := time.Now().Add(d); until.After(t.closed) {
		t.closed = until
	}
}

// rateLimited is the failure of a request that was not sent.
func rateLimited(service, message string, after time.Duration) error {
	f := failure.FromResponse(failure.Response{Service: service, Code: http.StatusTooManyRequests})
	f.Message, f.Retry.After = message, after
	return f
}
