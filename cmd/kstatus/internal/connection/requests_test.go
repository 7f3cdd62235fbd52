package connection

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// A countingContext counts the functions that are registered with AfterFunc.
type countingContext struct {
	context.Context
	waiting atomic.Int64
}

// Value hides the inner context, so that package context calls AfterFunc.
func (c *countingContext) Value(any) any { return nil }

// AfterFunc counts the function until it is stopped.
func (c *countingContext) AfterFunc(f func()) (stop func() bool) {
	c.waiting.Add(1)
	unregister := context.AfterFunc(c.Context, f)
	return func() bool {
		stopped := unregister()
		if stopped {
			c.waiting.Add(-1)
		}
		return stopped
	}
}

// A request that has ended leaves no function behind, however it ended.
func TestRequestsLeaveNothingBehind(t *testing.T) {
	body := func() io.ReadCloser { return io.NopCloser(strings.NewReader("text")) }
	for _, row := range []struct {
		it     string
		answer func() (*http.Response, error)
		use    func(*http.Response)
	}{
		{"that are read and closed", func() (*http.Response, error) { return &http.Response{Body: body()}, nil }, func(r *http.Response) {
			_, _ = io.ReadAll(r.Body) // of a text
			_ = r.Body.Close()
		}},
		{"that are closed only", func() (*http.Response, error) { return &http.Response{Body: body()}, nil }, func(r *http.Response) { _ = r.Body.Close() }},
		{"that are read only", func() (*http.Response, error) { return &http.Response{Body: body()}, nil }, func(r *http.Response) { _, _ = io.ReadAll(r.Body) }},
		{"that fail", func() (*http.Response, error) { return nil, errors.New("no answer") }, func(*http.Response) {}},
	} {
		t.Run(row.it, func(t *testing.T) {
			life := &countingContext{Context: t.Context()}
			requests := newRequests(life)
			transport := requests.bindContext(roundTrip(func(*http.Request) (*http.Response, error) { return row.answer() }))
			for range 1000 {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://example.com", nil)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := transport.RoundTrip(r)
				if err == nil {
					row.use(answer)
				}
			}
			if n := life.waiting.Load(); n != 0 {
				t.Errorf("%d functions wait for the end of the command, want none", n)
			}
		})
	}
}

// A request ends with the command, also while its response is being read.
func TestRequestsEndWithTheCommand(t *testing.T) {
	cause := errors.New("interrupted")
	life, end := context.WithCancelCause(t.Context())
	requests := newRequests(life)
	var sent *http.Request
	transport := requests.bindContext(roundTrip(func(r *http.Request) (*http.Response, error) {
		sent = r
		return &http.Response{Body: io.NopCloser(strings.NewReader("text"))}, nil
	}))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://example.com", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if sent.Context().Err() != nil {
		t.Fatal("the request ends before its answer has been read")
	}
	end(cause)
	<-sent.Context().Done()
	if have := context.Cause(sent.Context()); have != cause {
		t.Errorf("the request ends with %v, want %v", have, cause)
	}
}

// client-go finds the transport, whose idle connections it closes, below all others.
func TestTransportsCanBeClosed(t *testing.T) {
	var below http.Transport
	for it, transport := range map[string]http.RoundTripper{
		"requests": newRequests(t.Context()).bindContext(&below),
		"silence":  newSilence(time.Second, "").refuse(&below),
	} {
		if _, err := utilnet.TLSClientConfig(transport); err != nil {
			t.Errorf("%s: %v", it, err)
		}
	}
}
