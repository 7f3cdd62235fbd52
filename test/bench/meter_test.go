package bench

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

func TestMeter(t *testing.T) {
	const size = 1000
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, strings.Repeat("x", size))
	}))
	defer server.Close()
	rows := []struct {
		path                string
		requests, discovery int64
	}{
		{"/api", 0, 1},
		{"/api/v1", 0, 1},
		{"/apis/apps/v1", 0, 1},
		{"/api/v1/pods", 1, 0},
		{"/apis/apps/v1/deployments", 1, 0},
	}
	for _, row := range rows {
		var m Meter
		client, err := rest.HTTPClientFor(m.On(&rest.Config{Host: server.URL}))
		if err != nil {
			t.Fatal(err)
		}
		before := m.Usage()
		resp, err := client.Get(server.URL + row.path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		u := m.Usage().Since(before)
		if u.Requests != row.requests || u.Discovery != row.discovery || u.Read != row.requests*size {
			t.Errorf("%s: have %d requests, %d for discovery, %d bytes read, want %d, %d, %d",
				row.path, u.Requests, u.Discovery, u.Read, row.requests, row.discovery, row.requests*size)
		}
		if u.Received <= size || u.Peak <= 0 {
			t.Errorf("%s: have %d bytes received and a peak of %d", row.path, u.Received, u.Peak)
		}
		client.CloseIdleConnections()
	}
}
