package connection

import (
	"fmt"
	"net/http"
	"syscall"
	"testing"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Repeated connection resets mean that the server is gone, until a response arrives.
func TestConnectionsThatAreReset(t *testing.T) {
	reset := fmt.Errorf("read tcp: %w", syscall.ECONNRESET)
	failure := reset
	l := newRequests(t.Context())
	transport := l.bindContext(roundTrip(func(*http.Request) (*http.Response, error) {
		if failure != nil {
			return nil, failure
		}
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}))
	request := func() error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://server.example.com", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := transport.RoundTrip(r)
		if err == nil {
			_ = answer.Body.Close()
		}
		return err
	}
	for range 2 {
		failure = reset
		for n := 1; n <= maxResets+1; n++ {
			err := request()
			if repeats := utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err); err == nil || repeats != (n < maxResets) {
				t.Errorf("reset %d: client-go repeats the request: %t, after %v", n, repeats, err)
			}
		}
		failure = nil
		if err := request(); err != nil {
			t.Fatal(err)
		}
	}
}
