package fakestack

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The services, as requests name them.
const (
	Identity      = "identity"
	Compute       = "compute"
	NetworkAPI    = "network"
	ImageAPI      = "image"
	LoadBalancing = "load-balancer"
)

// A Request is one request that the cloud has received.
type Request struct {
	Time    time.Time
	Service string // one of the services
	Method  string
	Path    string // without the service, such as /v2.0/ports
	Query   string
	Project string // the ID of the token's project; empty without a valid token
	Body    string
	Status  int // of the answer; 0 if the connection was closed without one
}

// IsWrite reports whether the request changes resources. Requests for tokens do not.
func (r Request) IsWrite() bool { return r.Method != http.MethodGet && r.Service != Identity }

// String returns the service, the method and the path.
func (r Request) String() string { return r.Service + " " + r.Method + " " + r.Path }

// A Fault is how a request fails. The zero Fault is none.
type Fault struct {
	Delay  time.Duration // before the request is performed
	Status int           // this is the answer, and the request is not performed
	Header http.Header   // of that answer
	Body   string        // of that answer; empty means that of the service
	Reset  bool          // the connection is reset, and the request is not performed
	Lose   bool          // the request is performed, and the connection is closed without an answer
	// Server lets the server that the request creates go to ERROR with this message.
	Server string
	// Balancer lets the load balancer that the request creates go to ERROR.
	Balancer bool
}

// A Hook decides how a request fails. It may be called by several goroutines at the same time.
type Hook func(Request) Fault

// requests are the requests so far, and the hook.
type requests struct {
	mu   sync.Mutex
	hook Hook
	all  []Request
}

// SetHook sets the hook. Nil lets requests succeed again.
func (c *Cloud) SetHook(h Hook) {
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	c.log.hook = h
}

func (l *requests) fault(r Request) Fault {
	l.mu.Lock()
	hook := l.hook
	l.mu.Unlock()
	if hook == nil {
		return Fault{}
	}
	return hook(r)
}

func (l *requests) add(r Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r)
}

// Requests returns all requests so far.
func (c *Cloud) Requests() []Request {
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	return slices.Clone(c.log.all)
}

// Writes returns the requests so far that change resources.
func (c *Cloud) Writes() []Request {
	return slices.DeleteFunc(c.Requests(), func(r Request) bool { return !r.IsWrite() })
}

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
		if f.isNone() || n == 0 {
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
			if f := h(r); !f.isNone() {
				return f
			}
		}
		return Fault{}
	}
}

func (f Fault) isNone() bool {
	return f.Delay == 0 && f.Status == 0 && !f.Reset && !f.Lose && f.Server == "" && !f.Balancer
}

// NoValidHost is nova's message for a server that no host can hold.
const NoValidHost = "No valid host was found. "

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
