package client

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	clientapi "k8s.io/client-go/tools/clientcmd/api"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/connection"
)

// If credentials are not available, an observation ends at once, unless they have been
// accepted before.
func TestLostCredentials(t *testing.T) {
	unsent := &url.Error{Op: "Get", URL: "https://127.0.0.1:1/api?watch=true", Err: &connection.NoCredentialsError{Err: errors.New("aws failed")}}
	refused := apierrors.NewUnauthorized("Unauthorized")
	rows := []struct {
		it       string
		accepted bool
		err      error
		after    time.Duration // the time until they are lost; less than zero: never
	}{
		{"are missing from the start", false, unsent, 0},
		{"are missing later", true, unsent, refusalLimit},
		{"are rejected from the start", false, refused, renewalLimit},
		{"are rejected later", true, refused, refusalLimit},
		{"are accepted", true, apierrors.NewTimeoutError("x", 1), -1},
		{"are not known, since the server is unreachable", false, &url.Error{Op: "Get", URL: "https://x", Err: errors.New("refused")}, -1},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCredentials(&rest.Config{ExecProvider: &clientapi.ExecConfig{}})
				if row.accepted {
					c.record(true)
				}
				if row.err == error(refused) {
					c.record(false)
				}
				if row.after > 0 {
					if c.Lost(row.err) {
						t.Error("they are lost at once")
					}
					bubble.Sleep(row.after)
				}
				if lost := c.Lost(row.err); lost != (row.after >= 0) {
					t.Errorf("lost: %t", lost)
				}
			})
		})
	}
	if text := NewCredentialsError(unsent).Error(); text != "no credentials for the API server: aws failed" {
		t.Errorf("the error is %q", text)
	}
}

// Only a request that has no credentials fails with a NoCredentialsError, and not one
// that fails later.
func TestRequestsWithoutCredentials(t *testing.T) {
	rows := []struct {
		it   string
		exec *clientapi.ExecConfig
		want bool
	}{
		{"has a plugin that fails", &clientapi.ExecConfig{APIVersion: "client.authentication.k8s.io/v1", Command: "/nonexistent/program", InteractiveMode: clientapi.NeverExecInteractiveMode}, true},
		{"has an unreachable server", nil, false},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			c, err := connection.New(&rest.Config{Host: "http://127.0.0.1:1", ExecProvider: row.exec})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:1/api", nil)
			answer, err := c.HTTP.Do(request)
			if err == nil {
				answer.Body.Close()
				t.Fatal("it was answered")
			}
			if _, lacks := errors.AsType[*connection.NoCredentialsError](err); lacks != row.want {
				t.Errorf("it lacks credentials: %t, want %t: %v", lacks, row.want, err)
			}
		})
	}
}
