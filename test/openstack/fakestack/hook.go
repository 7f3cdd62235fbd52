package fakestack

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
)

// The services, as requests name them.
const (
	Identity      = rest.Identity
	Compute       = rest.Compute
	NetworkAPI    = rest.NetworkAPI
	ImageAPI      = rest.ImageAPI
	LoadBalancing = rest.LoadBalancing
)

// NoValidHost is nova's message for a server that no host can hold.
const NoValidHost = rest.NoValidHost

type (
	// A Request is one request that the cloud has received.
	Request = rest.Request
	// A Fault is how a request fails. The zero Fault is none.
	Fault = rest.Fault
	// A Hook decides how a request fails. It may be called by several goroutines at the same time.
	Hook = rest.Hook
)

// Matching returns a hook with one fault for requests whose String begins with a prefix, such as
// "network POST /v2.0/ports". An empty prefix matches every request.
func Matching(prefix string, f Fault) Hook {
	return func(r Request) Fault {
		if strings.HasPrefix(r.String(), prefix) {
			return f
		}
		return Fault{}
	}
}

// Times limits a hook to its first faults.
func Times(n int, h Hook) Hook {
	var mu sync.Mutex
	return func(r Request) Fault {
		f := h(r)
		mu.Lock()
		defer mu.Unlock()
		if f.IsNone() || n == 0 {
			return Fault{}
		}
		n--
		return f
	}
}

// During limits a hook to a time from now, such as two minutes in which a service is away.
func During(d time.Duration, h Hook) Hook {
	end := time.Now().Add(d)
	return func(r Request) Fault {
		if time.Now().After(end) {
			return Fault{}
		}
		return h(r)
	}
}

// First returns a hook that returns the first fault of several hooks.
func First(hooks ...Hook) Hook {
	return func(r Request) Fault {
		for _, h := range hooks {
			if f := h(r); !f.IsNone() {
				return f
			}
		}
		return Fault{}
	}
}

// TooManyRequests returns an answer of a proxy that limits the rate of requests.
func TooManyRequests(after time.Duration) Fault {
	return Fault{
		Status: http.StatusTooManyRequests,
		Header: http.Header{"Retry-After": {fmt.Sprint(int(after.Seconds()))}},
		Body:   `{"error": {"code": 429, "title": "Too Many Requests", "message": "The request rate limit was reached."}}`,
	}
}

// Unavailable returns an answer of a proxy whose service is away: an HTML page.
func Unavailable() Fault {
	return Fault{
		Status: http.StatusServiceUnavailable,
		Header: http.Header{"Content-Type": {"text/html"}},
		Body:   "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n",
	}
}
