package real

import (
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A storm sends requests to the cloud, and lets some of them fail while it blows.
type storm struct {
	next    http.RoundTripper
	service func(*http.Request) string
	second  time.Duration // slow answers take one to five of these

	mu     sync.Mutex // guards the fields below
	blows  bool
	random *rand.Rand
	down   map[string]time.Time // a service answers 503 until then
	seen   map[string]int       // the faults
}

func newStorm(seed uint64, next http.RoundTripper, service func(*http.Request) string) *storm {
	return &storm{next: next, service: service, second: time.Second, random: rand.New(rand.NewPCG(seed, 2)), down: map[string]time.Time{}, seen: map[string]int{}}
}

// The faults, with the number of requests in 10,000 that they hit.
var stormFaults = []struct {
	name string
	of   int
}{{"lost response", 100}, {"connection reset", 100}, {"slow", 150}, {"429", 30}, {"timeout", 5}}

// blow begins or ends the storm.
func (s *storm) blow(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blows = on
}

// fail lets a service answer 503 for some time.
func (s *storm) fail(service string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down[service] = time.Now().Add(d)
}

// faults returns how often each fault has hit.
func (s *storm) faults() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.seen)
}

// pick chooses the fault of a request, empty for none, and the seconds that it lasts.
func (s *storm) pick(req *http.Request) (fault string, seconds int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.blows {
		return "", 0
	}
	seconds = 1 + s.random.IntN(5)
	n := s.random.IntN(10_000)
	if time.Now().Before(s.down[s.service(req)]) {
		fault = "503"
	} else {
		for _, f := range stormFaults {
			if n -= f.of; n < 0 {
				fault = f.name
				break
			}
		}
	}
	if fault != "" {
		s.seen[fault]++
	}
	return fault, seconds
}

func (s *storm) RoundTrip(req *http.Request) (*http.Response, error) {
	fault, seconds := s.pick(req)
	switch fault {
	case "connection reset": // before the service has read the request
		return nil, &net.OpError{Op: "write", Net: "tcp", Err: syscall.ECONNRESET}
	case "429", "503":
		code, _ := strconv.Atoi(fault)
		return &http.Response{
			StatusCode: code, Request: req, ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody,
			Header: http.Header{"Retry-After": {strconv.Itoa(seconds)}},
		}, nil
	case "slow":
		select {
		case <-time.After(time.Duration(seconds) * s.second):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	resp, err := s.next.RoundTrip(req)
	if err != nil || fault != "lost response" && fault != "timeout" {
		return resp, err
	}
	resp.Body.Close()
	if fault == "timeout" {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
}

// A storm hits its share of the requests, a lost response comes after the effect, and a reset before.
func TestStorm(t *testing.T) {
	effects := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { effects++ }))
	defer server.Close()
	s := newStorm(1, http.DefaultTransport, func(*http.Request) string { return "compute" })
	s.second = time.Millisecond
	send := func() (int, error) {
		resp, err := (&http.Client{Transport: s, Timeout: time.Second}).Get(server.URL)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode, err
	}
	if code, err := send(); code != 200 || err != nil {
		t.Fatalf("without a storm: %d, %v", code, err)
	}
	s.blow(true)
	s.fail("compute", time.Minute)
	if code, err := send(); code != 503 || err != nil {
		t.Errorf("of a service that is down: %d, %v", code, err)
	}
	s.fail("compute", 0)
	resets := 0
	const requests = 300
	for range requests {
		if _, err := send(); errors.Is(err, syscall.ECONNRESET) {
			resets++
		}
	}
	seen := s.faults()
	if resets == 0 || resets != seen["lost response"]+seen["connection reset"] {
		t.Errorf("%d resets, with %v", resets, seen)
	}
	if want := 1 + requests - seen["connection reset"] - seen["429"]; effects != want {
		t.Errorf("%d requests had an effect, want %d", effects, want)
	}
}
