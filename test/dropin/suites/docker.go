package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
)

// vaultPort is the port of Vault in its container.
const vaultPort = "8200/tcp"

// newDocker starts a server in place of Docker. Tests of controllers start Vault in Docker before
// the first test, and stop if they cannot. The tests of a suite do not use Vault. So the server
// accepts each request for a container, and answers in place of Vault too.
func newDocker() *httptest.Server {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	mux.HandleFunc("GET /images/", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]string{"Id": "vault"})
	})
	mux.HandleFunc("POST /containers/create", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusCreated, map[string]string{"Id": "vault"})
	})
	mux.HandleFunc("GET /containers/{id}/json", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, container(server.URL))
	})
	mux.HandleFunc("GET /v1/sys/init", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]bool{"initialized": true})
	})
	// To start, stop and remove containers, and to mount secrets of Vault.
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	})
	return server
}

// container returns the state of a container whose port is that of a server.
func container(at string) any {
	u, err := url.Parse(at)
	if err != nil {
		return nil
	}
	host, port, err := net.SplitHostPort(u.Host)
	if err != nil {
		return nil
	}
	return map[string]any{
		"Id":    "vault",
		"State": map[string]bool{"Running": true},
		"NetworkSettings": map[string]any{
			"Ports": map[string]any{vaultPort: []map[string]string{{"HostIp": host, "HostPort": port}}},
		},
	}
}

func answer(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value)
}

// dockerHost returns the address of a server for the variable DOCKER_HOST.
func dockerHost(server *httptest.Server) string {
	return strings.Replace(server.URL, "http://", "tcp://", 1)
}
