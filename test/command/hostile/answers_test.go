package hostile

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// maxMemory is the memory limit for the command during endless responses, in MiB. One response
// has at most 256, in memory both as text and as values.
const maxMemory = 3000

const (
	listHead  = `{"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "100"}, "items": [`
	eventHead = `{"type": "ADDED", "object": {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "ok", "namespace": "shop", "annotations": {"a": "`
)

var filler = strings.Repeat("a", 1<<20)

// repeat writes a text repeatedly until the client closes the connection, or up to 20 GiB.
func repeat(w io.Writer, text string) {
	for n := 0; n < 20<<30; n += len(text) {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}

// Each server sends invalid or endless responses. The command ends at its timeout at the
// latest, reports the problem, and stays within its memory limit.
func TestHostileServers(t *testing.T) {
	t.Parallel()
	document := func(text string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) } // the client may have closed the connection
	}
	var pages atomic.Int64
	for _, row := range []struct {
		it     string
		listed func(w http.ResponseWriter, r *http.Request) // the response to a list of Pods; nil: that of the server
		stream func(w http.ResponseWriter, r *http.Request) // the response to a watch that begins with a list; nil: it is rejected
		watch  func(w http.ResponseWriter, r *http.Request) // the response to another watch; nil: that of the server
		want   string
	}{
		{it: "an object of another kind in a list", want: "want an object of kind Pod, have Secret",
			listed: document(listHead + `{"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "ok", "namespace": "shop"}}]}`)},
		{it: "an object in place of a list", want: "want a list of pods, have one Pod", listed: document(readyPod)},
		{it: "another kind in place of a list", want: "want a list of pods, have one Secret",
			listed: document(`{"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "ok"}, "data": {}}`)},
		{it: "an object of another kind in a watch", want: "want an object of kind Pod, have Secret",
			watch: document(`{"type": "MODIFIED", "object": {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "ok", "namespace": "shop", "resourceVersion": "101"}}}`)},
		{it: "an event that is none", want: "InProgress", watch: document(`{"type": "NONE", "object": {"kind": "Pod", "apiVersion": "v1"}}`)},
		{it: "a list with shapes of other things", want: "list pods", listed: document(`{"kind": 7, "apiVersion": [], "items": {"a": 1}, "metadata": "x"}`)},

		{it: "a page that names itself as the next", want: "the list has no end: its page 2 names itself as the next",
			listed: document(`{"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "100", "continue": "again"}, "items": []}`)},
		{it: "pages without end", want: "the list has no end: after 1000 pages with 1000 objects there are more",
			listed: func(w http.ResponseWriter, _ *http.Request) {
				_, _ = fmt.Fprintf(w, `{"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "100", "continue": "%d"}, "items": [{"metadata": {"name": "x"}}]}`, pages.Add(1))
			}},
		{it: "a list of nothing without end", want: "the answer has more than 8 million values",
			listed: func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, listHead)
				repeat(w, strings.Repeat("{},", 1<<16))
			}},
		{it: "an object without end", want: "the answer has more than 256 MiB",
			listed: func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, listHead+`{"metadata": {"name": "`)
				repeat(w, filler)
			}},
		{it: "a compressed list without end", want: "the answer has more than 256 MiB",
			listed: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				_, _ = io.WriteString(z, listHead+`{"metadata": {"name": "`)
				repeat(z, filler)
			}},
		{it: "an error without end", want: "the answer has more than 256 MiB",
			listed: func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusInternalServerError)
				repeat(w, filler)
			}},

		// When watches fail, lists show the existing objects.
		{it: "an event without end", want: "NotFound",
			watch: func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, eventHead)
				repeat(w, filler)
			}, listed: document(listHead + "]}")},
		{it: "a watch that begins with a list without end", want: "NotFound",
			stream: func(w http.ResponseWriter, _ *http.Request) {
				repeat(w, `{"type": "ADDED", "object": {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "x", "namespace": "shop", "resourceVersion": "7"}}}`+"\n")
			}, listed: document(listHead + "]}")},
		{it: "a watch that begins with bookmarks without end", want: "NotFound",
			stream: func(w http.ResponseWriter, _ *http.Request) {
				repeat(w, `{"type": "BOOKMARK", "object": {"kind": "Pod", "apiVersion": "v1", "metadata": {"resourceVersion": "7"}}}`+"\n")
			}, listed: document(listHead + "]}")},
		{it: "bookmarks without end", want: "InProgress",
			watch: func(w http.ResponseWriter, _ *http.Request) {
				repeat(w, `{"type": "BOOKMARK", "object": {"kind": "Pod", "apiVersion": "v1", "metadata": {"resourceVersion": "107"}}}`+"\n")
			}},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			s := serve(t, readyPod)
			s.hook = func(w http.ResponseWriter, r *http.Request) bool {
				query := r.URL.Query()
				answer := row.listed
				switch {
				case r.URL.Path != "/api/v1/namespaces/shop/pods":
					return false
				case query.Get("sendInitialEvents") == "true" && row.stream == nil:
					fail(w, http.StatusBadRequest, "BadRequest", "watches do not begin with a list", nil)
					return true
				case query.Get("sendInitialEvents") == "true":
					answer = row.stream
				case query.Get("watch") == "true":
					answer = row.watch
				}
				if answer == nil {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				answer(w, r)
				return true
			}
			timeout := "0" // reads once
			if row.watch != nil || row.stream != nil {
				timeout = "3s"
			}
			code, out, memory := measured(t, "wait", "pod/ok", "--timeout", timeout, "--explain=none", "--kubeconfig", s.kubeconfig())
			t.Logf("exit code %d, %d MiB, %d requests", code, memory, len(s.log()))
			if code == 0 || code == 2 || strings.Contains(out, "panic") || !strings.Contains(out, row.want) {
				t.Errorf("want %q, have exit code %d\n%s", row.want, code, out)
			}
			if memory > maxMemory {
				t.Errorf("the command has used %d MiB", memory)
			}
			s.onlyExpected(t)
		})
	}
}

