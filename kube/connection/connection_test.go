package connection

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// warnings is a handler of warnings that counts them.
type warnings int

func (w *warnings) HandleWarningHeader(int, string, string) { *w++ }

func TestRequests(t *testing.T) {
	var agent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent = r.UserAgent()
		w.Header().Set("Warning", `299 - "deprecated"`)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}`)) // the client reads all of it
	}))
	defer server.Close()
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	for _, row := range []struct{ it, agent, want string }{
		{"names itself", "", "kstatus"},
		{"keeps the user agent of the config", "me/1", "me/1"},
	} {
		t.Run(row.it, func(t *testing.T) {
			printed := new(warnings)
			config := &rest.Config{Host: server.URL, UserAgent: row.agent, WarningHandler: printed}
			c, err := New(config)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Objects.Resource(pods).List(t.Context(), metav1.ListOptions{}); err != nil {
				t.Fatal(err)
			}
			if agent != row.want || *printed != 0 {
				t.Errorf("the user agent is %q and %d warnings are printed, want %q and none", agent, *printed, row.want)
			}
			if config.UserAgent != row.agent || config.QPS != 0 || config.WarningHandler != printed {
				t.Errorf("the config has become %+v", config)
			}
		})
	}
}

func TestNewNamesTheServer(t *testing.T) {
	_, err := New(&rest.Config{Host: "https://nowhere.example.com", TLSClientConfig: rest.TLSClientConfig{CAFile: "missing"}})
	if err == nil || !strings.HasPrefix(err.Error(), "connect to https://nowhere.example.com: ") {
		t.Errorf("have %v, want an error that names the server", err)
	}
}

// A limit on the rate of requests is that of the caller; without one there is none.
func TestRateOfRequests(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}`))
	}))
	defer server.Close()
	for _, row := range []struct {
		it     string
		config rest.Config
		held   bool
	}{
		{"uses the rate of the config", rest.Config{QPS: 1, Burst: 1}, true},
		{"uses the limiter of the config", rest.Config{RateLimiter: flowcontrol.NewTokenBucketRateLimiter(1, 1)}, true},
		{"sets no limit", rest.Config{}, false},
	} {
		t.Run(row.it, func(t *testing.T) {
			row.config.Host = server.URL
			c, err := New(&row.config)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			// A request that would have to wait for longer than its context lives fails at once.
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			held := false
			for range 20 {
				_, err := c.Objects.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).List(ctx, metav1.ListOptions{})
				held = held || err != nil
			}
			if held != row.held {
				t.Errorf("requests are held back: %t, want %t", held, row.held)
			}
		})
	}
}
