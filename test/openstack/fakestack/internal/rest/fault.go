package rest

import (
	"net/http"
	"slices"
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
func (a *API) SetHook(h Hook) {
	a.log.mu.Lock()
	defer a.log.mu.Unlock()
	a.log.hook = h
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
func (a *API) Requests() []Request {
	a.log.mu.Lock()
	defer a.log.mu.Unlock()
	return slices.Clone(a.log.all)
}

// Writes returns the requests so far that change resources.
func (a *API) Writes() []Request {
	return slices.DeleteFunc(a.Requests(), func(r Request) bool { return !r.IsWrite() })
}

// IsNone reports whether a request succeeds.
func (f Fault) IsNone() bool {
	return f.Delay == 0 && f.Status == 0 && !f.Reset && !f.Lose && f.Server == "" && !f.Balancer
}

// NoValidHost is nova's message for a server that no host can hold.
const NoValidHost = "No valid host was found. "