// The client does not follow redirects of a server, and sends no credentials to their targets.
func TestRedirectsToAnotherHost(t *testing.T) {
	t.Parallel()
	for _, from := range []string{"/api/v1/namespaces/shop/pods", "/api", "/apis"} {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex // guards got
			var got []string
			other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, r.RequestURI+" "+r.Header.Get("Authorization"))
			}))
			defer other.Close()
			s := serve(t, readyPod)
			s.hook = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != from {
					return false
				}
				http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
				return true
			}
			code, out := kstatus(t, "wait", "pod/ok", "--timeout", "3s", "--kubeconfig", s.kubeconfig())
			if code == 0 || !strings.Contains(out, "kstatus does not follow redirects") {
				t.Errorf("have exit code %d\n%s", code, out)
			}
			mu.Lock()
			defer mu.Unlock()
			if len(got) > 0 {
				t.Errorf("the other server gets %q", got)
			}
		})
	}
}

// An endless log is not part of an explanation, and does not delay it.
func TestLogsWithoutEnd(t *testing.T) {
	t.Parallel()
	s := serve(t, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "ok", "namespace": "shop", "uid": "1", "resourceVersion": "7"},
		"spec": {"containers": [{"name": "main", "image": "x"}]}, "status": {"phase": "Running", "containerStatuses": [{"name": "main", "ready": false, "restartCount": 5,
			"state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": {"exitCode": 1, "reason": "Error"}}}]}}`)
	s.hook = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/pods/ok/log") {
			return false
		}
		repeat(w, "a line of the log\n")
		return true
	}
	_, out, memory := measured(t, "explain", "pod/ok", "--kubeconfig", s.kubeconfig())
	if !strings.Contains(out, "the log has more than 1 MiB") || memory > 500 {
		t.Errorf("the command has used %d MiB:\n%s", memory, out)
	}
}
