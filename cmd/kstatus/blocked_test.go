package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/internal/ruletest"
)

// A podServer is an API server with Pods that never change.
func podServer(t *testing.T, pods ...map[string]any) (kubeconfig string) {
	t.Helper()
	answer := func(w http.ResponseWriter, code int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		if err := json.NewEncoder(w).Encode(v); err != nil {
			t.Error(err)
		}
	}
	refuse := func(w http.ResponseWriter, code int, reason string) {
		answer(w, code, map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": reason})
	}
	const all = "/api/v1/namespaces/shop/pods"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		chosen := pods
		if name, ok := strings.CutPrefix(query.Get("fieldSelector"), "metadata.name="); ok {
			chosen = nil
			for _, pod := range pods {
				if pod["metadata"].(map[string]any)["name"] == name {
					chosen = append(chosen, pod)
				}
			}
		}
		switch {
		case r.URL.Path == "/api":
			answer(w, 200, map[string]any{"kind": "APIVersions", "versions": []any{"v1"}})
		case r.URL.Path == "/apis":
			answer(w, 200, map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{}})
		case r.URL.Path == "/api/v1":
			answer(w, 200, map[string]any{"kind": "APIResourceList", "groupVersion": "v1", "resources": []any{
				map[string]any{"name": "pods", "singularName": "pod", "kind": "Pod", "namespaced": true, "verbs": []any{"get", "list", "watch"}},
			}})
		case query.Get("sendInitialEvents") != "":
			refuse(w, http.StatusUnprocessableEntity, "Invalid")
		case r.URL.Path == all && query.Get("watch") != "":
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case r.URL.Path == all:
			answer(w, 200, map[string]any{"apiVersion": "v1", "kind": "PodList", "metadata": map[string]any{"resourceVersion": "5"}, "items": chosen})
		default:
			for _, pod := range pods {
				if r.URL.Path == all+"/"+pod["metadata"].(map[string]any)["name"].(string) {
					answer(w, 200, pod)
					return
				}
			}
			refuse(w, http.StatusNotFound, "NotFound")
		}
	}))
	t.Cleanup(server.Close)
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: %q}}]\ncontexts: [{name: c, context: {cluster: c, namespace: shop}}]\ncurrent-context: c\n", server.URL)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func runningPod(name string) map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": name, "namespace": "shop", "uid": "uid-" + name, "resourceVersion": "3", "generation": 1},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "c", "image": "i"}}},
		"status":   map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
	}
}

// A textBuffer is a buffer with concurrent reads and writes.
type textBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

// Write appends to the buffer.
func (b *textBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

// String returns the text so far.
func (b *textBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// An evaluation that never ends delays neither other objects nor the end of the command. The
// command ends at its timeout or at the first interrupt.
func TestEndlessEvaluations(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules.yaml")
	if err := os.WriteFile(rules, []byte("- {kind: Pod, current: \"metadata.name != '' && status.phase == 'Running'\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	ruletest.Before(func(object map[string]any) {
		if object["metadata"].(map[string]any)["name"] == "web" {
			<-release
		}
	})
	t.Cleanup(func() {
		ruletest.Before(nil)
		close(release)
	})
	const healthy = "Current     Pod/shop/ok"
	for _, c := range []struct {
		name, timeout string
		interrupt     bool
		want          exit.Code
	}{
		{"by the timeout", "2s", false, exit.Timeout},
		{"by an interrupt", "10m", true, exit.Interrupted},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Each case has its own objects, since an object with a late evaluation is not
			// evaluated again.
			web := runningPod("web")
			web["metadata"].(map[string]any)["uid"] = c.name
			kubeconfig := podServer(t, web, runningPod("ok"))
			var out textBuffer
			env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &out, Now: time.Now}
			ended := make(chan exit.Code, 1)
			go func() {
				ended <- run(t.Context(), env, []string{"kstatus", "wait", "pod", "--kubeconfig", kubeconfig, "--timeout", c.timeout, "--rules", rules})
			}()
			const margin = time.Minute // far more than the second that it may take
			deadline := time.After(margin)
			for !strings.Contains(out.String(), healthy) {
				select {
				case <-deadline:
					t.Fatalf("after %s nothing is said of the healthy object:\n%s", margin, out.String())
				case <-time.After(10 * time.Millisecond):
				}
			}
			if c.interrupt {
				if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case code := <-ended:
				if code != c.want || !strings.Contains(out.String(), "its evaluation takes too long") {
					t.Errorf("it exits with %d, want %d:\n%s", code, c.want, out.String())
				}
			case <-time.After(margin):
				t.Errorf("it does not end:\n%s", out.String())
			}
			if testing.Verbose() {
				t.Log(out.String())
			}
		})
	}
}
