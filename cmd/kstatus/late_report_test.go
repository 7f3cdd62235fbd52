package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
)

// An object whose controller writes conditions, but never the observed generation, gets the same
// verdict from explain as from get.
func TestExplanationsJudgeAsSnapshotsDo(t *testing.T) {
	hourAgo := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	lamp := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Lamp",
		"metadata": map[string]any{
			"name": "desk", "namespace": "shop", "uid": "u", "resourceVersion": "3", "generation": 1, "creationTimestamp": hourAgo,
			"managedFields": []any{map[string]any{
				"manager": "lamp-controller", "operation": "Update", "apiVersion": "example.com/v1", "time": hourAgo, "subresource": "status",
				"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:status": map[string]any{"f:phase": map[string]any{}}},
			}},
		},
		"status": map[string]any{"observedGeneration": 0, "phase": "Frob"},
	}
	version := map[string]any{"groupVersion": "example.com/v1", "version": "v1"}
	answers := map[string]any{
		"/api":    map[string]any{"kind": "APIVersions", "versions": []any{"v1"}},
		"/apis":   map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{map[string]any{"name": "example.com", "versions": []any{version}, "preferredVersion": version}}},
		"/api/v1": map[string]any{"kind": "APIResourceList", "groupVersion": "v1", "resources": []any{}},
		"/apis/example.com/v1": map[string]any{"kind": "APIResourceList", "groupVersion": "example.com/v1", "resources": []any{
			map[string]any{"name": "lamps", "singularName": "lamp", "kind": "Lamp", "namespaced": true, "verbs": []any{"get", "list"}},
		}},
		"/apis/example.com/v1/namespaces/shop/lamps": map[string]any{
			"apiVersion": "example.com/v1", "kind": "LampList", "metadata": map[string]any{"resourceVersion": "5"}, "items": []any{lamp},
		},
		"/apis/example.com/v1/namespaces/shop/lamps/desk": lamp,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, ok := answers[r.URL.Path]
		w.Header().Set("Content-Type", "application/json")
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			v = map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": http.StatusNotFound, "reason": "NotFound", "message": "not found"}
		}
		if err := json.NewEncoder(w).Encode(v); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: %q}}]\ncontexts: [{name: c, context: {cluster: c, namespace: shop}}]\ncurrent-context: c\n", server.URL)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"get", "explain"} {
		var out, notes textBuffer
		env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &notes, Now: time.Now}
		if code := run(t.Context(), env, []string{"kstatus", verb, "lamp/desk", "--kubeconfig", kubeconfig, "--cache-dir", t.TempDir()}); code != 0 {
			t.Errorf("%s exits with %d", verb, code)
		}
		if got := out.String(); !strings.Contains(got, "Unknown") || !strings.Contains(got, "status.phase is Frob, which is not a known state; a rule can define it") {
			t.Errorf("%s says\n%s%s", verb, got, notes.String())
		}
	}
}
