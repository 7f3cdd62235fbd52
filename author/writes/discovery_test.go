package writes_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/client-go/rest"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
)

// A server may never answer, or say that a client is to wait for days. Watch ends with its context,
// and not with the timeout of client-go's discovery.
func TestWatchEndsWhileTheServerIsSilent(t *testing.T) {
	for _, row := range []struct {
		it     string
		answer func(w http.ResponseWriter, r *http.Request)
	}{
		{"ends while the server is silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"ends although the server is busy for days", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "999999")
			w.WriteHeader(http.StatusTooManyRequests)
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			ended := errors.New("the test has ended the watch")
			ctx, stop := context.WithCancelCause(t.Context())
			defer stop(nil)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				stop(ended)
				row.answer(w, r)
			}))
			defer server.Close()
			err := (&writes.Cluster{Config: &rest.Config{Host: server.URL}, Kinds: []string{"pods"}}).Watch(ctx, func(audit.Write) {})
			if !errors.Is(err, ended) {
				t.Errorf("have %v, want %v", err, ended)
			}
		})
	}
}
