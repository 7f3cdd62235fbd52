package hostile

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

const readyPod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "ok", "namespace": "shop", "uid": "1", "resourceVersion": "7"},
	"spec": {"containers": [{"name": "main", "image": "x"}]}, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}}`

// Watches that end early are not reopened at once, whatever events they deliver. Without a
// pause, these five seconds would see thousands of requests.
func TestWatchesThatEndEarly(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		it   string
		send func(w http.ResponseWriter, r *http.Request)
	}{
		{"after a bookmark", func(w http.ResponseWriter, r *http.Request) {
			event(w, "BOOKMARK", bookmark(r, kinds[0], "101", nil))
		}},
		{"after nothing", func(http.ResponseWriter, *http.Request) {}},
		{"after an event", func(w http.ResponseWriter, r *http.Request) {
			event(w, "MODIFIED", map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "other", "namespace": "shop", "resourceVersion": "101"}})
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			s := serve(t, readyPod)
			s.hook = func(w http.ResponseWriter, r *http.Request) bool {
				query := r.URL.Query()
				if query.Get("watch") != "true" || query.Get("sendInitialEvents") == "true" {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				row.send(w, r)
				return true
			}
			s.endInitial = true
			code, out := kstatus(t, "wait", "pod/ok", "--timeout", "5s", "--kubeconfig", s.kubeconfig())
			if code != 4 && code != 1 || !strings.Contains(out, "InProgress") && !strings.Contains(out, "Failing") {
				t.Errorf("want a timeout or a lost server, have exit code %d\n%s", code, out)
			}
			s.fewRequests(t)
		})
	}
}

// A server that closes each connection after a byte does not cause a request loop either, and
// the verdict describes the problem.
func TestConnectionsThatCloseAfterAByte(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.hook = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/api/v1/") {
			return false
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return true
		}
		closeAfter(conn, "H")
		return true
	}
	code, out := kstatus(t, "wait", "pod/ok", "--timeout", "5s", "--kubeconfig", s.kubeconfig())
	if code != 4 && code != 1 || !strings.Contains(out, "EOF") && !strings.Contains(out, "malformed HTTP response") {
		t.Errorf("have exit code %d\n%s", code, out)
	}
	s.fewRequests(t)
}

// closeAfter closes a connection after a text.
func closeAfter(conn net.Conn, text string) {
	_, _ = conn.Write([]byte(text)) // the client may have closed the connection
	_ = conn.Close()
}

// fewRequests fails the test after too many requests for a command that has run for five
// seconds.
func (s *server) fewRequests(t *testing.T) {
	t.Helper()
	all := s.log()
	t.Logf("%d requests in 5 s", len(all))
	if len(all) > 100 {
		t.Errorf("%d requests in 5 s, want at most 100; the last are\n%s", len(all), strings.Join(all[len(all)-5:], "\n"))
	}
}
