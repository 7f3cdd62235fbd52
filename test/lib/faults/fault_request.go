package faults

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Answer is an HTTP error status, in the format of the API server.
type Answer struct {
	Code       int           // 0: 503
	RetryAfter time.Duration // 0: no Retry-After header
	Body       string        // such as the page of a load balancer; empty: a Status
}

func (Answer) fault() {}

func (f Answer) request(in *Injected, x *exchange) bool {
	in.hits.Add(1)
	if f.Code == 0 {
		f.Code = http.StatusServiceUnavailable
	}
	h := x.w.Header()
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(f.seconds()))
	}
	body := []byte(f.Body)
	if f.Body == "" {
		h.Set("Content-Type", "application/json")
		body, _ = json.Marshal(f.status(x.call)) // strings and numbers only
	}
	x.w.WriteHeader(f.Code)
	_ = x.write(body) // the client may have closed the connection
	return true
}

// seconds returns whole seconds, as HTTP requires, at least one.
func (f Answer) seconds() int { return max(1, int((f.RetryAfter+time.Second-1)/time.Second)) }

var reasons = map[int]metav1.StatusReason{
	http.StatusUnauthorized:        metav1.StatusReasonUnauthorized,
	http.StatusForbidden:           metav1.StatusReasonForbidden,
	http.StatusNotFound:            metav1.StatusReasonNotFound,
	http.StatusMethodNotAllowed:    metav1.StatusReasonMethodNotAllowed,
	http.StatusGone:                metav1.StatusReasonExpired,
	http.StatusTooManyRequests:     metav1.StatusReasonTooManyRequests,
	http.StatusInternalServerError: metav1.StatusReasonInternalError,
	http.StatusServiceUnavailable:  metav1.StatusReasonServiceUnavailable,
	http.StatusGatewayTimeout:      metav1.StatusReasonTimeout,
}

func (f Answer) status(c call) metav1.Status {
	s := metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: int32(f.Code), Reason: reasons[f.Code],
		Message: fmt.Sprintf("%s %s: %s, by the fault proxy", c.verb, c.resource, http.StatusText(f.Code)),
	}
	if f.RetryAfter > 0 {
		s.Details = &metav1.StatusDetails{RetryAfterSeconds: int32(f.seconds())}
	}
	return s
}

// Delay is latency: requests reach the API server later, and events of open watches reach the
// client later.
type Delay struct {
	Min    time.Duration
	Jitter time.Duration // up to this much more, at random
}

func (Delay) fault() {}

func (f Delay) time() time.Duration { return f.Min + rand.N(f.Jitter+1) }

func (f Delay) request(in *Injected, x *exchange) bool {
	in.hits.Add(1)
	return !x.wait(f.time())
}

func (f Delay) effect(in *Injected, _ *exchange) *watchEffect {
	return &watchEffect{delay: func() time.Duration {
		in.hits.Add(1)
		return f.time()
	}}
}

func (Delay) readsEvents() bool { return false }

// Silence is a black hole: a request gets no response, and an open watch sends nothing but
// stays open. The connection stays healthy: it answers pings of HTTP/2.
type Silence struct {
	Connection bool // the whole connection goes silent with all its requests, and answers no ping
}

func (Silence) fault() {}

func (f Silence) request(in *Injected, x *exchange) bool {
	in.hits.Add(1)
	if f.Connection {
		x.wire().freeze()
	}
	<-x.r.Context().Done()
	return true
}

func (f Silence) effect(in *Injected, x *exchange) *watchEffect {
	h := endEffect(in, silent)
	if f.Connection {
		h.apply = func() streamEnd {
			in.hits.Add(1)
			x.wire().freeze()
			return silent
		}
	}
	return h
}

func (Silence) readsEvents() bool { return false }

// Reset resets the connection of a request or an open watch. All requests on the same
// connection fail.
type Reset struct {
	Bytes int // after this many bytes of a response; an open watch at once
}

func (Reset) fault() {}

func (f Reset) request(in *Injected, x *exchange) bool {
	in.hits.Add(1)
	if f.Bytes > 0 {
		x.wire().resetAfter(f.Bytes)
		return false
	}
	x.reset()
	return true
}

func (Reset) effect(in *Injected, _ *exchange) *watchEffect { return endEffect(in, reset) }

func (Reset) readsEvents() bool { return false }
